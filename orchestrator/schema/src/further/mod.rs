//! What a value is asked beyond bounds, lengths, one pattern and a list: the rest of what `buf.validate` can say.
//!
//! Each rule is checked on typed values, and says what it expects in words. It does not read declarations: that is
//! `compile/buf_validate`.

mod address;
mod format;
mod uri;

pub(crate) use self::format::{Family, Format};

use crate::constraint::{Allowed, Bound, Broken};
use crate::pattern;
use crate::report::ViolationRule;
use crate::value::{Denoted, Value};
use hashbrown::HashSet;

/// One more rule about one value.
#[derive(Debug)]
pub(crate) enum Further {
    /// Not the zero of its type.
    NotZero,
    /// None of these.
    NotIn(HashSet<Allowed>, Vec<String>),
    /// One of these as well.
    In(HashSet<Allowed>, Vec<String>),
    /// On the right side of one of the two.
    Outside(Bound, Bound),
    /// Matches this as well; bytes are read as UTF-8.
    Pattern(pattern::Pattern),
    /// Neither NaN nor an infinity.
    Finite,
    /// A declared value of its enum.
    Defined,
    /// How many bytes: of the UTF-8 of a string, of bytes.
    Bytes {
        least: u64,
        most: u64,
    },
    Prefix(Vec<u8>),
    Suffix(Vec<u8>),
    Contains(Part),
    Lacks(Part),
    Format(Format),
}

/// Bytes to look for, found in linear time.
#[derive(Debug)]
pub(crate) struct Part {
    bytes: Vec<u8>,
    found: regex::bytes::Regex,
}

// === impl Part ===

impl Part {
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, regex::Error> {
        let literal: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        Ok(Self { bytes: bytes.to_vec(), found: regex::bytes::Regex::new(&format!("(?s-u){literal}"))? })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

// === impl Further ===

impl Further {
    /// The violation, where the rule is broken.
    pub(crate) fn check(&self, value: &Value) -> Option<Broken> {
        if self.holds(value) {
            return None;
        }
        let rule = match self {
            Self::NotZero => ViolationRule::Missing,
            Self::NotIn(..) | Self::In(..) => ViolationRule::NotAllowed,
            Self::Pattern(_) | Self::Prefix(_) | Self::Suffix(_) | Self::Contains(_) | Self::Lacks(_) => {
                ViolationRule::Pattern
            }
            Self::Finite => ViolationRule::NotFinite,
            Self::Defined => ViolationRule::UnknownEnumValue,
            Self::Bytes { least, .. } if size(value) < *least => ViolationRule::MinLength,
            Self::Bytes { .. } => ViolationRule::MaxLength,
            Self::Format(_) => ViolationRule::BadFormat,
            Self::Outside(..) => ViolationRule::Constraint,
        };
        Some(Broken::new(rule, self.words()))
    }

    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::NotZero => !is_zero(value),
            Self::NotIn(values, _) => !values.contains(&Denoted(value)),
            Self::In(values, _) => values.contains(&Denoted(value)),
            Self::Outside(above, below) => above.admits(value) || below.admits(value),
            Self::Pattern(pattern) => octets(value)
                .and_then(|it| std::str::from_utf8(it).ok())
                .is_some_and(|it| pattern.is_match(it)),
            Self::Finite => !matches!(value, Value::Float(it) if !it.is_finite()),
            Self::Defined => !matches!(value, Value::Enum(it) if it.name.is_none()),
            Self::Bytes { least, most } => (*least..=*most).contains(&size(value)),
            Self::Prefix(part) => octets(value).is_some_and(|it| it.starts_with(part)),
            Self::Suffix(part) => octets(value).is_some_and(|it| it.ends_with(part)),
            Self::Contains(part) => octets(value).is_some_and(|it| part.found.is_match(it)),
            Self::Lacks(part) => octets(value).is_some_and(|it| !part.found.is_match(it)),
            Self::Format(format) => format.admits(value),
        }
    }

    /// What is expected. Also the rule's normal form: two rules with the same words ask the same.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::NotZero => "a value other than zero, false or empty, which counts as absent".to_owned(),
            Self::NotIn(_, texts) => format!("none of {}", texts.join(", ")),
            Self::In(_, texts) => format!("one of {}", texts.join(", ")),
            Self::Outside(above, below) => format!("{} or {}", above.words(), below.words()),
            Self::Pattern(pattern) => format!("text that matches {}", pattern.as_str()),
            Self::Finite => "a finite number".to_owned(),
            Self::Defined => "a declared value of the enum".to_owned(),
            Self::Bytes { least, most } if least == most => format!("exactly {least} bytes"),
            Self::Bytes { least, most: u64::MAX } => format!("at least {least} bytes"),
            Self::Bytes { least: 0, most } => format!("at most {most} bytes"),
            Self::Bytes { least, most } => format!("{least} to {most} bytes"),
            Self::Prefix(part) => format!("a value that begins with {}", shown(part)),
            Self::Suffix(part) => format!("a value that ends with {}", shown(part)),
            Self::Contains(part) => format!("a value that contains {}", shown(&part.bytes)),
            Self::Lacks(part) => format!("a value that does not contain {}", shown(&part.bytes)),
            Self::Format(format) => format.words().to_owned(),
        }
    }
}

/// Whether it is what absence means where a field has no presence.
pub(crate) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(it) => !it,
        Value::Int(it) => *it == 0,
        Value::Uint(it) => *it == 0,
        Value::Float(it) => *it == 0.0,
        Value::Text(it) => it.is_empty(),
        Value::Bytes(it) => it.is_empty(),
        Value::Timestamp(it) => it.seconds == 0 && it.nanos == 0,
        Value::Duration(it) => it.seconds == 0 && it.nanos == 0,
        Value::Enum(it) => it.number == 0,
        Value::List(it) => it.is_empty(),
        Value::Object(it) => it.is_empty(),
        Value::Number(_) => false,
    }
}

fn octets(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Text(text) => Some(text.as_bytes()),
        Value::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}

fn size(value: &Value) -> u64 {
    octets(value).map_or(0, |it| u64::try_from(it.len()).unwrap_or(u64::MAX))
}

/// Text in quotes; bytes in base64.
fn shown(part: &[u8]) -> String {
    match std::str::from_utf8(part) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("the bytes {}", Value::Bytes(part.to_vec().into()).to_json()),
    }
}
