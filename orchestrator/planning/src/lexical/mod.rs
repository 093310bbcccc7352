//! An intent adapter that needs no model.

use std::sync::Arc;

use convoke_catalog::Catalog;

use crate::{
    Utterance,
    adapter::{IntentAdapter, Interpreting},
};

/// The lexical intent adapter.
#[derive(Debug, Default)]
pub struct Lexical {}

impl Lexical {
    /// An adapter that has seen no catalog yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl IntentAdapter for Lexical {
    fn interpret<'a>(&'a self, utterance: Utterance<'a>, catalog: &'a Arc<Catalog>) -> Interpreting<'a> {
        let _ = catalog;
        Box::pin(async move {
            Ok(convoke_proto::v1::IntentOutput {
                original_query: utterance.text.to_owned(),
                ..Default::default()
            })
        })
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}
