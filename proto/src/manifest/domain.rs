//! The rules of `(domain)`.

use super::{Draft, Mistakes};
use crate::names;

pub(super) fn judge(draft: &Draft, mistakes: &mut Mistakes) {
    let path = &draft.domain_path;
    let Some(domain) = &draft.manifest.domain else {
        // Without a capability that is the one mistake to tell.
        if !draft.manifest.capabilities.is_empty() && path == "domain" {
            mistakes.missing(path, "a domain");
        }
        return;
    };
    if !names::valid_domain(&domain.name) {
        mistakes.format(format!("{path}.name"), "a name like [a-z][a-z0-9-]{0,62}");
    }
    if !domain.version.is_empty() && !names::valid_version(&domain.version) {
        mistakes.format(format!("{path}.version"), "a semantic version like 1.4.0");
    }
    if !domain.default_capability.is_empty() {
        mistakes.not_served(format!("{path}.default_capability"));
    }
    if domain.gate_exempt {
        mistakes.not_served(format!("{path}.gate_exempt"));
    }
}
