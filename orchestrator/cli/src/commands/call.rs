//! `convoke call`: one capability, its parameters as JSON.

use std::io::Read as _;

use convoke_proto::v1::tool_error::{Category, Outcome};
use convoke_proto::v1::{InvokeRequest, InvokeResponse, ToolError, Violation, violation};
use convoke_schema::Value;
use prost_types::Struct;

use crate::args;
use crate::commands::Ending;
use crate::exit::{Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, record};

/// The largest parameters that are read: what a door takes in one message.
const MAX_PARAMETERS: u64 = 4 << 20;

pub(crate) async fn run(args: args::Call, printer: &Printer) -> Ending {
    let request = InvokeRequest {
        parameters: Some(parameters(&args.parameters)?),
        timeout: args.timeout.as_proto(),
        ..InvokeRequest::default()
    };
    mesh::on(&args.mesh, async |client| {
        let response = invoke(client, request, &args.capability).await?;
        if printer.is_json() {
            printer.message("convoke.v1.InvokeResponse", &response)?;
            return Ok(Exit::of_output(response.output.as_ref()));
        }
        if let Some(step) = &response.step {
            printer.text(&record::step(step))?;
        }
        printer.answer(response.output.as_ref())
    })
    .await
}

/// Calls `name`. Names of capabilities may hold dots, so `a.b` is first read as capability `b` of domain `a` and, when
/// there is none, as the capability `a.b`; that the mesh knows no such name means that nothing was called.
async fn invoke(mut client: Client, request: InvokeRequest, name: &str) -> Result<InvokeResponse, Failure> {
    let Some((domain, capability)) = name.split_once('.') else {
        let request = InvokeRequest { capability: name.to_owned(), ..request };
        return Ok(client.invoke(request).await?.into_inner());
    };
    let bare = InvokeRequest { capability: name.to_owned(), ..request.clone() };
    let in_domain =
        InvokeRequest { domain: domain.to_owned(), capability: capability.to_owned(), ..request };
    match client.invoke(in_domain).await {
        Ok(response) => Ok(response.into_inner()),
        Err(refusal) => {
            let failure = Failure::from(refusal);
            if !is_unknown(&failure) {
                return Err(failure);
            }
            match client.invoke(bare).await.map_err(Failure::from) {
                Ok(response) => Ok(response.into_inner()),
                Err(second) if is_unknown(&second) => Err(failure),
                Err(second) => Err(second),
            }
        }
    }
}

fn is_unknown(failure: &Failure) -> bool {
    matches!(failure, Failure::Tool { error, .. } if error.code == "CAPABILITY_NOT_FOUND")
}

/// Reads a JSON object into the Struct that travels. What a Struct cannot carry is refused here, before it is lost.
fn parameters(text: &str) -> Result<Struct, Failure> {
    let mut stdin = Vec::new();
    let bytes = if text == "-" {
        std::io::stdin().lock().take(MAX_PARAMETERS + 1).read_to_end(&mut stdin)?;
        stdin.as_slice()
    } else {
        text.as_bytes()
    };
    if bytes.len() as u64 > MAX_PARAMETERS {
        return Err(refused(vec![too_large()]));
    }
    let value = Value::parse(bytes).map_err(|error| refused(vec![error.into()]))?;
    value.into_struct().map_err(refused)
}

fn refused(field_violations: Vec<Violation>) -> Failure {
    Failure::tool(ToolError {
        code: "PARAMETERS_INVALID".to_owned(),
        message: "the parameters are not a JSON object that can be sent".to_owned(),
        category: Category::InputError.into(),
        outcome: Outcome::NotStarted.into(),
        field_violations,
        ..ToolError::default()
    })
}

fn too_large() -> Violation {
    Violation {
        rule: violation::Rule::TooLarge.into(),
        expected: "at most 4 MiB of JSON".to_owned(),
        ..Violation::default()
    }
}
