//! A question instead of an answer.

use convoke_proto::{
    status,
    v1::{self, clarification::Candidate},
};
use tonic::Status;

/// What an agent asks when the input can mean several things: it becomes a [`Status`] (FAILED_PRECONDITION) with the
/// question in its details, and the person is asked.
///
/// ```
/// # use convoke_sdk::{Clarification, tonic::Status};
/// let status: Status = Clarification::ask("Which dollar?")
///     .parameter("from")
///     .candidate("USD", "US dollar")
///     .candidate("AUD", "Australian dollar")
///     .into();
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clarification(v1::Clarification);

// === impl Clarification ===

impl Clarification {
    /// The question, in words.
    pub fn ask(question: impl Into<String>) -> Self {
        Self(v1::Clarification { question: question.into(), ..Default::default() })
    }

    /// The input field that the answer fills.
    pub fn parameter(mut self, name: impl Into<String>) -> Self {
        self.0.parameter = name.into();
        self
    }

    /// One possible answer: the value that the parameter would have, and how to call it before a person.
    pub fn candidate(self, value: impl Into<prost_types::Value>, label: impl Into<String>) -> Self {
        self.candidate_with(Candidate {
            value: Some(value.into()),
            label: label.into(),
            ..Default::default()
        })
    }

    /// One possible answer, in full.
    pub fn candidate_with(mut self, candidate: Candidate) -> Self {
        self.0.candidates.push(candidate);
        self
    }
}

impl From<Clarification> for Status {
    fn from(question: Clarification) -> Self {
        status::clarify(&question.0)
    }
}

impl From<Clarification> for v1::Clarification {
    fn from(question: Clarification) -> Self {
        question.0
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn the_question_stands_in_the_details_of_the_status() {
        let question = Clarification::ask("Which ton?").parameter("from").candidate("tonne", "metric ton");
        let status = Status::from(question.clone());
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert_eq!(status::details(&status).clarification, Some(question.into()));
    }
}
