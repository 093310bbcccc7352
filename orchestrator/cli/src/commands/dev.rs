//! `convoke dev`: the whole mesh in one process.

use std::net::{SocketAddr, TcpListener};

use convoke_proto::v1::AskRequest;
use serde_json::json;

use crate::args;
use crate::commands::ask;
use crate::commands::serve::asked_to_end;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{Embedded, Mesh, free_port};
use crate::output::Printer;

/// Where other commands look for a mesh.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7400);

pub(crate) async fn run(args: args::Dev, printer: &Printer) -> Ending {
    match args.sentence {
        Some(sentence) => answer(sentence, printer).await,
        None => stay_up(printer).await,
    }
}

async fn answer(sentence: String, printer: &Printer) -> Ending {
    let mesh = Mesh::embed(free_port()).await?;
    let request = AskRequest { input_text: sentence, ..AskRequest::default() };
    let ending = ask::ask(mesh.client(), request, printer).await;
    mesh.end().await.map_err(Failure::Other)?;
    ending
}

async fn stay_up(printer: &Printer) -> Ending {
    let listen = if TcpListener::bind(USUAL).is_ok() { USUAL } else { free_port() };
    let mesh = Mesh::embed(listen).await?;
    if let Some(embedded) = mesh.embedded() {
        announce(embedded, printer)?;
    }
    asked_to_end().await;
    mesh.end().await.map_err(Failure::Other)?;
    Ok(Exit::Success)
}

fn announce(mesh: &Embedded, printer: &Printer) -> std::io::Result<()> {
    let address = mesh.address();
    if printer.is_json() {
        let agents: Vec<_> = mesh
            .agents()
            .map(|(domain, endpoint)| json!({ "domain": domain, "endpoint": endpoint }))
            .collect();
        return printer.document(&json!({ "listen": address.to_string(), "agents": agents }));
    }
    let to = if address == USUAL { String::new() } else { format!(" --to {address}") };
    let agents: Vec<_> =
        mesh.agents().map(|(domain, endpoint)| format!("  {domain} agent at {endpoint}\n")).collect();
    printer.text(&format!(
        "listening on {address}\n{}\nTry, in another terminal:\n  \
         convoke ask{to} \"Convert 250 Euro to yen\"\n  \
         convoke capabilities{to}\n  \
         grpcurl -plaintext {address} list\n\nCtrl-C ends it.",
        agents.concat()
    ))
}
