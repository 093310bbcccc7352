//! JSON text to [`Value`], over jiter's pull parser: the number's bytes are taken as they stand.

use crate::report::{Violation, ViolationRule};
use crate::value::{Name, Number, Object, Value};
use jiter::{Jiter, JiterError, Peek};

/// How deep lists and objects may nest in a text.
pub const MAX_DEPTH: usize = 128;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why a text is no JSON, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonError {
    /// The line, from 1.
    pub line: usize,
    /// The byte in the line, from 1.
    pub column: usize,
    /// What is wrong there; holds nothing of the text itself.
    pub message: String,
}

enum Trouble {
    Syntax(JiterError),
    Depth(usize),
}

impl From<JiterError> for Trouble {
    fn from(error: JiterError) -> Self {
        Self::Syntax(error)
    }
}

/// The one violation of a text that is no JSON: where in the text, and what is wrong there.
impl From<JsonError> for Violation {
    fn from(error: JsonError) -> Self {
        Self {
            rule: ViolationRule::InvalidJson.into(),
            expected: format!("JSON; line {}, column {}: {}", error.line, error.column, error.message),
            ..Self::default()
        }
    }
}

pub(crate) fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = Jiter::new(text);
    match document(&mut reader) {
        Ok(value) => Ok(value),
        Err(Trouble::Syntax(error)) => Err(at(text, error.index, error.error_type.to_string())),
        Err(Trouble::Depth(index)) => Err(at(text, index, format!("nested deeper than {MAX_DEPTH}"))),
    }
}

fn at(text: &[u8], index: usize, message: String) -> JsonError {
    let before = text.get(..index).unwrap_or(text);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    JsonError { line, column: 1 + before.len().saturating_sub(start), message }
}

fn document(reader: &mut Jiter<'_>) -> Result<Value, Trouble> {
    let peek = reader.peek()?;
    let value = value(reader, peek, MAX_DEPTH)?;
    reader.finish()?;
    Ok(value)
}

fn value(reader: &mut Jiter<'_>, peek: Peek, depth: usize) -> Result<Value, Trouble> {
    match peek {
        Peek::Null => {
            reader.known_null()?;
            Ok(Value::Null)
        }
        Peek::True | Peek::False => Ok(Value::Bool(reader.known_bool(peek)?)),
        Peek::String => Ok(Value::Text(reader.known_str()?.to_owned())),
        Peek::Array => list(reader, deeper(reader, depth)?),
        Peek::Object => object(reader, deeper(reader, depth)?),
        _ => number(reader, peek),
    }
}

fn deeper(reader: &Jiter<'_>, depth: usize) -> Result<usize, Trouble> {
    depth.checked_sub(1).ok_or_else(|| Trouble::Depth(reader.current_index()))
}

fn list(reader: &mut Jiter<'_>, depth: usize) -> Result<Value, Trouble> {
    let mut list = Vec::new();
    let mut next = reader.known_array()?;
    while let Some(peek) = next {
        list.push(value(reader, peek, depth)?);
        next = reader.array_step()?;
    }
    Ok(Value::List(list))
}

fn object(reader: &mut Jiter<'_>, depth: usize) -> Result<Value, Trouble> {
    let mut object = Object::new();
    let mut next = reader.known_object()?.map(Name::from);
    while let Some(name) = next {
        let peek = reader.peek()?;
        let member = value(reader, peek, depth)?;
        object.push(name, member);
        next = reader.next_key()?.map(Name::from);
    }
    Ok(Value::Object(object))
}

fn number(reader: &mut Jiter<'_>, peek: Peek) -> Result<Value, Trouble> {
    let index = reader.current_index();
    let bytes = reader.known_number_bytes(peek)?;
    literal(bytes).ok_or_else(|| {
        let error_type = jiter::JiterErrorType::JsonError(jiter::JsonErrorType::InvalidNumber);
        Trouble::Syntax(JiterError { error_type, index })
    })
}

/// An integer that fits 64 bits becomes one; any other literal keeps its text, `-0` for its sign.
fn literal(bytes: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && text != "-0" {
        if let Ok(value) = text.parse() {
            return Some(Value::Int(value));
        }
        if let Ok(value) = text.parse() {
            return Some(Value::Uint(value));
        }
    }
    Number::new(text).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &[u8]) -> JsonError {
        parse(text).unwrap_err()
    }

    #[test]
    fn keeps_duplicate_keys_and_every_digit() {
        let value = parse(br#"{"a":1.10,"a":123456789012345678901234567890}"#).unwrap();
        assert_eq!(value.to_json(), r#"{"a":1.10,"a":123456789012345678901234567890}"#);
        assert_eq!(parse(b"-0").unwrap().to_json(), "-0");
    }

    #[test]
    fn skips_a_byte_order_mark() {
        assert_eq!(parse(b"\xef\xbb\xbf 1 ").unwrap(), Value::Int(1));
    }

    #[test]
    fn says_line_and_column() {
        let error = error(b"{\n  \"a\": tru\n}");
        assert_eq!((error.line, error.column), (2, 11), "{error}");
    }

    #[test]
    fn refuses_what_is_no_json() {
        for text in [
            &b""[..],
            b" ",
            b"nul",
            b"NaN",
            b"Infinity",
            b"-Infinity",
            b"+1",
            b"01",
            b".5",
            b"5.",
            b"1e",
            b"[1,]",
            b"{\"a\":1,}",
            b"{a:1}",
            b"'a'",
            b"1 2",
            b"\"\\ud800\"",
            b"\"\\udc00\"",
            b"\"\x01\"",
            b"\"\xff\"",
            b"{\"\xff\":1}",
            b"\"abc",
            b"[",
            b"{\"a\"",
        ] {
            assert!(parse(text).is_err(), "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn bounds_the_depth() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert_eq!(error(nested(MAX_DEPTH + 1).as_bytes()).message, "nested deeper than 128");
        assert!(parse("[".repeat(1_000_000).as_bytes()).is_err());
    }
}
