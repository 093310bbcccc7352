//! `convoke plan`: the plan that a sentence becomes.

use convoke_proto::v1::{PlanRequest, PlanResponse};

use crate::args;
use crate::exit::{Ending, Exit};
use crate::mesh;
use crate::output::{Printer, record};

pub(crate) async fn run(args: args::Plan, printer: &Printer) -> Ending {
    let request = PlanRequest { input_text: args.sentence, locale: args.locale, ..PlanRequest::default() };
    mesh::on(&args.mesh, async |mut client| {
        let response = client.plan(request).await?.into_inner();
        if printer.is_json() {
            printer.message("convoke.v1.PlanResponse", &response)?;
        } else {
            print(&response, printer)?;
        }
        Ok(exit(&response))
    })
    .await
}

fn print(response: &PlanResponse, printer: &Printer) -> std::io::Result<()> {
    let parts = [
        record::intent(response.intent.as_ref()),
        response.plan.as_ref().map(record::plan).unwrap_or_default(),
        response.plan_report.as_ref().map(record::findings).unwrap_or_default(),
        response.clarification.as_ref().map(record::clarification).unwrap_or_default(),
    ];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        printer.text(part)?;
    }
    Ok(())
}

fn exit(response: &PlanResponse) -> Exit {
    if response.clarification.is_some() {
        Exit::Clarification
    } else {
        Exit::of_report(response.plan_report.as_ref())
    }
}
