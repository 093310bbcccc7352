//! Admission: a manifest and its descriptors become compiled contracts, or a list of everything that is wrong.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use convoke_proto::descriptors::Descriptors;
use convoke_proto::v1;
use convoke_proto::v1::capability::Effects;
use convoke_proto::v1::violation::Rule;
use convoke_schema::{Defect, Schema};

use crate::contract_digest::contract_digest;
use crate::{Contract, Goal, Roles};

/// A manifest whose every schema compiles.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// Name, version, description, tags.
    pub domain: v1::Domain,
    /// One per capability, in the manifest's order.
    pub contracts: Vec<Arc<Contract>>,
    /// The declared goals, then each capability without one as its own goal.
    pub goals: Vec<Arc<Goal>>,
}

// === impl Admitted ===

impl Admitted {
    /// The rules of `buf.validate` that the messages declare and that nobody enforces here, each once. An agent that
    /// declares one is served: the rule is part of its own validator's language, and no promise of the mesh's.
    pub fn not_enforced(&self) -> Vec<&Defect> {
        let mut seen = HashSet::new();
        let inputs = self.contracts.iter().flat_map(|contract| [&contract.input, &contract.output]);
        let schemas = inputs.chain(self.goals.iter().map(|goal| &goal.entities));
        schemas.flat_map(Schema::not_enforced).filter(|it| seen.insert((&it.path, &it.message))).collect()
    }
}

/// Compiles a manifest. The manifest's own rules (names, methods, options that are not served) are those of
/// `convoke_proto::manifest`; this is about what only a compiled schema shows.
///
/// # Errors
/// Every violation, each named by its place: a field by its full name in the proto, else `{capability}.output.{field}`.
pub fn admit(manifest: v1::Manifest, descriptors: &Descriptors) -> Result<Admitted, Vec<v1::Violation>> {
    let mut admission = Admission { descriptors, violations: Vec::new() };
    let domain = manifest.domain.unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut contracts = Vec::with_capacity(manifest.capabilities.len());
    for spec in manifest.capabilities {
        if !names.insert(spec.name.clone()) {
            admission.fault(
                spec.name.clone(),
                Rule::NotUnique,
                "a name that no other capability has",
                &spec.name,
            );
        }
        contracts.extend(admission.contract(&domain, spec).map(Arc::new));
    }
    let mut goals = Vec::with_capacity(manifest.goals.len());
    for goal in manifest.goals {
        goals.extend(admission.goal(&domain, goal, &contracts).map(Arc::new));
    }
    goals.extend(own_goals(&contracts, &goals));
    if admission.violations.is_empty() {
        Ok(Admitted { domain, contracts, goals })
    } else {
        Err(admission.violations)
    }
}

/// A capability without a goal is its own: its input fields are the entities.
fn own_goals(contracts: &[Arc<Contract>], declared: &[Arc<Goal>]) -> Vec<Arc<Goal>> {
    let reached: BTreeSet<&str> = declared.iter().map(|goal| goal.capability.as_str()).collect();
    let without_goal = contracts.iter().filter(|contract| !reached.contains(contract.name.as_str()));
    without_goal
        .map(|contract| {
            Arc::new(Goal {
                domain: contract.domain.clone(),
                name: contract.name.clone(),
                description: contract.spec.description.clone(),
                entities: contract.input.clone(),
                hints: contract.spec.intent_hints.clone(),
                capability: contract.name.clone(),
                declared: false,
            })
        })
        .collect()
}

struct Admission<'a> {
    descriptors: &'a Descriptors,
    violations: Vec<v1::Violation>,
}

// === impl Admission ===

impl Admission<'_> {
    fn contract(&mut self, domain: &v1::Domain, spec: v1::Capability) -> Option<Contract> {
        let name = spec.name.clone();
        let input = self.compile(&format!("{name}.input"), &spec.input_type);
        let output = self.compile(&format!("{name}.output"), &spec.output_type);
        if spec.method.is_empty() {
            self.fault(format!("{name}.method"), Rule::Missing, "the method that serves it", "");
        }
        let effects = match spec.effects() {
            Effects::Unspecified => Effects::NonIdempotent,
            declared => declared,
        };
        let attempt_timeout = self.attempt_timeout(&spec);
        let (input, output) = (input?, output?);
        Some(Contract {
            domain: domain.name.clone(),
            version: domain.version.clone(),
            contract_digest: contract_digest(&input, &output, effects, &spec.method),
            path: spec.method.clone(),
            effects,
            attempt_timeout,
            roles: self.roles(&name, &output),
            input,
            output,
            name,
            spec,
        })
    }

    fn goal(&mut self, domain: &v1::Domain, goal: v1::Goal, contracts: &[Arc<Contract>]) -> Option<Goal> {
        let Some(contract) = contracts.iter().find(|contract| contract.name == goal.capability) else {
            let place = format!("{}.capability", goal.name);
            self.fault(place, Rule::NotAllowed, "a capability of this manifest", &goal.capability);
            return None;
        };
        let entities = if goal.entities_type.is_empty() {
            contract.input.clone()
        } else {
            self.compile(&format!("{}.entities", goal.name), &goal.entities_type)?
        };
        Some(Goal {
            domain: domain.name.clone(),
            description: goal.description,
            entities,
            hints: goal.intent_hints,
            capability: goal.capability,
            declared: true,
            name: goal.name,
        })
    }

    fn compile(&mut self, place: &str, message: &str) -> Option<Schema> {
        let Some(descriptor) = self.descriptors.pool().get_message_by_name(message) else {
            self.fault(place.to_owned(), Rule::NotAllowed, "a message of the descriptors", message);
            return None;
        };
        match Schema::compile(&descriptor) {
            Ok(schema) => Some(schema),
            Err(defects) => {
                for defect in defects {
                    let expected =
                        format!("a sound declaration; {}: {}", defect.rule.as_str(), defect.message);
                    self.fault(defect.path, Rule::Constraint, &expected, "");
                }
                None
            }
        }
    }

    fn roles(&mut self, capability: &str, output: &Schema) -> Roles {
        use v1::field_spec::Role;
        let mut roles = Roles::default();
        for field in output.fields() {
            let role = match field.role() {
                Role::Unspecified => continue,
                Role::Explanation => &mut roles.explanation,
                Role::Confidence => &mut roles.confidence,
                Role::Metadata => &mut roles.metadata,
            };
            if role.replace(field.name().to_owned()).is_some() {
                let place = format!("{capability}.output.{}", field.name());
                self.fault(place, Rule::NotUnique, "one field for each role", field.role().as_str_name());
            }
        }
        roles
    }

    fn attempt_timeout(&mut self, spec: &v1::Capability) -> Option<Duration> {
        let declared = spec.limits.as_ref()?.attempt_timeout?;
        match Duration::try_from(declared) {
            Ok(timeout) if !timeout.is_zero() => Some(timeout),
            _ => {
                let place = format!("{}.limits.attempt_timeout", spec.name);
                self.fault(place, Rule::Minimum, "a time above zero", &declared.to_string());
                None
            }
        }
    }

    /// Notes a mistake; a message that several capabilities use makes it once.
    fn fault(&mut self, path: String, rule: Rule, expected: &str, got: &str) {
        let violation = v1::Violation {
            path,
            rule: rule.into(),
            expected: expected.to_owned(),
            got: if got.is_empty() { String::new() } else { format!("{got:?}") },
            suggestion: String::new(),
        };
        if !self.violations.contains(&violation) {
            self.violations.push(violation);
        }
    }
}
