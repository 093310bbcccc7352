//! The row of steps from a sentence to a plan.

use std::sync::Arc;

use convoke_catalog::Catalog;
use convoke_proto::v1;

use crate::{Error, IntentAdapter, Interpretation, Utterance, gate, goal, single};

/// What an intent came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned {
    /// A plan, not yet checked.
    Plan(v1::ExecutionPlan),
    /// A question back to the person.
    Clarify(v1::Clarification),
}

/// An adapter, the gate, the goal resolver and the single-step planner. Cheap to clone.
#[derive(Clone)]
pub struct Planner {
    adapter: Arc<dyn IntentAdapter>,
    threshold: f64,
}

impl Planner {
    /// A planner whose gate stands at the adapter's own threshold.
    #[must_use]
    pub fn new(adapter: impl IntentAdapter) -> Self {
        let threshold = adapter.threshold();
        Self { adapter: Arc::new(adapter), threshold }
    }

    /// The same planner with the gate at `threshold`, 0 to 1. At 0 nothing is stopped.
    #[must_use]
    pub fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// Reads a sentence, and says whether the gate lets the intent pass.
    ///
    /// # Errors
    /// Those of [`IntentAdapter::interpret`].
    pub async fn interpret(
        &self,
        utterance: Utterance<'_>,
        catalog: &Catalog,
    ) -> Result<Interpretation, Error> {
        let intent = self.adapter.interpret(utterance, catalog).await?;
        let gate = gate::check(&intent, self.threshold, catalog);
        Ok(Interpretation { intent, threshold: self.threshold, gate })
    }

    /// A plan of one step for an intent, or the question that the gate asks instead.
    ///
    /// # Errors
    /// [`Error::UnknownGoal`], [`Error::AmbiguousGoal`] or [`Error::NoCapability`] for an intent that the
    /// catalog cannot serve (one that a caller wrote, or one from before an agent left).
    pub fn plan(&self, intent: &v1::IntentOutput, catalog: &Catalog) -> Result<Planned, Error> {
        if let Some(question) = gate::check(intent, self.threshold, catalog) {
            return Ok(Planned::Clarify(question));
        }
        let resolved = goal::resolve(intent, catalog)?;
        let offered = catalog.resolve(&resolved.domain, &resolved.capability, "");
        let digest = offered.map(|capability| capability.contract_digest.clone()).unwrap_or_default();
        Ok(Planned::Plan(single::plan(resolved, &digest)))
    }
}
