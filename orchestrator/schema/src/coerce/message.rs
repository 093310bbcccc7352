//! Messages: which member is which field, in the order of the fields' numbers.

use super::{At, Coercer, is_object};
use crate::graph::{FieldType, MessageType};
use crate::json;
use crate::names::Match;
use crate::place::Place;
use crate::report::{Op, Rule, ViolationRule};
use crate::value::{Name, Object, Value};
use crate::words;

/// A member that was found to be a field. Of several that are one field, that with its own name comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    field: u32,
    rename: Option<Rename>,
    position: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rename {
    Spelling,
    Alias,
}

/// A message whose members are being sorted out.
struct Open<'g, 'a> {
    message: &'g MessageType,
    at: At<'a>,
    /// For each oneof the member that is set.
    oneofs: Vec<Choice>,
    out: Vec<(Name, Value)>,
}

/// What is known of a oneof.
#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    set: bool,
    seen: bool,
    reported: bool,
}

impl Coercer<'_> {
    /// A message at its own depth. Says whether it is right now.
    pub(super) fn message(&mut self, index: u32, value: &mut Value, at: At<'_>) -> bool {
        let Some(message) = self.graph.message(index) else { return true };
        let shown = self.shown(message.sensitive);
        if at.depth > self.graph.limits.max_depth {
            let expected = format!("at most {} messages within each other", self.graph.limits.max_depth);
            self.refuse(shown.sensitive, at.place, ViolationRule::TooDeep, expected, value, String::new());
            return false;
        }
        let error = self.open_text(value, is_object, shown, at.place);
        let Value::Object(object) = value else {
            let mut expected = format!("an object with the fields of {}", message.full_name);
            if let Some(error) = error {
                expected = format!("{expected}; the text is no JSON: {error}");
            }
            self.refuse(shown.sensitive, at.place, ViolationRule::WrongType, expected, value, String::new());
            return false;
        };
        let mut members = object.take();
        let base = self.slots.len();
        let known = self.sort_out(message, &members, at);
        let open = Open {
            message,
            at,
            oneofs: self.choices(message, &members, base),
            out: Vec::with_capacity((self.slots.len() - base).saturating_add(message.obligations.len())),
        };
        let (fields, mut right) = self.members(open, &mut members, base);
        self.slots.truncate(base);
        right &= self.demands(message, &fields, at);
        *value = Value::Object(Object::from(fields));
        known && right && self.message_rule(message, value, at.place)
    }

    /// Finds the field of each member; reports those that are none. The slots from `base` on are sorted then.
    fn sort_out(&mut self, message: &MessageType, members: &[(Name, Value)], at: At<'_>) -> bool {
        let base = self.slots.len();
        let mut right = true;
        // Members mostly come in the order of the fields.
        let mut next = 0_u32;
        for (position, (name, value)) in members.iter().enumerate() {
            let found = match message.field(next) {
                Some(field) if *field.name == **name => Match::Exact(next),
                _ => message.names.find(name, &mut self.scratch),
            };
            let (field, rename) = match found {
                Match::Exact(field) => (field, None),
                Match::Spelling(field) => (field, Some(Rename::Spelling)),
                Match::Alias(field) => (field, Some(Rename::Alias)),
                Match::Ambiguous(one, other) => {
                    right = false;
                    self.ambiguous(message, [one, other], name, value, at);
                    continue;
                }
                Match::Unknown => {
                    right &= self.unknown(message, name, value, at);
                    continue;
                }
            };
            next = field.saturating_add(1);
            self.slots.push(Slot { field, rename, position });
        }
        if let Some(slots) = self.slots.get_mut(base..)
            && !slots.is_sorted()
        {
            slots.sort_unstable();
        }
        right
    }

    fn unknown(&mut self, message: &MessageType, name: &Name, value: &Value, at: At<'_>) -> bool {
        if self.report.is_full() {
            return false;
        }
        let place = at.place.field(name);
        let nearest = message.nearest_fields(name);
        let sensitive = message.may_be_secret(name);
        if message.drop_unknown {
            let shown = self.shown(sensitive);
            let draft = self.report.begin(&place, Rule::UnknownDropped, Op::Remove).lossy();
            shown.before(draft, value).finish();
            return true;
        }
        let names: Vec<&str> = nearest.iter().take(3).map(|field| field.name.as_ref()).collect();
        let suggestion = names.join(", ");
        let expected = match message.fields.as_slice() {
            [] => format!("nothing: {} has no fields", message.full_name),
            _ => format!("a field of {}: {}", message.full_name, field_names(message)),
        };
        self.refuse(sensitive, &place, ViolationRule::UnknownField, expected, value, String::new());
        self.report.suggest(suggestion);
        false
    }

    fn ambiguous(&mut self, message: &MessageType, fields: [u32; 2], name: &Name, value: &Value, at: At<'_>) {
        let fields: Vec<&FieldType> = fields.iter().filter_map(|index| message.field(*index)).collect();
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_ref()).collect();
        let sensitive = fields.iter().any(|field| field.sensitive);
        let expected = format!("{}: the name may mean each of them", words::one_of(names.iter().copied()));
        self.refuse(
            sensitive,
            &at.place.field(name),
            ViolationRule::UnknownField,
            expected,
            value,
            String::new(),
        );
        self.report.suggest(names.join(", "));
    }

    /// Which oneofs have a member that is not null.
    fn choices(&self, message: &MessageType, members: &[(Name, Value)], base: usize) -> Vec<Choice> {
        let mut choices = vec![Choice::default(); message.oneofs.len()];
        if choices.is_empty() {
            return choices;
        }
        for slot in self.slots.iter().skip(base) {
            let Some(field) = message.field(slot.field) else { continue };
            let Some((_, value)) = members.get(slot.position) else { continue };
            let choice =
                field.oneof.and_then(|index| usize::try_from(index).ok()).and_then(|it| choices.get_mut(it));
            if let Some(choice) = choice {
                choice.set |= !value.is_null() || self.takes_null(field.kind);
            }
        }
        choices
    }

    /// Goes through fields that are there and fields that have something to say when they are absent.
    fn members(
        &mut self,
        mut open: Open<'_, '_>,
        members: &mut [(Name, Value)],
        base: usize,
    ) -> (Vec<(Name, Value)>, bool) {
        let mut right = true;
        let mut obligations = open.message.obligations.iter().copied().peekable();
        let mut index = base;
        while let Some(slot) = self.slots.get(index).copied() {
            if self.report.is_full() {
                return (open.out, false);
            }
            while let Some(absent) = obligations.next_if(|obliged| *obliged < slot.field) {
                right &= self.absent(&mut open, absent);
            }
            let obliged = obligations.next_if(|obliged| *obliged == slot.field).is_some();
            let same = self.slots.iter().skip(index).take_while(|other| other.field == slot.field).count();
            right &= same == 1 || self.duplicate(&open, members, index, same);
            index = index.saturating_add(same);
            let Some(member) = members.get_mut(slot.position) else { continue };
            let (name, value) = std::mem::take(member);
            right &= self.member(&mut open, slot, obliged, name, value);
        }
        for absent in obligations {
            right &= self.absent(&mut open, absent);
        }
        (open.out, right)
    }

    fn member(
        &mut self,
        open: &mut Open<'_, '_>,
        slot: Slot,
        obliged: bool,
        name: Name,
        mut value: Value,
    ) -> bool {
        let Some(field) = open.message.field(slot.field) else { return true };
        let place = open.at.place.field_from(&field.name, &name);
        if value.is_null() && !(field.is_single() && self.takes_null(field.kind)) {
            self.report.begin(&place, Rule::NullDropped, Op::Remove).before(&value).finish();
            return !obliged || self.absent(open, slot.field);
        }
        if let Some(rename) = slot.rename {
            let rule = match rename {
                Rename::Spelling => Rule::FieldSpelling,
                Rename::Alias => Rule::FieldAlias,
            };
            self.report.begin(&place, rule, Op::Rename).before_text(&name).after_text(&field.name).finish();
        }
        let chosen = self.chosen(open, field, open.at.place);
        let right = self.field(field, &mut value, At { place: &place, depth: open.at.depth });
        let name = if slot.rename.is_some() { Name::from(&field.name) } else { name };
        open.out.push((name, value));
        chosen && right
    }

    /// Reports the second member of a oneof.
    fn chosen(&mut self, open: &mut Open<'_, '_>, field: &FieldType, place: &Place<'_>) -> bool {
        let Some(index) = field.oneof else { return true };
        let Some(choice) = usize::try_from(index).ok().and_then(|index| open.oneofs.get_mut(index)) else {
            return true;
        };
        if !std::mem::replace(&mut choice.seen, true) || std::mem::replace(&mut choice.reported, true) {
            return !choice.reported;
        }
        let Some(oneof) = crate::graph::at(&open.message.oneofs, index) else { return true };
        let members = || oneof.fields.iter().filter_map(|index| open.message.field(*index));
        let names: Vec<&str> = members().map(|field| field.name.as_ref()).collect();
        let first = open.out.iter().map(|(name, _)| name.as_str()).find(|name| names.contains(name));
        let both: Vec<Value> = first.into_iter().chain([field.name.as_ref()]).map(Value::from).collect();
        let expected = format!("at most {}", words::one_of(names.iter().copied()));
        let both = Value::List(both);
        self.refuse(
            false,
            &place.field(&oneof.name),
            ViolationRule::OneofConflict,
            expected,
            &both,
            String::new(),
        );
        false
    }

    fn duplicate(
        &mut self,
        open: &Open<'_, '_>,
        members: &[(Name, Value)],
        index: usize,
        same: usize,
    ) -> bool {
        let slots = self.slots.iter().skip(index).take(same);
        let came: Vec<&(Name, Value)> = slots.filter_map(|slot| members.get(slot.position)).collect();
        let field = self.slots.get(index).and_then(|slot| open.message.field(slot.field));
        let (Some(field), Some((_, second))) = (field, came.get(1)) else { return true };
        let mut names = String::new();
        for (count, (name, _)) in came.iter().enumerate().take(3) {
            names.push_str(if count > 0 { " and " } else { "" });
            json::string(name, &mut names);
        }
        let expected = format!("the field once; it came as {names}");
        let place = open.at.place.field(&field.name);
        self.refuse(field.sensitive, &place, ViolationRule::DuplicateField, expected, second, String::new());
        if came.iter().any(|(name, _)| *name.as_str() != *field.name) {
            self.report.suggest(field.name.to_string());
        }
        false
    }

    /// A field that is not there: its default, or what is missing.
    fn absent(&mut self, open: &mut Open<'_, '_>, index: u32) -> bool {
        let Some(field) = open.message.field(index) else { return true };
        let place = open.at.place.field(&field.name);
        let choice = field.oneof.and_then(|it| usize::try_from(it).ok()).and_then(|it| open.oneofs.get(it));
        if let Some(default) = &field.default
            && !choice.is_some_and(|choice| choice.set)
        {
            let shown = self.shown(field.sensitive);
            let draft = self.report.begin(&place, Rule::DefaultFilled, Op::Insert);
            shown.after(draft, default).finish();
            open.out.push((Name::from(&field.name), default.clone()));
            return true;
        }
        if !field.required {
            return true;
        }
        self.report.missing(&place, words::expected_whole(self.graph, field));
        false
    }
}

/// The names of a message's fields, as many as a reader takes in.
fn field_names(message: &MessageType) -> String {
    words::one_of(message.fields.iter().map(|field| field.name.as_ref()))
}
