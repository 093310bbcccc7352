//! ListAgents and ListCapabilities: what the mesh consists of and what it can do, in pages.

use std::sync::Arc;

use convoke_catalog::{Capability, Instance};
use convoke_proto::v1;
use convoke_proto::v1::agent_info::Health;
use tonic::Status;

use super::Doors;
use crate::doors::paging::Page;
use crate::doors::refuse;

/// Every instance that the registry holds, by domain and id; those that are not served with the reason.
pub(super) fn agents(doors: &Doors, asked: &v1::ListAgentsRequest) -> Result<v1::ListAgentsResponse, Status> {
    let v1::ListAgentsRequest { domain, page_size, page_token } = asked;
    let page = Page::read("ListAgents", &[domain], *page_size, page_token)?;
    let catalog = doors.live.load();
    let known = catalog.agents().map(|instance| Agent::Known(Arc::clone(instance)));
    let unreadable =
        doors.roster.invalid().into_iter().map(|(record, reason)| Agent::Unreadable(record, reason));
    let agents = known
        .chain(unreadable)
        .filter(|agent| domain.is_empty() || agent.domain() == domain)
        .map(|agent| (format!("{}\0{}", agent.domain(), agent.id()), agent))
        .collect();
    let (agents, next_page_token) = page.cut(agents, |agent| agent.info(doors));
    Ok(v1::ListAgentsResponse { agents, next_page_token })
}

/// Every capability that an instance offers, by domain and name. With a `name`, also its schemas; a name that nobody
/// offers is NOT_FOUND with the nearest ones.
pub(super) fn capabilities(
    doors: &Doors,
    asked: &v1::ListCapabilitiesRequest,
) -> Result<v1::ListCapabilitiesResponse, Status> {
    let v1::ListCapabilitiesRequest { domain, name, page_size, page_token } = asked;
    let page = Page::read("ListCapabilities", &[domain, name], *page_size, page_token)?;
    let catalog = doors.live.load();
    let wanted = |capability: &&Arc<Capability>| {
        (domain.is_empty() || capability.domain == *domain) && is_named(capability, domain, name)
    };
    let capabilities: Vec<_> = catalog
        .capabilities()
        .filter(wanted)
        .map(|capability| {
            let Capability { contract, .. } = &**capability;
            let version = sortable(&contract.version);
            let key =
                format!("{}\0{}\0{version}\0{}", contract.domain, contract.name, contract.contract_digest);
            (key, Arc::clone(capability))
        })
        .collect();
    if capabilities.is_empty()
        && !name.is_empty()
        && let Err(unresolved) = catalog.resolve(domain, name, "")
    {
        return Err(refuse::unresolved(&unresolved));
    }
    let (capabilities, next_page_token) =
        page.cut(capabilities, |capability| info(&capability, !name.is_empty()));
    Ok(v1::ListCapabilitiesResponse { capabilities, next_page_token })
}

/// An empty name is every name; without a domain, a name may be `domain.capability`.
fn is_named(capability: &Capability, domain: &str, name: &str) -> bool {
    let in_full = || {
        let rest = name.strip_prefix(&capability.domain).and_then(|rest| rest.strip_prefix('.'));
        domain.is_empty() && rest == Some(&capability.name)
    };
    name.is_empty() || capability.name == name || in_full()
}

/// A version as text that sorts as its numbers do: 1.10 after 1.9.
fn sortable(version: &str) -> String {
    let number = |part: &str| format!("{part:0>20}");
    version.split('.').map(number).collect::<Vec<_>>().join(".")
}

fn info(capability: &Capability, with_schemas: bool) -> v1::CapabilityInfo {
    let schema = |schema: &convoke_schema::Schema| match with_schemas {
        true => schema.describe().to_string(),
        false => String::new(),
    };
    v1::CapabilityInfo {
        domain: capability.domain.clone(),
        version: capability.version.clone(),
        capability: Some(capability.spec.clone()),
        contract_digest: capability.contract_digest.clone(),
        input_schema: schema(&capability.input),
        output_schema: schema(&capability.output),
        healthy_instances: u32::try_from(capability.healthy().count()).unwrap_or(u32::MAX),
    }
}

/// An instance as it is listed.
enum Agent {
    Known(Arc<Instance>),
    /// It stands in the registry and cannot be read.
    Unreadable(Arc<v1::Instance>, String),
}

// === impl Agent ===

impl Agent {
    fn domain(&self) -> &str {
        match self {
            Self::Known(instance) => &instance.domain,
            Self::Unreadable(record, _) => &record.domain,
        }
    }

    fn id(&self) -> &str {
        match self {
            Self::Known(instance) => &instance.id,
            Self::Unreadable(record, _) => &record.id,
        }
    }

    fn info(self, doors: &Doors) -> v1::AgentInfo {
        let (record, health, reason) = match self {
            Self::Unreadable(record, reason) => (Arc::unwrap_or_clone(record), Health::Quarantined, reason),
            Self::Known(instance) => match (&instance.quarantined, instance.healthy) {
                (Some(reason), _) => (instance.to_proto(), Health::Quarantined, reason.clone()),
                (None, true) => (instance.to_proto(), Health::Healthy, String::new()),
                (None, false) => {
                    let reason = doors.roster.unhealthy(&instance.id).unwrap_or_default();
                    (instance.to_proto(), Health::Unhealthy, reason)
                }
            },
        };
        v1::AgentInfo { instance: Some(record), health: health.into(), reason }
    }
}
