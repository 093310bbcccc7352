//! `convoke call`: one capability, its parameters as JSON.

use convoke_proto::v1::{InvokeRequest, InvokeResponse};

use crate::args;
use crate::exit::{Ending, Exit, Failure};
use crate::mesh::{self, Client};
use crate::output::{Printer, record};
use crate::parameters;

pub(crate) async fn run(args: args::Call, printer: &Printer) -> Ending {
    let request = InvokeRequest {
        parameters: Some(parameters::read(&args.parameters)?),
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
    let in_domain = InvokeRequest { domain: domain.to_owned(), capability: capability.to_owned(), ..request };
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
