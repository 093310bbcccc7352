//! How a value reads inside a sentence.

use super::Value;

impl Value {
    /// The value as text, for a place inside other text: strings, names and times bare, numbers as RFC 8785 prints
    /// them (integers with all their digits), what is no finite number by its name, lists and objects as compact JSON, null as
    /// `null`.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Enum(_) | Self::Bytes(_) | Self::Timestamp(_) | Self::Duration(_) => {
                let mut text = String::new();
                crate::json::write_bare(self, &mut text);
                text
            }
            Self::Float(value) if value.is_finite() => {
                let mut text = String::new();
                crate::json::float_text(*value, &mut text);
                text
            }
            Self::Float(value) => crate::json::non_finite(*value).to_owned(),
            Self::Number(number) => {
                let mut text = String::new();
                if crate::json::number(number, &mut text) { text } else { number.as_str().to_owned() }
            }
            _ => self.to_json(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;

    #[test]
    fn strings_and_times_read_bare_and_numbers_as_rfc_8785() {
        assert_eq!(Value::from("a \"b\"").to_text(), "a \"b\"");
        assert_eq!(Value::Float(1e21).to_text(), "1e+21");
        assert_eq!(Value::Float(1e20).to_text(), "100000000000000000000");
        assert_eq!(Value::Float(f64::NAN).to_text(), "NaN");
        assert_eq!(Value::Float(f64::NEG_INFINITY).to_text(), "-Infinity");
        assert_eq!(Value::parse(b"1.50").unwrap().to_text(), "1.5");
        assert_eq!(Value::Timestamp(Timestamp { seconds: 0, nanos: 0 }).to_text(), "1970-01-01T00:00:00Z");
        assert_eq!(Value::parse(br#"{"a": [1, null]}"#).unwrap().to_text(), r#"{"a":[1,null]}"#);
    }
}
