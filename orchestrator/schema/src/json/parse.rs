//! JSON text to [`Value`], over jiter's pull parser: the number's bytes are taken as they stand.
//!
//! jiter refuses an integer of more than 4,300 digits, which JSON knows no reason for: such a number is read here, and
//! another pull parser goes on behind it.

use crate::report::{Violation, ViolationRule};
use crate::value::{Name, Number, Object, Value, number_end};
use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

/// How deep lists and objects may nest in a text.
pub const MAX_DEPTH: usize = 128;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// What the pull parser says of more digits than it reads.
const LONG_NUMBER: JiterErrorType = JiterErrorType::JsonError(JsonErrorType::NumberOutOfRange);

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

/// The pull parser, and where in the text it began.
struct Reader<'j> {
    text: &'j [u8],
    pull: Jiter<'j>,
    base: usize,
}

pub(crate) fn parse(text: &[u8]) -> Result<Value, JsonError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut reader = Reader { text, pull: Jiter::new(text), base: 0 };
    let (index, message) = match reader.document() {
        Ok(value) => return Ok(value),
        Err(Trouble::Syntax(error)) => (error.index, error.error_type.to_string()),
        Err(Trouble::Depth(index)) => (index, format!("nested deeper than {MAX_DEPTH}")),
    };
    Err(at(text, reader.base.saturating_add(index), message))
}

fn at(text: &[u8], index: usize, message: String) -> JsonError {
    let before = text.get(..index).unwrap_or(text);
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    JsonError { line, column: 1 + before.len().saturating_sub(start), message }
}

// === impl Reader ===

impl Reader<'_> {
    fn document(&mut self) -> Result<Value, Trouble> {
        let peek = self.pull.peek()?;
        let value = self.value(peek, MAX_DEPTH)?;
        self.pull.finish()?;
        Ok(value)
    }

    fn value(&mut self, peek: Peek, depth: usize) -> Result<Value, Trouble> {
        match peek {
            Peek::Null => {
                self.pull.known_null()?;
                Ok(Value::Null)
            }
            Peek::True | Peek::False => Ok(Value::Bool(self.pull.known_bool(peek)?)),
            Peek::String => Ok(Value::Text(self.pull.known_str()?.to_owned())),
            Peek::Array => self.list(self.deeper(depth)?),
            Peek::Object => self.object(self.deeper(depth)?),
            _ => self.number(peek),
        }
    }

    fn deeper(&self, depth: usize) -> Result<usize, Trouble> {
        depth.checked_sub(1).ok_or_else(|| Trouble::Depth(self.pull.current_index()))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Trouble> {
        let mut list = Vec::new();
        let mut next = self.pull.known_array()?;
        while let Some(peek) = next {
            list.push(self.value(peek, depth)?);
            next = self.pull.array_step()?;
        }
        Ok(Value::List(list))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Trouble> {
        let mut object = Object::new();
        let mut next = self.pull.known_object()?.map(Name::from);
        while let Some(name) = next {
            let peek = self.pull.peek()?;
            let member = self.value(peek, depth)?;
            object.push(name, member);
            next = self.pull.next_key()?.map(Name::from);
        }
        Ok(Value::Object(object))
    }

    fn number(&mut self, peek: Peek) -> Result<Value, Trouble> {
        let index = self.pull.current_index();
        match self.pull.known_number_bytes(peek) {
            Ok(bytes) => literal(bytes).ok_or_else(|| no_number(index)),
            Err(error) if error.error_type == LONG_NUMBER => self.long_number(index),
            Err(error) => Err(error.into()),
        }
    }

    /// A number of more digits than the pull parser reads, in time linear in them.
    fn long_number(&mut self, index: usize) -> Result<Value, Trouble> {
        let rest = self.text.get(self.base.saturating_add(index)..).unwrap_or_default();
        let end = number_end(rest).map_err(|end| no_number(index.saturating_add(end)))?;
        let (digits, rest) = rest.split_at_checked(end).ok_or_else(|| no_number(index))?;
        let value = literal(digits).ok_or_else(|| no_number(index))?;
        self.base = self.text.len().saturating_sub(rest.len());
        self.pull = Jiter::new(rest);
        Ok(value)
    }
}

fn no_number(index: usize) -> Trouble {
    let error_type = JiterErrorType::JsonError(JsonErrorType::InvalidNumber);
    Trouble::Syntax(JiterError { error_type, index })
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
    fn reads_a_number_however_many_digits_it_has() {
        for count in [4_299, 4_300, 4_301, 20_000] {
            let digits = format!("-1{}", "0".repeat(count - 1));
            for tail in ["", ".5", "e-7", ".25E+3"] {
                let text = format!("{{\"a\":[{digits}{tail} , 2],\n\"b\":{digits}{tail}}}");
                let value = parse(text.as_bytes()).unwrap();
                assert_eq!(value.to_json(), text.replace([' ', '\n'], ""));
            }
            for tail in [".", "e", "e+", ".e1", "-", "x", "1.2.3", "]"] {
                assert!(parse(format!("[{digits}{tail}]").as_bytes()).is_err(), "{tail}");
            }
            assert!(parse(format!("-0{digits}").as_bytes()).is_err());
        }
    }

    #[test]
    fn says_where_behind_a_long_number() {
        let digits = "7".repeat(5_000);
        let lines = |text: &str| {
            let error = error(text.as_bytes());
            (error.line, error.column)
        };
        assert_eq!(lines(&format!("[{digits},\n{digits},\n  tru]")), (3, 6));
        assert_eq!(lines(&format!("[\n{digits}.,1]")), (2, 5_002));
    }

    #[test]
    fn bounds_the_depth() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert_eq!(error(nested(MAX_DEPTH + 1).as_bytes()).message, "nested deeper than 128");
        assert!(parse("[".repeat(1_000_000).as_bytes()).is_err());
    }
}
