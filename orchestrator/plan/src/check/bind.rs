//! From the names in a plan to the capabilities that will be called.

use std::sync::Arc;

use convoke_catalog::{Capability, Catalog, Unresolved};
use convoke_proto::v1::ExecutionStep;
use convoke_proto::v1::plan_report::Rule;

use super::findings::{At, Findings};

/// Finds a step's capability, and writes domain, name and contract digest into the step.
pub(crate) fn bind(
    step: &mut ExecutionStep,
    position: usize,
    catalog: &Catalog,
    findings: &mut Findings,
) -> Option<Arc<Capability>> {
    match catalog.resolve(&step.domain, &step.capability, &step.contract_digest) {
        Ok(capability) => {
            step.domain.clone_from(&capability.domain);
            step.capability.clone_from(&capability.name);
            step.contract_digest.clone_from(&capability.contract_digest);
            Some(Arc::clone(capability))
        }
        Err(unresolved) => {
            report(step, position, &unresolved, catalog, findings);
            None
        }
    }
}

fn report(
    step: &ExecutionStep,
    position: usize,
    unresolved: &Unresolved,
    catalog: &Catalog,
    findings: &mut Findings,
) {
    let (field, rule, suggestion) = match unresolved {
        Unresolved::NotFound { nearest, .. } => {
            let known_domain = step.domain.is_empty() || catalog.has_domain(&step.domain);
            let field = if known_domain { "capability" } else { "domain" };
            let suggestion =
                nearest.iter().find_map(|full| as_written(full, &step.domain, known_domain, catalog));
            (field, Rule::UnknownCapability, suggestion)
        }
        // Which of them is meant, nobody knows; the message names them all.
        Unresolved::Ambiguous { .. } => ("capability", Rule::AmbiguousCapability, None),
        Unresolved::ContractChanged { offered, .. } => {
            ("contract_digest", Rule::ContractChanged, offered.first().cloned())
        }
    };
    let path = format!("steps[{position}].{field}");
    let at = At::step(position, &step.id, &path);
    findings.suggest(at, rule, unresolved.to_string(), suggestion.unwrap_or_default());
}

/// A full name as it would stand where the step is wrong: a domain, a bare name where that is enough, or the full name.
/// `None` where that place alone would not mend it.
fn as_written(full: &str, domain: &str, known_domain: bool, catalog: &Catalog) -> Option<String> {
    let (home, name) = full.split_once('.')?;
    if !known_domain {
        return Some(home.to_owned());
    }
    if domain.is_empty() {
        let enough = catalog.resolve("", name, "").is_ok();
        return Some(if enough { name.to_owned() } else { full.to_owned() });
    }
    (domain == home).then(|| name.to_owned())
}
