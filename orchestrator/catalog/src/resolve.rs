//! From a name to the capability that a call goes to.

use std::sync::Arc;

use convoke_proto::error;
use convoke_proto::v1;

use crate::view::View;
use crate::{Capability, Catalog, nearest};

/// Why a name leads nowhere, with what may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// Nobody offers it now.
    #[error("no capability {name:?} is offered{}", did_you_mean(nearest))]
    NotFound {
        /// As it was asked for: `capability` or `domain.capability`.
        name: String,
        /// Names that exist and may have been meant, as `domain.capability`, the likeliest first.
        nearest: Vec<String>,
        /// The nearest names that exist where none is alike.
        offered: Vec<String>,
    },
    /// Several domains offer a capability of that name.
    #[error("several domains offer {name:?}: {}", candidates.join(", "))]
    Ambiguous {
        /// The bare name.
        name: String,
        /// All of them, as `domain.capability`.
        candidates: Vec<String>,
    },
    /// The capability is offered, but not under the contract that the caller was bound to.
    #[error("{name:?} is no longer offered as {wanted}")]
    ContractChanged {
        /// `domain.capability`.
        name: String,
        /// The digest that was asked for.
        wanted: String,
        /// The digests on offer; an unbound call takes the first.
        offered: Vec<String>,
    },
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; nearest: {}", nearest.join(", ")) }
}

// === impl Unresolved ===

impl Unresolved {
    /// The error for a caller: nothing was started, and the candidates stand in the details.
    pub fn to_tool_error(&self) -> v1::ToolError {
        let (code, candidates) = match self {
            Self::NotFound { nearest, offered, .. } => {
                (error::CAPABILITY_NOT_FOUND, if nearest.is_empty() { offered } else { nearest })
            }
            Self::Ambiguous { candidates, .. } => (error::CAPABILITY_AMBIGUOUS, candidates),
            Self::ContractChanged { offered, .. } => (error::CONTRACT_CHANGED, offered),
        };
        let names = candidates.iter().map(String::as_str);
        let mut error = error::with_candidates(error::own(code, self.to_string()), names);
        error.set_outcome(v1::tool_error::Outcome::NotStarted);
        error
    }
}

// === impl Catalog ===

impl Catalog {
    /// Finds the capability that a call goes to.
    ///
    /// An empty `domain` is any domain, as long as one alone offers the name; the name may then also be written
    /// `domain.capability`. An empty `digest` takes the highest healthy version.
    ///
    /// # Errors
    /// [`Unresolved`], with the names that exist.
    pub fn resolve(
        &self,
        domain: &str,
        capability: &str,
        digest: &str,
    ) -> Result<&Arc<Capability>, Unresolved> {
        let (home, offered) = self.find(domain, capability)?;
        let bound = match digest {
            "" => offered.first(),
            _ => offered.iter().find(|known| known.contract_digest == digest),
        };
        bound.ok_or_else(|| Unresolved::ContractChanged {
            name: home,
            wanted: digest.to_owned(),
            offered: offered.iter().map(|known| known.contract_digest.clone()).collect(),
        })
    }

    /// The contracts offered under a name, and the name in full.
    fn find(&self, domain: &str, capability: &str) -> Result<(String, &[Arc<Capability>]), Unresolved> {
        let mut homes: Vec<(&str, &str)> = Vec::new();
        if domain.is_empty() {
            let bare = self.names.get(capability).into_iter().flatten();
            homes.extend(bare.map(|home| (&**home, capability)));
            homes.extend(capability.split_once('.'));
        } else {
            homes.push((domain, capability));
        }
        let mut found = homes.into_iter().filter_map(|(home, name)| {
            let view: &View = self.domains.get(home)?;
            Some((home, name, view.capabilities.get(name)?.as_slice()))
        });
        match (found.next(), found.next()) {
            (None, _) => Err(self.not_found(domain, capability)),
            (Some((home, name, offered)), None) => Ok((format!("{home}.{name}"), offered)),
            (Some(first), Some(second)) => {
                let all = [first, second].into_iter().chain(found);
                let candidates = all.map(|(home, name, _)| format!("{home}.{name}")).collect();
                Err(Unresolved::Ambiguous { name: shortened(capability), candidates })
            }
        }
    }

    fn not_found(&self, domain: &str, capability: &str) -> Unresolved {
        let (domain, bare) = match capability.split_once('.') {
            Some((home, name)) if domain.is_empty() => (home, name),
            _ => (domain, capability),
        };
        let mut nearest = nearest::alike(self, domain, bare);
        if nearest.is_empty() && bare != capability {
            nearest = nearest::alike(self, "", capability);
        }
        let offered = if nearest.is_empty() { nearest::offered(self, domain, bare) } else { Vec::new() };
        let name = if domain.is_empty() { shortened(bare) } else { shortened(&format!("{domain}.{bare}")) };
        Unresolved::NotFound { name, nearest, offered }
    }
}

/// A name that the caller wrote, short enough to be said back.
fn shortened(name: &str) -> String {
    const SAID_BACK: usize = 130;
    name.chars().take(SAID_BACK).collect()
}
