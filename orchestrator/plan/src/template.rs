//! The text of a value: where references stand in it and what is text.
//!
//! A text that is one reference and nothing else is that reference, and keeps its type; any other text with references is
//! written out. `$${` is the text `${`. What a reference brings in is not read again: this runs over a plan's own text,
//! once.

use convoke_schema::Value;

use crate::reference::in_name;
use crate::{Reference, Root, Segment};

/// How long a way a reference may go.
const MAX_SEGMENTS: usize = 64;

/// A text, read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Template {
    /// No reference in it; escapes are undone.
    Text(String),
    /// One reference and nothing else.
    Whole(Reference),
    /// References among text.
    Parts(Vec<Part>),
}

/// A piece of a text with references in it.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// To be written out.
    Reference(Reference),
}

/// Text that starts a reference and does not finish it well.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {at}: {problem}")]
pub(crate) struct BadReference {
    /// From 1, in characters of the text.
    pub(crate) at: usize,
    pub(crate) problem: String,
}

/// Reads a text of a plan.
pub(crate) fn parse(text: &str) -> Result<Template, BadReference> {
    if !text.contains("${") {
        return Ok(Template::Text(text.to_owned()));
    }
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut cursor = Cursor { text, at: 0 };
    while let Some(next) = cursor.rest().find('$') {
        plain.push_str(cursor.skip(next));
        if cursor.eat("$${") {
            plain.push_str("${");
        } else if cursor.eat("${") {
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(Part::Reference(cursor.reference()?));
        } else {
            plain.push_str(cursor.skip(1));
        }
    }
    plain.push_str(cursor.rest());
    if parts.is_empty() {
        return Ok(Template::Text(plain));
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    match <[Part; 1]>::try_from(parts) {
        Ok([Part::Reference(whole)]) => Ok(Template::Whole(whole)),
        Ok(single) => Ok(Template::Parts(single.into())),
        Err(parts) => Ok(Template::Parts(parts)),
    }
}

/// A place in the text; always on a character's border.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

// === impl Cursor ===

impl<'a> Cursor<'a> {
    /// What follows `${`, to the closing brace.
    fn reference(&mut self) -> Result<Reference, BadReference> {
        self.blanks();
        let start = self.at;
        let step = self.name();
        if !convoke_proto::names::valid_step_id(step) {
            self.at = start;
            return Err(self.bad("a reference reads ${step.result.field}; here a step's id should stand"));
        }
        let step = step.into();
        let root = self.root()?;
        let path = self.path()?;
        self.blanks();
        let default = if self.eat("??") { Some(self.default()?) } else { None };
        self.blanks();
        if !self.eat("}") {
            return Err(self.bad(if self.rest().is_empty() {
                "the reference is not closed"
            } else {
                "`}` should stand here"
            }));
        }
        Ok(Reference { step, root, path, default })
    }

    fn root(&mut self) -> Result<Root, BadReference> {
        let start = self.at;
        if self.eat(".") {
            let word = self.name();
            if let Some(root) = Root::ALL.into_iter().find(|root| root.as_str() == word) {
                return Ok(root);
            }
        }
        self.at = start;
        Err(self.bad(
            "after the step's id, .result, .explanation, .confidence, .metadata or .status should stand",
        ))
    }

    fn path(&mut self) -> Result<Vec<Segment>, BadReference> {
        let mut path = Vec::new();
        loop {
            if path.len() > MAX_SEGMENTS {
                return Err(self.bad("the reference goes too deep"));
            }
            if self.eat(".") {
                match self.name() {
                    "" => return Err(self.bad("a field's name should stand here")),
                    name => path.push(Segment::Key(name.to_owned())),
                }
            } else if self.eat("[") {
                path.push(self.bracket()?);
            } else {
                return Ok(path);
            }
        }
    }

    /// What follows `[`: a place in a list, or a key in quotes.
    fn bracket(&mut self) -> Result<Segment, BadReference> {
        let segment = if self.rest().starts_with('"') {
            match self.json()? {
                Value::Text(key) => Segment::Key(key.to_string()),
                _ => return Err(self.bad("a key in quotes should stand here")),
            }
        } else {
            let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
            match self.rest().get(..digits).unwrap_or_default().parse() {
                Ok(index) => {
                    self.skip(digits);
                    Segment::Index(index)
                }
                Err(_) if digits > 0 => return Err(self.bad("no list is that long")),
                Err(_) => {
                    return Err(self.bad("a place in a list, like [0], or a key in quotes should stand here"));
                }
            }
        };
        if self.eat("]") { Ok(segment) } else { Err(self.bad("`]` should stand here")) }
    }

    fn default(&mut self) -> Result<Value, BadReference> {
        self.blanks();
        self.json()
    }

    /// A JSON value that starts here.
    fn json(&mut self) -> Result<Value, BadReference> {
        let length = json_length(self.rest());
        match Value::parse(self.rest().get(..length).unwrap_or_default().as_bytes()) {
            Ok(value) => {
                self.skip(length);
                Ok(value)
            }
            Err(error) => Err(self.bad(&format!("a JSON literal should stand here: {}", error.message))),
        }
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter| !in_name(letter)).unwrap_or(rest.len());
        self.skip(end)
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let there = self.rest().starts_with(token);
        if there {
            self.at += token.len();
        }
        there
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let skipped = self.rest().get(..bytes).unwrap_or_default();
        self.at += skipped.len();
        skipped
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn bad(&self, problem: &str) -> BadReference {
        let before = self.text.get(..self.at).unwrap_or_default();
        BadReference { at: before.chars().count() + 1, problem: problem.to_owned() }
    }
}

/// Where the JSON value at the start of `text` ends, if it is one: quotes and brackets are counted, nothing else.
fn json_length(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    quoted = false;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth <= 1 => return if depth == 0 { at } else { at + 1 },
            b']' | b'}' => depth -= 1,
            b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
