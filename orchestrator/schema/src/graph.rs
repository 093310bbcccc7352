//! A compiled schema: every message and enum that the root reaches, each once, referring to one another by index.
//!
//! Recursive types therefore cost nothing: nothing here is ever expanded.

use crate::constraint::Constraints;
use crate::defect::Defect;
use crate::kind::{Encoding, Type};
use crate::limits::Limits;
use crate::names::{Names, unprefixed};
use crate::nearest::Nearest;
use crate::rule::Rule;
use crate::value::{Object, Value};
use convoke_proto::v1;
use hashbrown::HashMap;
use prost_reflect::{EnumDescriptor, FieldDescriptor, MessageDescriptor};
use std::sync::{Arc, OnceLock};

/// All that was compiled.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) messages: Vec<MessageType>,
    pub(crate) enums: Vec<EnumType>,
    /// The messages that an Any may hold, sorted by full name; none where nothing holds an Any.
    pub(crate) packable: Vec<u32>,
    pub(crate) limits: Limits,
    /// Rules of `buf.validate` that are declared and not enforced.
    pub(crate) not_enforced: Vec<Defect>,
}

/// One message.
#[derive(Debug)]
pub(crate) struct MessageType {
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) full_name: Box<str>,
    /// Of a message with a JSON form of its own (a Timestamp, a wrapper, an Any): what reads that form. It has no
    /// fields then. Only a root and what an Any holds are such messages; a field of one has a kind of its own.
    pub(crate) whole: Option<Box<FieldType>>,
    /// Sorted by number.
    pub(crate) fields: Vec<FieldType>,
    pub(crate) oneofs: Vec<Oneof>,
    /// What `buf.validate` asks of several fields at a time.
    pub(crate) demands: Vec<Demand>,
    pub(crate) names: Names,
    /// Built when a name is misspelt for the first time.
    pub(crate) nearest: OnceLock<Nearest>,
    /// Fields that are required or have a default, sorted.
    pub(crate) obligations: Vec<u32>,
    pub(crate) drop_unknown: bool,
    /// What its JSON meets besides.
    pub(crate) rule: Option<Box<Rule>>,
    /// Whether it holds a secret, at any depth.
    pub(crate) sensitive: bool,
    /// What the option says; the comment is looked up when it is needed.
    pub(crate) description: String,
}

/// A oneof of the team's own; what `optional` makes is none.
#[derive(Debug)]
pub(crate) struct Oneof {
    pub(crate) name: Box<str>,
    pub(crate) fields: Vec<u32>,
}

/// At most one of some fields, or at least one; of a oneof, which has at most one anyway, it is at least one.
#[derive(Debug)]
pub(crate) struct Demand {
    /// Of the oneof; empty where the message names the fields itself.
    pub(crate) name: Box<str>,
    pub(crate) fields: Vec<u32>,
    pub(crate) required: bool,
}

/// One field.
#[derive(Debug)]
pub(crate) struct FieldType {
    pub(crate) descriptor: FieldDescriptor,
    pub(crate) name: Arc<str>,
    pub(crate) number: u32,
    pub(crate) shape: Shape,
    /// Of the value; of each element or map value.
    pub(crate) kind: Type,
    pub(crate) encoding: Encoding,
    /// Whether the value stands inside one of protobuf's wrapper messages.
    pub(crate) wrapped: bool,
    /// Whether absence is told from the default on the wire.
    pub(crate) presence: bool,
    pub(crate) oneof: Option<u32>,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) constraints: Option<Box<Constraints>>,
    /// What each value's JSON meets besides.
    pub(crate) rule: Option<Box<Rule>>,
    pub(crate) allow_non_finite: bool,
    /// Whether it is a secret or holds one.
    pub(crate) sensitive: bool,
    /// Shared by all fields without an option.
    pub(crate) spec: Arc<v1::FieldSpec>,
}

/// How many values a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Single,
    List { packed: bool },
    Map(MapKey),
}

/// The type of a map's keys, which are text in JSON and in a [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapKey {
    pub(crate) kind: Type,
    pub(crate) encoding: Encoding,
}

/// One enum.
#[derive(Debug)]
pub(crate) struct EnumType {
    pub(crate) descriptor: EnumDescriptor,
    pub(crate) full_name: Box<str>,
    /// As declared.
    pub(crate) values: Vec<EnumEntry>,
    /// The first declared value of each number.
    pub(crate) by_number: HashMap<i32, u32>,
    pub(crate) names: Names,
    /// Built when a name is misspelt for the first time.
    pub(crate) nearest: OnceLock<Nearest>,
    /// Whether numbers that are not declared are no values of it (proto2).
    pub(crate) closed: bool,
    /// Whether it is `google.protobuf.NullValue`, whose one value is JSON's null.
    pub(crate) null: bool,
}

/// One declared value of an enum.
#[derive(Debug)]
pub(crate) struct EnumEntry {
    pub(crate) name: Arc<str>,
    pub(crate) number: i32,
    pub(crate) spec: v1::EnumValueSpec,
}

/// A place in one of these tables.
pub(crate) fn at<T>(table: &[T], index: u32) -> Option<&T> {
    usize::try_from(index).ok().and_then(|index| table.get(index))
}

// === impl Graph ===

impl Graph {
    pub(crate) fn message(&self, index: u32) -> Option<&MessageType> {
        at(&self.messages, index)
    }

    pub(crate) fn enumeration(&self, index: u32) -> Option<&EnumType> {
        at(&self.enums, index)
    }

    /// The messages that an Any may hold.
    pub(crate) fn packable(&self) -> impl Iterator<Item = &MessageType> {
        self.packable.iter().filter_map(|index| self.message(*index))
    }

    /// The message that a type's URL names: what stands behind its last slash.
    pub(crate) fn packed(&self, url: &str) -> Option<(u32, &MessageType)> {
        let (_, name) = url.rsplit_once('/')?;
        let full_name = |index: &u32| self.message(*index).map_or("", |message| &message.full_name);
        let place = self.packable.binary_search_by(|index| full_name(index).cmp(name)).ok()?;
        let index = *self.packable.get(place)?;
        Some((index, self.message(index)?))
    }

    /// The messages that one holds in its fields; those of an Any are many.
    pub(crate) fn held(&self, message: u32) -> Vec<u32> {
        let message = self.message(message);
        let fields = message.into_iter().flat_map(|it| it.fields.iter().chain(it.whole.as_deref()));
        let mut held = Vec::new();
        for field in fields {
            match field.kind {
                Type::Message(index) => held.push(index),
                Type::Any => held.extend_from_slice(&self.packable),
                _ => {}
            }
        }
        held
    }
}

// === impl MessageType ===

impl MessageType {
    pub(crate) fn field(&self, index: u32) -> Option<&FieldType> {
        at(&self.fields, index)
    }

    /// Whether it is `google.protobuf.Empty`, which in an Any may also stand under `value`.
    pub(crate) fn is_empty_type(&self) -> bool {
        *self.full_name == *"google.protobuf.Empty"
    }

    /// The index of the field with that number.
    pub(crate) fn by_number(&self, number: u32) -> Option<usize> {
        // Numbers mostly run from 1 without gaps.
        let guess = usize::try_from(number).ok()?.checked_sub(1)?;
        if self.fields.get(guess).is_some_and(|field| field.number == number) {
            return Some(guess);
        }
        self.fields.binary_search_by_key(&number, |field| field.number).ok()
    }

    /// The known names nearest to a misspelt one.
    pub(crate) fn nearest_fields(&self, name: &str) -> Vec<&FieldType> {
        self.nearest().find(name).into_iter().filter_map(|index| self.field(index)).collect()
    }

    /// Whether a misspelt name may be that of a secret: it is a secret still.
    pub(crate) fn may_be_secret(&self, name: &str) -> bool {
        let secret = |index| self.field(index).is_some_and(|field| field.spec.secret);
        self.sensitive
            && (self.nearest_fields(name).iter().any(|field| field.sensitive)
                || self.nearest().all(name).any(secret))
    }

    fn nearest(&self) -> &Nearest {
        self.nearest.get_or_init(|| {
            let mut nearest = Nearest::default();
            for (index, field) in (0_u32..).zip(&self.fields) {
                nearest.add(&field.name, index);
                nearest.add(field.descriptor.json_name(), index);
                field.spec.aliases.iter().for_each(|alias| nearest.add(alias, index));
            }
            nearest
        })
    }
}

// === impl FieldType ===

impl FieldType {
    pub(crate) fn is_single(&self) -> bool {
        self.shape == Shape::Single
    }

    /// What absence means where it is not told from a value: zero, empty text, an empty list.
    pub(crate) fn zero(&self, graph: &Graph) -> Option<Value> {
        match self.shape {
            Shape::List { .. } => Some(Value::List(Vec::new())),
            Shape::Map(_) => Some(Value::Object(Object::new())),
            Shape::Single if self.presence => None,
            Shape::Single => self.kind.zero(graph),
        }
    }

    /// Whether a zero value and absence are one and the same on the wire.
    pub(crate) fn is_implicit(&self) -> bool {
        self.is_single() && !self.presence
    }
}

// === impl Type ===

impl Type {
    /// The value of a scalar that nobody set; none of a message.
    pub(crate) fn zero(self, graph: &Graph) -> Option<Value> {
        match self {
            Self::Double | Self::Float => Some(Value::Float(0.0)),
            Self::Integer(_) => Some(Value::Int(0)),
            Self::Bool => Some(Value::Bool(false)),
            Self::String => Some(Value::Text(String::new())),
            Self::Bytes => Some(Value::Bytes(bytes::Bytes::new())),
            Self::Enum(index) => graph.enumeration(index).map(|it| it.typed(it.zero())),
            _ => None,
        }
    }
}

// === impl EnumType ===

impl EnumType {
    pub(crate) fn value(&self, index: u32) -> Option<&EnumEntry> {
        at(&self.values, index)
    }

    /// The number that stands for absence: 0, in proto2 the first declared.
    pub(crate) fn zero(&self) -> i32 {
        if self.closed { self.values.first().map_or(0, |entry| entry.number) } else { 0 }
    }

    /// The declared values nearest to a misspelt one; of several names of one number the first.
    pub(crate) fn nearest_values(&self, name: &str) -> Vec<&EnumEntry> {
        let nearest = self.nearest.get_or_init(|| {
            let mut nearest = Nearest::default();
            for entry in &self.values {
                let index = self.by_number.get(&entry.number).copied().unwrap_or_default();
                nearest.add(&entry.name, index);
                entry.spec.aliases.iter().for_each(|alias| nearest.add(alias, index));
                if let Some(short) = unprefixed(self.descriptor.name(), &entry.name) {
                    nearest.add(&short, index);
                }
            }
            nearest
        });
        nearest.find(name).into_iter().filter_map(|index| self.value(index)).collect()
    }

    pub(crate) fn of_number(&self, number: i32) -> Option<&EnumEntry> {
        self.by_number.get(&number).and_then(|index| self.value(*index))
    }

    /// The typed value of a number, named where the number is declared; null for `NullValue`.
    pub(crate) fn typed(&self, number: i32) -> Value {
        if self.null {
            return Value::Null;
        }
        let name = self.of_number(number).map(|entry| Arc::clone(&entry.name));
        Value::Enum(crate::value::EnumValue { number, name })
    }
}
