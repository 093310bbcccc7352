//! `convoke capabilities`: what the mesh can do.

use convoke_proto::v1::{CapabilityInfo, ListCapabilitiesRequest, ListCapabilitiesResponse};

use crate::args;
use crate::commands::agents::PAGE_SIZE;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, table};

pub(crate) async fn run(args: args::Capabilities, printer: &Printer) -> Ending {
    let detail = args.name.is_some();
    let request = ListCapabilitiesRequest {
        domain: args.domain,
        name: args.name.unwrap_or_default(),
        page_size: PAGE_SIZE,
        page_token: String::new(),
    };
    mesh::on(&args.mesh, async |client| {
        let capabilities = list(client, request).await?;
        if printer.is_json() {
            let response = ListCapabilitiesResponse { capabilities, next_page_token: String::new() };
            printer.message("convoke.v1.ListCapabilitiesResponse", &response)?;
        } else if capabilities.is_empty() {
            printer.text("no agent that serves is registered, so the mesh can do nothing")?;
        } else if detail {
            for capability in &capabilities {
                printer.text(&describe(capability))?;
            }
        } else {
            let rows: Vec<_> = capabilities.iter().map(row).collect();
            printer.text(&table::render(
                ["CAPABILITY", "VERSION", "EFFECTS", "HEALTHY", "DESCRIPTION"],
                &rows,
            ))?;
        }
        Ok(Exit::Success)
    })
    .await
}

async fn list(
    mut client: Client,
    mut request: ListCapabilitiesRequest,
) -> Result<Vec<CapabilityInfo>, Failure> {
    let mut capabilities = Vec::new();
    loop {
        let page = client.list_capabilities(request.clone()).await?.into_inner();
        capabilities.extend(page.capabilities);
        if page.next_page_token.is_empty() {
            return Ok(capabilities);
        }
        request.page_token = page.next_page_token;
    }
}

fn row(info: &CapabilityInfo) -> [String; 5] {
    let capability = info.capability.clone().unwrap_or_default();
    let effects = capability.effects().as_str_name().to_owned();
    let name = format!("{}.{}", info.domain, capability.name);
    let healthy = info.healthy_instances.to_string();
    let first_line = capability.description.lines().next().unwrap_or_default().to_owned();
    [name, info.version.clone(), effects, healthy, first_line]
}

fn describe(info: &CapabilityInfo) -> String {
    let capability = info.capability.clone().unwrap_or_default();
    format!(
        "{}.{} {}\n{}\neffects   {}\nmethod    {}\ncontract  {}\nhealthy   {}\ninput     {}\noutput    {}",
        info.domain,
        capability.name,
        info.version,
        capability.description,
        capability.effects().as_str_name(),
        capability.method,
        info.contract_digest,
        info.healthy_instances,
        pretty(&info.input_schema),
        pretty(&info.output_schema)
    )
}

fn pretty(schema: &str) -> String {
    serde_json::from_str::<serde_json::Value>(schema)
        .map_or_else(|_| schema.to_owned(), |schema| format!("{schema:#}"))
}
