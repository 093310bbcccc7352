//! Values as compact JSON text, appended to what is there.

use crate::value::{Number, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;

/// Appends the JSON text of a value, without a schema.
pub(crate) fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => integer(i128::from(*value), out),
        Value::Uint(value) => integer(i128::from(*value), out),
        Value::Float(value) => float(*value, out),
        Value::Number(number) => out.push_str(number.as_str()),
        Value::Text(text) => string(text, out),
        Value::Enum(value) if value.name.is_none() => integer(i128::from(value.number), out),
        Value::Bytes(_) | Value::Timestamp(_) | Value::Duration(_) | Value::Enum(_) => {
            out.push('"');
            write_bare(value, out);
            out.push('"');
        }
        Value::List(list) => {
            out.push('[');
            for (index, element) in list.iter().enumerate() {
                separate(index, out);
                write(element, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            out.push('{');
            for (index, (name, member)) in object.iter().enumerate() {
                separate(index, out);
                string(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
    }
}

/// Appends a scalar without quotes; none of these holds a character that JSON would escape.
pub(crate) fn write_bare(value: &Value, out: &mut String) {
    match value {
        Value::Bytes(bytes) => STANDARD.encode_string(bytes, out),
        Value::Timestamp(value) => crate::time::write_timestamp(*value, out),
        Value::Duration(value) => crate::time::write_duration(*value, out),
        Value::Enum(value) => match &value.name {
            Some(name) => out.push_str(name),
            None => integer(i128::from(value.number), out),
        },
        other => write(other, out),
    }
}

fn separate(index: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
}

fn integer(value: i128, out: &mut String) {
    // Writing to a String does not fail.
    let _ = match i64::try_from(value) {
        Ok(value) => write!(out, "{value}"),
        Err(_) => write!(out, "{value}"),
    };
}

/// Above this a double has neighbours that are integers: digits written out would claim to be exact.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// From here on RFC 8785 writes an exponent by itself.
const EXPONENT: f64 = 1e21;

fn float(value: f64, out: &mut String) {
    if !value.is_finite() {
        return string(non_finite(value), out);
    }
    if value == 0.0 && value.is_sign_negative() {
        // "-0" is the integer zero to readers that tell integers and doubles apart.
        return out.push_str("-0.0");
    }
    if (EXACT..EXPONENT).contains(&value.abs()) {
        // Writing to a String does not fail.
        let _ = write!(out, "{value:e}");
        return;
    }
    float_text(value, out);
}

/// Appends a finite double as RFC 8785 prints it.
pub(crate) fn float_text(value: f64, out: &mut String) {
    out.push_str(ryu_js::Buffer::new().format_finite(value));
}

/// How protobuf JSON spells what is no finite number.
pub(crate) fn non_finite(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    }
}

/// A number as text: RFC 8785, but an integer keeps all its digits. None where it is beyond every double.
pub(crate) fn number(number: &Number, out: &mut String) -> bool {
    if number.decimal().is_some_and(|decimal| decimal.is_plain() && !decimal.is_negative_zero()) {
        out.push_str(number.as_str());
        return true;
    }
    let value = number.to_f64();
    if value.is_finite() {
        float_text(value, out);
    }
    value.is_finite()
}

/// Appends a JSON string. Runs without anything to escape are copied whole.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut clean = 0;
    for (index, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(text.get(clean..index).unwrap_or_default());
        if escape.is_empty() {
            // Writing to a String does not fail.
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        clean = index + 1;
    }
    out.push_str(text.get(clean..).unwrap_or_default());
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_json_asks_for_and_nothing_else() {
        let mut out = String::new();
        string("a\"\\\n\u{1}é\u{2028}", &mut out);
        assert_eq!(out, "\"a\\\"\\\\\\n\\u0001é\u{2028}\"");
    }

    #[test]
    fn prints_numbers_as_rfc_8785() {
        // RFC 8785, appendix B.
        for (value, text) in [
            (1e30, "1e+30"),
            (4.5, "4.5"),
            (2e-3, "0.002"),
            (1e-27, "1e-27"),
            (1e21, "1e+21"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (-0.0, "0"),
            (9_007_199_254_740_992.0, "9007199254740992"),
        ] {
            let mut out = String::new();
            float_text(value, &mut out);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn a_double_never_reads_as_an_integer_that_it_may_not_be() {
        assert_eq!(Value::Float(9_007_199_254_740_991.0).to_json(), "9007199254740991");
        assert_eq!(Value::Float(18_446_744_073_709_551_616.0).to_json(), "1.8446744073709552e19");
        assert_eq!(Value::Float(-0.0).to_json(), "-0.0");
        assert_eq!(Value::Float(f64::NAN).to_json(), "\"NaN\"");
    }
}
