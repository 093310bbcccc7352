//! A domain agent: currency conversion over the reference rates of the European Central Bank.
//!
//! ```text
//! request ─ text of a currency ─► names ─► code(s) ─┐
//!         └ text of a date ─────► rates ────────────┴─► quote (rate, row's date) ─► answer
//! ```
//!
//! [`rates`] is the shipped history, [`names`] what people call its currencies, [`quote`] puts the two together and
//! [`service`] is the gRPC face. The data is a dated snapshot (`data/README.md`): every answer states the date of the
//! row it used. The agent does not fetch, interpolate or invent a rate.

pub mod error;
pub mod names;
pub mod quote;
pub mod rates;
pub mod service;
mod wording;

/// Generated from `proto/currency.proto`.
pub mod proto {
    convoke_sdk::include_proto!("currency.v1");
}

use convoke_sdk::Agent;

/// The agent, ready to start.
///
/// # Errors
/// None with the data that is shipped.
pub fn agent() -> Result<Agent, quote::DataError> {
    let service = service::Service::new()?;
    Ok(Agent::new(proto::FILE_DESCRIPTOR_SET)
        .add_service(proto::currency_server::CurrencyServer::new(service)))
}
