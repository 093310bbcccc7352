//! `convoke agents`: who is registered.

use convoke_proto::v1::{AgentInfo, ListAgentsRequest, ListAgentsResponse};

use crate::args;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, table};

/// The largest page that a door gives.
pub(crate) const PAGE_SIZE: i32 = 500;

pub(crate) async fn run(args: args::Agents, printer: &Printer) -> Ending {
    mesh::on(&args.mesh, async |client| {
        let agents = list(client, args.domain).await?;
        if printer.is_json() {
            let response = ListAgentsResponse { agents, next_page_token: String::new() };
            printer.message("convoke.v1.ListAgentsResponse", &response)?;
        } else if agents.is_empty() {
            printer.text("no agent is registered")?;
        } else {
            let rows: Vec<_> = agents.iter().map(row).collect();
            printer
                .text(&table::render(["ID", "DOMAIN", "VERSION", "ENDPOINT", "STATE", "HEALTH"], &rows))?;
        }
        Ok(Exit::Success)
    })
    .await
}

async fn list(mut client: Client, domain: String) -> Result<Vec<AgentInfo>, Failure> {
    let mut agents = Vec::new();
    let mut request = ListAgentsRequest { domain, page_size: PAGE_SIZE, page_token: String::new() };
    loop {
        let page = client.list_agents(request.clone()).await?.into_inner();
        agents.extend(page.agents);
        if page.next_page_token.is_empty() {
            return Ok(agents);
        }
        request.page_token = page.next_page_token;
    }
}

fn row(agent: &AgentInfo) -> [String; 6] {
    let instance = agent.instance.clone().unwrap_or_default();
    let mut health = agent.health().as_str_name().to_owned();
    if !agent.reason.is_empty() {
        health = format!("{health}: {}", agent.reason);
    }
    let state = instance.state().as_str_name().to_owned();
    [instance.id, instance.domain, instance.version, instance.endpoint, state, health]
}
