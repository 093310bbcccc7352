//! A place that holds a value: a field, an element of one, or a message as a whole.

use crate::graph::{EnumEntry, EnumType, FieldType, Graph, Shape};
use crate::kind::{Kind, Type};
use crate::schema::Schema;
use crate::value::Value;
use convoke_proto::v1;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A field of a compiled message, the elements of a list or map field, or a message as a whole. Cheap to clone.
#[derive(Clone)]
pub struct Field {
    pub(crate) graph: Arc<Graph>,
    pub(crate) target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    Root(u32),
    Field { message: u32, field: u32 },
    Element { message: u32, field: u32 },
}

/// One declared value of an enum.
#[derive(Clone, Copy, Debug)]
pub struct EnumChoice<'a> {
    entry: &'a EnumEntry,
}

// === impl Field ===

impl Field {
    pub(crate) fn of(graph: &Arc<Graph>, message: u32, field: u32) -> Self {
        Self { graph: Arc::clone(graph), target: Target::Field { message, field } }
    }

    pub(crate) fn root(graph: &Arc<Graph>, message: u32) -> Self {
        Self { graph: Arc::clone(graph), target: Target::Root(message) }
    }

    /// The declared field; none of a message as a whole.
    pub(crate) fn declared(&self) -> Option<&FieldType> {
        match self.target {
            Target::Root(_) => None,
            Target::Field { message, field } | Target::Element { message, field } => {
                self.graph.message(message)?.field(field)
            }
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self.target {
            Target::Field { .. } => self.declared().map_or(Shape::Single, |field| field.shape),
            Target::Root(_) | Target::Element { .. } => Shape::Single,
        }
    }

    pub(crate) fn value_type(&self) -> Type {
        match self.target {
            Target::Root(message) => match self.graph.message(message).and_then(|it| it.whole.as_deref()) {
                Some(whole) => whole.kind,
                None => Type::Message(message),
            },
            _ => self.declared().map_or(Type::Value, |field| field.kind),
        }
    }

    /// The proto name; empty for a message as a whole.
    #[must_use]
    pub fn name(&self) -> &str {
        self.declared().map_or("", |field| &field.name)
    }

    /// The name in protobuf's JSON.
    #[must_use]
    pub fn json_name(&self) -> &str {
        self.declared().map_or("", |field| field.descriptor.json_name())
    }

    /// The number on the wire; 0 for a message as a whole.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.declared().map_or(0, |field| field.number)
    }

    /// The kind of the value; of a list or map, of each element.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.value_type().kind()
    }

    /// Whether it holds a list (a `ListValue` is a kind of its own).
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self.shape(), Shape::List { .. })
    }

    /// Whether it holds a map with declared key and value types.
    #[must_use]
    pub fn is_map(&self) -> bool {
        matches!(self.shape(), Shape::Map(_))
    }

    /// The kind of a map's keys.
    #[must_use]
    pub fn map_key(&self) -> Option<Kind> {
        match self.shape() {
            Shape::Map(key) => Some(key.kind.kind()),
            _ => None,
        }
    }

    /// Whether a value must be given.
    #[must_use]
    pub fn is_required(&self) -> bool {
        matches!(self.target, Target::Field { .. }) && self.declared().is_some_and(|field| field.required)
    }

    /// Whether absence is told from the default on the wire.
    #[must_use]
    pub fn has_presence(&self) -> bool {
        self.declared().is_none_or(|field| field.presence)
    }

    /// The oneof it belongs to.
    #[must_use]
    pub fn oneof(&self) -> Option<&str> {
        match self.target {
            Target::Field { message, field } => {
                let message = self.graph.message(message)?;
                let oneof = message.field(field)?.oneof?;
                crate::graph::at(&message.oneofs, oneof).map(|oneof| oneof.name.as_ref())
            }
            _ => None,
        }
    }

    /// The declared default, typed; what is filled in where nothing is given.
    #[must_use]
    pub fn default_value(&self) -> Option<&Value> {
        match self.target {
            Target::Field { .. } => self.declared()?.default.as_ref(),
            _ => None,
        }
    }

    /// Everything else that the option `(convoke.v1.field)` says.
    #[must_use]
    pub fn spec(&self) -> Option<&v1::FieldSpec> {
        self.declared().map(|field| field.spec.as_ref())
    }

    /// Whether its value is never shown.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.declared().is_some_and(|field| field.spec.secret)
    }

    /// What it is in an output.
    #[must_use]
    pub fn role(&self) -> v1::field_spec::Role {
        self.declared().map_or(v1::field_spec::Role::Unspecified, |field| field.spec.role())
    }

    /// The description from the option, else the comment.
    #[must_use]
    pub fn description(&self) -> String {
        match self.target {
            Target::Root(message) => {
                self.graph.message(message).map(crate::describe::message_text).unwrap_or_default()
            }
            _ => self.declared().map(crate::describe::field_text).unwrap_or_default(),
        }
    }

    /// The message type of the value, or of each element.
    #[must_use]
    pub fn message(&self) -> Option<Schema> {
        match self.value_type() {
            Type::Message(root) => Some(Schema { graph: Arc::clone(&self.graph), root }),
            _ => None,
        }
    }

    /// The elements of a list, or the values of a map.
    #[must_use]
    pub fn element(&self) -> Option<Self> {
        match (self.target, self.shape()) {
            (Target::Field { message, field }, Shape::List { .. } | Shape::Map(_)) => {
                Some(Self { graph: Arc::clone(&self.graph), target: Target::Element { message, field } })
            }
            _ => None,
        }
    }

    /// The declared values of an enum, in their order.
    pub fn enum_values(&self) -> impl Iterator<Item = EnumChoice<'_>> {
        let values = self.enumeration().map_or(&[][..], |it| it.values.as_slice());
        values.iter().map(|entry| EnumChoice { entry })
    }

    /// The full name of the message or enum type.
    #[must_use]
    pub fn type_name(&self) -> Option<&str> {
        match self.value_type() {
            Type::Message(message) => self.graph.message(message).map(|message| message.full_name.as_ref()),
            Type::Enum(_) => self.enumeration().map(|it| it.full_name.as_ref()),
            _ => None,
        }
    }

    /// The type in words: `list of int32`, `map of string to Leg`.
    #[must_use]
    pub fn type_text(&self) -> String {
        let element = crate::words::type_words(&self.graph, self.value_type());
        match self.shape() {
            Shape::Single => element,
            Shape::List { .. } => format!("list of {element}"),
            Shape::Map(key) => format!("map of {} to {element}", key.kind.kind()),
        }
    }

    pub(crate) fn enumeration(&self) -> Option<&EnumType> {
        match self.value_type() {
            Type::Enum(index) => self.graph.enumeration(index),
            _ => None,
        }
    }
}

/// Equal where the same place of one compilation is meant.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.graph, &other.graph) && self.target == other.target
    }
}

impl Eq for Field {}

impl Hash for Field {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.graph).hash(state);
        self.target.hash(state);
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("name", &self.name()).field("type", &self.type_text()).finish()
    }
}

// === impl EnumChoice ===

impl<'a> EnumChoice<'a> {
    /// The declared name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// The number on the wire.
    #[must_use]
    pub fn number(&self) -> i32 {
        self.entry.number
    }

    /// Other names for it.
    #[must_use]
    pub fn aliases(&self) -> &'a [String] {
        &self.entry.spec.aliases
    }

    /// The capabilities that this value chooses.
    #[must_use]
    pub fn capabilities(&self) -> &'a [String] {
        &self.entry.spec.capabilities
    }

    /// Everything that the option `(convoke.v1.enum_value)` says.
    #[must_use]
    pub fn spec(&self) -> &'a v1::EnumValueSpec {
        &self.entry.spec
    }
}
