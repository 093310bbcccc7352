//! What an agent can do, read off the annotations of its own proto files, and checked.
//!
//! ```text
//! Descriptors ─annotations─► Draft ─rules─► v1::Manifest
//!                            Draft ◄─ a manifest that came ready-made
//! ```
//!
//! All mistakes are reported at once, each at the method and option where it was made:
//! `Units.ConvertUnits(capability).cache_ttl`. An option that would change a call and that this version does not
//! build is refused with `NOT_SERVED`; texts, tags, units and examples change no call.
//!
//! What the options on fields mean (bounds, defaults, roles) is not judged here: `convoke-schema` compiles them when
//! the manifest is admitted to the catalog.

mod annotations;
mod capability;
mod domain;
mod goal;
mod mistakes;
mod types;

use std::collections::BTreeMap;

use prost_reflect::DescriptorPool;

use self::mistakes::Mistakes;
use crate::{
    descriptors::Descriptors,
    v1::{Manifest, Violation, capability::Effects},
};

/// Most capabilities, and most goals, of one agent.
const MOST_DECLARED: usize = 1000;

/// The manifest that the annotations declare, names and types filled in.
///
/// # Errors
/// Every mistake in the annotations.
pub fn read(descriptors: &Descriptors) -> Result<Manifest, Vec<Violation>> {
    let mut mistakes = Mistakes::default();
    let mut draft = annotations::read(descriptors.pool(), &mut mistakes);
    descriptors.digest().clone_into(&mut draft.manifest.descriptors_digest);
    judge(&draft, descriptors.pool(), &mut mistakes);
    mistakes.or(draft.manifest)
}

/// Whether a manifest that came ready-made keeps the rules and agrees with the descriptors.
///
/// `descriptors_digest` may be empty, or that of the bytes as they came or as they are kept.
///
/// # Errors
/// Every mistake in the manifest.
pub fn check(manifest: &Manifest, descriptors: &Descriptors) -> Result<(), Vec<Violation>> {
    let mut mistakes = Mistakes::default();
    let digest = manifest.descriptors_digest.as_str();
    if !["", descriptors.digest(), descriptors.given_digest()].contains(&digest) {
        mistakes.format("descriptors_digest", "the SHA-256 of the descriptors, in lower-case hexadecimal");
    }
    judge(&Draft::ready_made(manifest.clone()), descriptors.pool(), &mut mistakes);
    mistakes.or(())
}

/// [`check`], and then the manifest as it is kept: with the digest of the kept descriptors, and effects and entities
/// filled in where they were left open.
///
/// # Errors
/// Every mistake in the manifest.
pub fn adopt(mut manifest: Manifest, descriptors: &Descriptors) -> Result<Manifest, Vec<Violation>> {
    let inputs: BTreeMap<&str, &str> =
        manifest.capabilities.iter().map(|capability| (&*capability.name, &*capability.input_type)).collect();
    for goal in manifest.goals.iter_mut().filter(|goal| goal.entities_type.is_empty()) {
        goal.entities_type =
            inputs.get(&*goal.capability).map(|input| (*input).to_owned()).unwrap_or_default();
    }
    check(&manifest, descriptors)?;
    for capability in &mut manifest.capabilities {
        if capability.effects() == Effects::Unspecified
            && let Some(method) = capability::method(descriptors.pool(), &capability.method)
        {
            capability.set_effects(annotations::effects(&method));
        }
    }
    descriptors.digest().clone_into(&mut manifest.descriptors_digest);
    Ok(manifest)
}

/// A manifest that is not judged yet, and where each of its parts was declared.
#[derive(Debug, Default)]
struct Draft {
    manifest: Manifest,
    domain_path: String,
    /// One for each capability, in order.
    capability_paths: Vec<String>,
    /// One for each goal, in order.
    goal_paths: Vec<String>,
}

// === impl Draft ===

impl Draft {
    fn ready_made(manifest: Manifest) -> Self {
        let path = |(i, method): (usize, &str)| match annotations::short(method) {
            Some(method) => format!("{method}(capability)"),
            None => format!("capabilities[{i}]"),
        };
        Self {
            domain_path: "domain".to_owned(),
            capability_paths: manifest
                .capabilities
                .iter()
                .map(|c| &*c.method)
                .enumerate()
                .map(path)
                .collect(),
            goal_paths: (0..manifest.goals.len()).map(|i| format!("goals[{i}]")).collect(),
            manifest,
        }
    }
}

fn judge(draft: &Draft, pool: &DescriptorPool, mistakes: &mut Mistakes) {
    let Manifest { capabilities, goals, .. } = &draft.manifest;
    for (path, declared) in [("capabilities", capabilities.len()), ("goals", goals.len())] {
        if declared > MOST_DECLARED {
            return mistakes.too_large(path, format!("at most {MOST_DECLARED}"));
        }
    }
    domain::judge(draft, mistakes);
    capability::judge(draft, pool, mistakes);
    goal::judge(draft, pool, mistakes);
    types::judge(draft, pool, mistakes);
}
