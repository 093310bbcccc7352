//! An object: names and values in the order they came, duplicates kept.

use super::Value;
use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A member's name: text that came, or a declared name shared with the schema.
#[derive(Clone)]
pub struct Name(Repr);

#[derive(Clone)]
enum Repr {
    Owned(String),
    Shared(Arc<str>),
}

/// The members of a message, a map or a Struct.
#[derive(Clone, Debug, Default)]
pub struct Object(Vec<(Name, Value)>);

// === impl Name ===

impl Name {
    /// The text of the name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Owned(text) => text,
            Repr::Shared(text) => text,
        }
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for Name {
    fn from(text: String) -> Self {
        Self(Repr::Owned(text))
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(Repr::Owned(text.to_owned()))
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Self {
        Self(Repr::Shared(text))
    }
}

impl From<&Arc<str>> for Name {
    fn from(text: &Arc<str>) -> Self {
        Self(Repr::Shared(Arc::clone(text)))
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        match name.0 {
            Repr::Owned(text) => text,
            Repr::Shared(text) => text.as_ref().to_owned(),
        }
    }
}

impl Default for Name {
    fn default() -> Self {
        Self(Repr::Owned(String::new()))
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// === impl Object ===

impl Object {
    /// An object without members.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// An object without members, with room for that many.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// How many members there are, duplicates counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first member of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value)
    }

    /// The first member of that name, to change it.
    #[must_use]
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(key, _)| key.as_str() == name).map(|(_, value)| value)
    }

    /// Adds a member at the end, whether or not its name is there already.
    pub fn push(&mut self, name: impl Into<Name>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    /// Replaces the first member of that name, or adds one at the end.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        match self.get_mut(name) {
            Some(place) => *place = value,
            None => self.0.push((Name::from(name), value)),
        }
    }

    /// Takes the first member of that name out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let index = self.0.iter().position(|(key, _)| key.as_str() == name)?;
        Some(self.0.remove(index).1)
    }

    /// Names and values, as they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Names and values, the values to change.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Name, &mut Value)> {
        self.0.iter_mut().map(|(name, value)| (&*name, value))
    }

    pub(crate) fn members(&self) -> &[(Name, Value)] {
        &self.0
    }

    pub(crate) fn members_mut(&mut self) -> &mut Vec<(Name, Value)> {
        &mut self.0
    }

    pub(crate) fn take(&mut self) -> Vec<(Name, Value)> {
        std::mem::take(&mut self.0)
    }
}

impl From<Vec<(Name, Value)>> for Object {
    fn from(members: Vec<(Name, Value)>) -> Self {
        Self(members)
    }
}

impl<N: Into<Name>, V: Into<Value>> FromIterator<(N, V)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl IntoIterator for Object {
    type Item = (Name, Value);
    type IntoIter = std::vec::IntoIter<(Name, Value)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
