//! `convoke verify` and `convoke run`: a plan from a file, checked, and for `run` executed.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{
    CoercionReport, ExecutePlanRequest, ExecutePlanStreamRequest, ExecutionPlan, ToolError, VerifyRequest,
    VerifyResponse, execute_plan_stream_response::Kind,
};

use crate::args;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, record};

/// The largest plan that is read: what a door takes in one message.
const MAX_PLAN: u64 = 4 << 20;

pub(crate) async fn verify(args: args::PlanFile, printer: &Printer) -> Ending {
    let plan = read(&args.plan)?;
    mesh::on(&args.mesh, async |mut client| {
        let response = client.verify(VerifyRequest { plan: Some(plan) }).await?.into_inner();
        if printer.is_json() {
            printer.message("convoke.v1.VerifyResponse", &response)?;
        } else {
            printer.text(&verdict(&response))?;
        }
        Ok(Exit::of_report(response.plan_report.as_ref()))
    })
    .await
}

pub(crate) async fn run(args: args::Run, printer: &Printer) -> Ending {
    let request = ExecutePlanRequest {
        plan: Some(read(&args.file.plan)?),
        timeout: args.timeout.as_proto(),
        ..ExecutePlanRequest::default()
    };
    mesh::on(&args.file.mesh, async |client| execute(client, request, printer).await).await
}

async fn execute(mut client: Client, request: ExecutePlanRequest, printer: &Printer) -> Ending {
    if printer.is_json() {
        let response = client.execute_plan(request).await?.into_inner();
        printer.message("convoke.v1.ExecutePlanResponse", &response)?;
        return Ok(Exit::of_output(response.output.as_ref()));
    }
    let request = ExecutePlanStreamRequest { execute: Some(request) };
    let mut stream = client.execute_plan_stream(request).await?.into_inner();
    while let Some(message) = stream.message().await? {
        match message.kind {
            Some(Kind::Event(event)) => printer.event(&event)?,
            Some(Kind::Response(response)) => return printer.answer(response.output.as_ref()),
            None => {}
        }
    }
    Err(Failure::Other(anyhow!("the mesh closed the stream before it answered")))
}

fn verdict(response: &VerifyResponse) -> String {
    let findings = response.plan_report.as_ref().map(record::findings).unwrap_or_default();
    let plan = response.plan.as_ref().map(record::plan).unwrap_or_default();
    match Exit::of_report(response.plan_report.as_ref()) {
        Exit::Success if findings.is_empty() => format!("{plan}\nThe plan is well typed."),
        Exit::Success => format!("{plan}\n{findings}\nThe plan is well typed."),
        _ => format!("{findings}\nThe plan is refused; nothing was called."),
    }
}

fn read(path: &Path) -> Result<ExecutionPlan, Failure> {
    let text = read_bytes(path)
        .with_context(|| format!("the plan {} cannot be read", path.display()))
        .map_err(Failure::Usage)?;
    convoke_plan::parse(&text).map_err(|report| Failure::tool(malformed(path, report)))
}

fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().lock().take(MAX_PLAN + 1).read_to_end(&mut text)?;
    } else {
        std::fs::File::open(path)?.take(MAX_PLAN + 1).read_to_end(&mut text)?;
    }
    anyhow::ensure!(text.len() as u64 <= MAX_PLAN, "it is larger than 4 MiB");
    Ok(text)
}

fn malformed(path: &Path, report: CoercionReport) -> ToolError {
    ToolError {
        code: "PLAN_INVALID".to_owned(),
        message: format!("{} is no plan", path.display()),
        category: Category::InputError.into(),
        retryable: Some(true),
        outcome: Outcome::NotStarted.into(),
        field_violations: report.violations,
        ..ToolError::default()
    }
}
