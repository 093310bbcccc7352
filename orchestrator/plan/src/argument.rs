//! A parameter as the plan has it, and what it is once the steps before have answered.

use std::borrow::Cow;
use std::fmt::Write as _;

use convoke_schema::{Name, Object, Value};

use crate::reference::is_name;
use crate::template::Part;
use crate::{Outputs, Reference, Root, Segment};

/// What the references of one step may bring in, in bytes: no step's message is larger.
const MAX_EVALUATED: usize = 4 * 1024 * 1024;

/// A parameter, read. Trees are as deep as the check's limits allow.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A value without references anywhere in it.
    Literal(Value),
    /// The value at a place in an earlier answer, with its type.
    Reference(Box<Reference>),
    /// Text with references written out in it.
    Text(Vec<Part>),
    /// A list with references somewhere in it.
    List(Vec<Argument>),
    /// An object with references somewhere in it.
    Object(Vec<(Name, Argument)>),
}

/// A parameter that has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct EvalError {
    /// The place in the parameters, e.g. `legs[2].to`; empty for the parameters as a whole.
    pub path: String,
    /// What is the matter, for programs.
    pub kind: EvalErrorKind,
    /// What is the matter, for people.
    pub message: String,
}

/// Why a parameter has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// The step has not answered, or its answer has nothing at that place.
    Absent,
    /// The answer has something else there: a list is indexed that is none, a field asked for where there are none.
    Mismatch,
    /// The references bring in more than a message may hold.
    TooLarge,
}

// === impl Argument ===

impl Argument {
    /// The value, with every reference filled in. What is filled in is never read for references.
    ///
    /// # Errors
    /// [`EvalError`] for the first reference without a value and without a default.
    pub fn evaluate(&self, outputs: &Outputs) -> Result<Value, EvalError> {
        self.fill(&mut Filling { outputs, left: MAX_EVALUATED })
    }

    fn fill(&self, filling: &mut Filling<'_>) -> Result<Value, EvalError> {
        match self {
            Self::Literal(value) => Ok(value.clone()),
            Self::Reference(reference) => {
                let value = filling.value(reference)?;
                filling.spend(weight(&value))?;
                Ok(value.into_owned())
            }
            Self::Text(parts) => filling.text(parts).map(Value::from),
            Self::List(items) => {
                let filled = items.iter().enumerate().map(|(index, item)| {
                    item.fill(filling).map_err(|error| error.inside(&Segment::Index(index)))
                });
                Ok(Value::List(filled.collect::<Result<_, _>>()?))
            }
            Self::Object(entries) => {
                let filled = entries.iter().map(|(name, entry)| match entry.fill(filling) {
                    Ok(value) => Ok((name.clone(), value)),
                    Err(error) => Err(error.inside(&Segment::Key(name.to_string()))),
                });
                Ok(Value::Object(filled.collect::<Result<Object, _>>()?))
            }
        }
    }
}

/// One evaluation.
struct Filling<'a> {
    outputs: &'a Outputs,
    left: usize,
}

// === impl Filling ===

impl<'a> Filling<'a> {
    fn value(&self, reference: &'a Reference) -> Result<Cow<'a, Value>, EvalError> {
        match (self.find(reference), &reference.default) {
            (Ok(found), None) => Ok(found),
            (Ok(found), Some(_)) if !matches!(*found, Value::Null) => Ok(found),
            (_, Some(default)) => Ok(Cow::Borrowed(default)),
            (Err(error), None) => Err(error),
        }
    }

    fn find(&self, reference: &Reference) -> Result<Cow<'a, Value>, EvalError> {
        let absent = |why: &str| {
            EvalError::new(EvalErrorKind::Absent, format!("${{{reference}}} has no value: {why}"))
        };
        let output = self.outputs.get(&reference.step).ok_or_else(|| absent("the step has not answered"))?;
        let root = match reference.root {
            Root::Result => {
                Cow::Borrowed(output.result.as_ref().ok_or_else(|| absent("the step has no result"))?)
            }
            Root::Metadata => Cow::Borrowed(&output.metadata),
            Root::Explanation => Cow::Owned(Value::from(output.explanation.clone())),
            Root::Confidence => Cow::Owned(Value::Float(output.confidence)),
            Root::Status => Cow::Owned(Value::from(output.status.as_str_name().to_owned())),
        };
        if reference.path.is_empty() {
            return Ok(root);
        }
        let Cow::Borrowed(mut place) = root else {
            return Err(EvalError::new(
                EvalErrorKind::Mismatch,
                format!("${{{reference}}}: nothing is inside it"),
            ));
        };
        for segment in &reference.path {
            place = match segment {
                Segment::Key(key) => place.get(key),
                Segment::Index(index) => place.index(*index),
            }
            .ok_or_else(|| missing(reference, segment, place))?;
        }
        Ok(Cow::Borrowed(place))
    }

    fn text(&mut self, parts: &[Part]) -> Result<String, EvalError> {
        let mut text = String::new();
        for part in parts {
            let before = text.len();
            match part {
                Part::Text(plain) => text.push_str(plain),
                Part::Reference(reference) => {
                    let value = self.value(reference)?;
                    self.fits(weight(&value))?;
                    text.push_str(&value.to_text());
                }
            }
            self.spend(text.len() - before)?;
        }
        Ok(text)
    }

    fn fits(&self, bytes: usize) -> Result<(), EvalError> {
        if bytes <= self.left {
            return Ok(());
        }
        let message = format!("the references bring in more than {MAX_EVALUATED} bytes");
        Err(EvalError::new(EvalErrorKind::TooLarge, message))
    }

    fn spend(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.fits(bytes)?;
        self.left -= bytes;
        Ok(())
    }
}

fn missing(reference: &Reference, segment: &Segment, place: &Value) -> EvalError {
    let fits = match segment {
        Segment::Key(_) => matches!(place, Value::Object(_) | Value::Null),
        Segment::Index(_) => matches!(place, Value::List(_) | Value::Null),
    };
    let kind = if fits { EvalErrorKind::Absent } else { EvalErrorKind::Mismatch };
    EvalError::new(kind, format!("${{{reference}}} has no value: the answer has no {segment} there"))
}

/// About how many bytes a copy takes; at least the text in it.
fn weight(value: &Value) -> usize {
    /// What a number, or the frame of anything else, takes.
    const FRAME: usize = 16;
    match value {
        Value::Text(text) => FRAME + text.len(),
        Value::Bytes(bytes) => FRAME + bytes.len() * 2,
        Value::Number(digits) => FRAME + digits.as_str().len(),
        Value::List(items) => items.iter().map(weight).sum::<usize>() + FRAME,
        Value::Object(entries) => {
            entries.iter().map(|(name, value)| name.len() + weight(value)).sum::<usize>() + FRAME
        }
        _ => FRAME,
    }
}

// === impl EvalError ===

impl EvalError {
    fn new(kind: EvalErrorKind, message: String) -> Self {
        Self { path: String::new(), kind, message }
    }

    /// The same, one level further out.
    fn inside(mut self, segment: &Segment) -> Self {
        let mut path = String::new();
        extend(&mut path, segment);
        if !self.path.is_empty() && !self.path.starts_with('[') {
            path.push('.');
        }
        path.push_str(&self.path);
        self.path = path;
        self
    }
}

/// Writes a place further inwards, as reports name it: `steps[1].params.legs[2].to`, `rates["EUR"]`.
pub(crate) fn extend(path: &mut String, segment: &Segment) {
    match segment {
        Segment::Key(key) if is_name(key) => {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(key);
        }
        // Writing to a String does not fail.
        _ => drop(write!(path, "{segment}")),
    }
}
