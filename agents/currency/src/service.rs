//! The gRPC face: requests in, answers or statuses out. No rate is decided here.

use convoke_sdk::tonic::{Request, Response, Status};
use convoke_sdk::v1::tool_error::Outcome;
use convoke_sdk::{Clarification, ToolError};

use crate::error::Error;
use crate::proto::currency_server::Currency;
use crate::proto::{
    ConvertCurrencyRequest, ConvertCurrencyResponse, GetRateRequest, GetRateResponse, ListCurrenciesRequest,
    ListCurrenciesResponse, list_currencies_response::Entry,
};
use crate::quote::{DataError, Query, Quotes};
use crate::{rates, wording};

/// Amounts beyond it are refused, as the proto says: a product with any rate stays finite and exact to the cent.
const MAX_AMOUNT: f64 = 1e15;

/// How much of a caller's text is repeated in an error.
const MAX_ECHO: usize = 100;

/// Answers the RPCs of `currency.v1.Currency`.
#[derive(Debug)]
pub struct Service {
    quotes: Quotes,
}

// === impl Service ===

impl Service {
    /// Reads the shipped data.
    ///
    /// # Errors
    /// None with the files that are shipped.
    pub fn new() -> Result<Self, DataError> {
        Ok(Self { quotes: Quotes::shipped()? })
    }

    fn convert(&self, request: &ConvertCurrencyRequest) -> Result<ConvertCurrencyResponse, Error> {
        let ConvertCurrencyRequest { amount, from, to, date } = request;
        if !amount.is_finite() || amount.abs() > MAX_AMOUNT {
            return Err(Error::BadAmount { amount: *amount });
        }
        let quote = self.quotes.quote(Query { from, to, date })?;
        let rates = &self.quotes.rates;
        let result = amount * quote.rate.value;
        Ok(ConvertCurrencyResponse {
            amount: result,
            rate: quote.rate.value,
            date: quote.rate.date.to_string(),
            from: rates.code(quote.from).to_owned(),
            to: rates.code(quote.to).to_owned(),
            source_amount: *amount,
            explanation: wording::converted(rates, &quote, *amount, result),
        })
    }

    fn rate(&self, request: &GetRateRequest) -> Result<GetRateResponse, Error> {
        let GetRateRequest { from, to, date } = request;
        // The default that the proto declares, for a caller who comes without the orchestrator.
        let from = if from.trim().is_empty() { rates::BASE } else { from };
        let quote = self.quotes.quote(Query { from, to, date })?;
        let rates = &self.quotes.rates;
        Ok(GetRateResponse {
            rate: quote.rate.value,
            date: quote.rate.date.to_string(),
            from: rates.code(quote.from).to_owned(),
            to: rates.code(quote.to).to_owned(),
            explanation: wording::rated(rates, &quote),
        })
    }

    fn list(&self) -> ListCurrenciesResponse {
        let Quotes { rates, names } = &self.quotes;
        let entry = |currency| {
            let about = names.about(currency).cloned().unwrap_or_default();
            let (first_date, last_date) = (rates.range_of(currency))
                .map(|range| (range.start().to_string(), range.end().to_string()))
                .unwrap_or_default();
            let code = rates.code(currency).to_owned();
            Entry { code, name: about.label, symbols: about.symbols, first_date, last_date }
        };
        let currencies: Vec<_> = rates.currencies().map(entry).collect();
        let date = rates.range().map(|range| range.end().to_string()).unwrap_or_default();
        let quoted = currencies.iter().filter(|entry| entry.last_date == date).count();
        let explanation = format!(
            "{} currencies have ECB reference rates; {quoted} of them still do on {date}.",
            currencies.len()
        );
        ListCurrenciesResponse { currencies, date, explanation }
    }
}

#[tonic::async_trait]
impl Currency for Service {
    async fn convert_currency(
        &self,
        request: Request<ConvertCurrencyRequest>,
    ) -> Result<Response<ConvertCurrencyResponse>, Status> {
        Ok(Response::new(self.convert(request.get_ref())?))
    }

    async fn get_rate(&self, request: Request<GetRateRequest>) -> Result<Response<GetRateResponse>, Status> {
        Ok(Response::new(self.rate(request.get_ref())?))
    }

    async fn list_currencies(
        &self,
        _: Request<ListCurrenciesRequest>,
    ) -> Result<Response<ListCurrenciesResponse>, Status> {
        Ok(Response::new(self.list()))
    }
}

// === impl Error ===

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Missing { field } => input("MISSING_PARAMETER", message)
                .field(field, "a currency: an ISO 4217 code, a symbol or a name", r#""""#)
                .into(),
            Error::BadAmount { amount } => input("INVALID_AMOUNT", message)
                .field("amount", "a number between -1e15 and 1e15", quoted(&amount.to_string()))
                .into(),
            Error::BadDate { text } => input("INVALID_DATE", message)
                .field("date", "a calendar day, YYYY-MM-DD", quoted(&text))
                .hint("leave the date out for the latest rate")
                .into(),
            Error::UnknownCurrency { field, text, nearest } => ToolError::not_found(message)
                .code("CURRENCY_NOT_FOUND")
                .candidates(nearest)
                .detail("parameter", field)
                .retryable(true)
                .outcome(Outcome::NotApplied)
                .field(field, "a currency with ECB reference rates", quoted(&text))
                .hint("use one of the candidates, or a currency that list_currencies names")
                .into(),
            Error::Ambiguous { field, text, candidates } => candidates
                .into_iter()
                .fold(
                    Clarification::ask(format!("Which {text} do you mean?")).parameter(field),
                    |question, one| question.candidate(one.code, one.label),
                )
                .into(),
            Error::NoRate { asked, range, currency, .. } => no_rate(message, asked, range, currency).into(),
        }
    }
}

fn input(code: &str, message: String) -> ToolError {
    ToolError::input(message).code(code).retryable(true).outcome(Outcome::NotApplied)
}

/// Not retryable: another day would be another answer, and that is not for a machine to choose.
fn no_rate(
    message: String,
    asked: Option<jiff::civil::Date>,
    range: Option<std::ops::RangeInclusive<jiff::civil::Date>>,
    currency: Option<String>,
) -> ToolError {
    let mut error =
        ToolError::not_found(message).code("RATE_NOT_FOUND").retryable(false).outcome(Outcome::NotApplied);
    if let Some(currency) = currency {
        error = error.detail("currency", currency);
    }
    if let Some(range) = range {
        let (first, last) = (range.start().to_string(), range.end().to_string());
        if let Some(asked) = asked {
            error = error.field("date", format!("a day from {first} to {last}"), quoted(&asked.to_string()));
        }
        error = error.detail("first_date", first).detail("last_date", last);
    }
    error
}

/// JSON text of what came, cut to a bound.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text.chars().take(MAX_ECHO).collect::<String>()).to_string()
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
