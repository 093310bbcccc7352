//! What is said about a pair of fields, and how it is printed.

use crate::json;
use crate::report::Rule;

/// Whether values of a producer's field may be given to a consumer's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignable {
    /// Every value coerces without loss, by this rule where one is needed.
    Always(Option<Rule>),
    /// Some values coerce without loss, and some do not.
    Sometimes {
        /// The rule that mends those that do, where one is needed.
        rule: Option<Rule>,
        /// Which values do, in words.
        condition: String,
    },
    /// No value coerces without loss.
    Never {
        /// Why, in words.
        reason: String,
    },
}

/// A verdict as it is printed: all four parts are always there, empty where they say nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `ALWAYS`, `SOMETIMES` or `NEVER`.
    pub verdict: &'static str,
    /// The contract's name of the rule that mends the values, such as `NUMBER_TO_TEXT`.
    pub rule: &'static str,
    /// Of `SOMETIMES`: which values coerce.
    pub condition: String,
    /// Of `NEVER`: why none does.
    pub reason: String,
}

// === impl Assignable ===

impl Assignable {
    /// The verdict to print.
    #[must_use]
    pub fn to_verdict(&self) -> Verdict {
        let (verdict, rule, condition, reason) = match self {
            Self::Always(rule) => ("ALWAYS", *rule, "", ""),
            Self::Sometimes { rule, condition } => ("SOMETIMES", *rule, condition.as_str(), ""),
            Self::Never { reason } => ("NEVER", None, "", reason.as_str()),
        };
        Verdict {
            verdict,
            rule: rule.map_or("", |rule| rule.as_str_name()),
            condition: condition.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

// === impl Verdict ===

impl Verdict {
    /// `{"verdict":"SOMETIMES","rule":"TEXT_TO_NUMBER","condition":"…","reason":""}`
    #[must_use]
    pub fn to_json(&self) -> String {
        let parts = [
            ("verdict", self.verdict),
            ("rule", self.rule),
            ("condition", &self.condition),
            ("reason", &self.reason),
        ];
        let mut out = String::from("{");
        for (index, (name, text)) in parts.into_iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            json::string(name, &mut out);
            out.push(':');
            json::string(text, &mut out);
        }
        out.push('}');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_prints_all_four_parts() {
        let sometimes =
            Assignable::Sometimes { rule: Some(Rule::TextToNumber), condition: "the text is \"1\"".into() };
        assert_eq!(
            sometimes.to_verdict().to_json(),
            r#"{"verdict":"SOMETIMES","rule":"TEXT_TO_NUMBER","condition":"the text is \"1\"","reason":""}"#
        );
        let never = Assignable::Never { reason: "bool is no bytes".into() };
        assert_eq!(
            never.to_verdict().to_json(),
            r#"{"verdict":"NEVER","rule":"","condition":"","reason":"bool is no bytes"}"#
        );
    }
}
