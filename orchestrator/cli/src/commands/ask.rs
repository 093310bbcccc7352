//! `convoke ask`: a sentence in, the answer out.

use anyhow::anyhow;
use convoke_proto::v1::{AskRequest, AskResponse, AskStreamRequest, ask_stream_response::Kind};

use crate::args;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, record};

pub(crate) async fn run(args: args::Ask, printer: &Printer) -> Ending {
    let request = AskRequest {
        input_text: args.sentence,
        locale: args.locale,
        session_id: args.session,
        timeout: args.timeout.as_proto(),
        ..AskRequest::default()
    };
    mesh::on(&args.mesh, async |client| ask(client, request, printer).await).await
}

/// Asks, printing the response as JSON, or each thing as it happens and then the answer.
pub(crate) async fn ask(mut client: Client, request: AskRequest, printer: &Printer) -> Ending {
    if printer.is_json() {
        let response = client.ask(request).await?.into_inner();
        printer.message("convoke.v1.AskResponse", &response)?;
        return Ok(Exit::of_output(response.output.as_ref()));
    }
    let request = AskStreamRequest { ask: Some(request) };
    let mut stream = client.ask_stream(request).await?.into_inner();
    while let Some(message) = stream.message().await? {
        match message.kind {
            Some(Kind::Event(event)) => printer.event(&event)?,
            Some(Kind::Response(response)) => return answer(&response, printer),
            None => {}
        }
    }
    Err(Failure::Other(anyhow!("the mesh closed the stream before it answered")))
}

fn answer(response: &AskResponse, printer: &Printer) -> Ending {
    // Where nothing was planned, no event has shown what was understood.
    if response.plan.is_none() {
        let intent = record::intent(response.intent.as_ref());
        if !intent.is_empty() {
            printer.text(&intent)?;
        }
    }
    printer.answer(response.output.as_ref())
}
