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
