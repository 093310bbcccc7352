//! The port through which a sentence becomes an intent.

use std::{future::Future, pin::Pin};

use convoke_catalog::Catalog;
use convoke_proto::v1;

use crate::Error;

/// What a person said, and how it is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Utterance<'a> {
    /// The sentence, at most [`Utterance::MAX_BYTES`] long.
    pub text: &'a str,
    /// BCP 47; empty means `en`. Decides how numbers and dates read, and breaks ties.
    pub locale: &'a str,
}

impl Utterance<'_> {
    /// The longest sentence that is read, in bytes.
    pub const MAX_BYTES: usize = 4096;
}

/// An intent, and what the confidence gate says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// Goal, entities, confidence and alternatives, best first.
    pub intent: v1::IntentOutput,
    /// The confidence below which the intent is not acted upon, 0 to 1.
    pub threshold: f64,
    /// The question to ask back, when the intent is below the threshold.
    pub gate: Option<v1::Clarification>,
}

/// A future that an adapter returns; boxed, because adapters are chosen at run time.
pub type Interpreting<'a> = Pin<Box<dyn Future<Output = Result<v1::IntentOutput, Error>> + Send + 'a>>;

/// Turns a sentence into an intent. Implementations may wait for a model; the lexical one does not.
pub trait IntentAdapter: Send + Sync + 'static {
    /// The goal of `catalog` that `utterance` asks for, with its entities, a calibrated confidence and the
    /// alternatives. A sentence that fits no goal is an intent of low confidence, not an error.
    ///
    /// # Errors
    /// [`Error`] when the sentence cannot be read at all, e.g. because it is too long.
    fn interpret<'a>(&'a self, utterance: Utterance<'a>, catalog: &'a Catalog) -> Interpreting<'a>;

    /// The least confidence of this adapter's intents at which a call is made, 0 to 1.
    fn threshold(&self) -> f64;
}
