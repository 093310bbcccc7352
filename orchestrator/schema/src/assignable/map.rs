//! Maps, and what is made one.

use super::combine::{ALWAYS, Reach, about, both, sometimes, where_absent};
use super::domain::{Part, parts};
use super::list::Count;
use super::range::Whole;
use super::{Assignable, Known, Side, judge, message, never, open, scalar, text, words};
use crate::graph::{FieldType, MapKey, MessageType, Shape};
use crate::kind::Type;
use crate::report::Rule;

pub(super) fn of_map(
    from: Side<'_>,
    own: MapKey,
    to: Side<'_>,
    key: MapKey,
    known: &mut Known,
    depth: usize,
) -> Assignable {
    let mut count = Count::of(from);
    if own.kind == Type::Bool {
        count = count.at_most(2);
    }
    let keys = keys(own.kind, key.kind).verdict(
        || format!("its keys are {}", key.kind.kind()),
        || format!("a key that is {} is no {}", own.kind.kind(), key.kind.kind()),
    );
    let each = both(keys, about("each value", judge(from.element(), to.element(), known, depth)));
    match (key.kind, own.kind) {
        // Two keys are all that a map from booleans has.
        (Type::Bool, Type::String | Type::Integer(_)) => sometimes_within(count.at_most(2), each, to),
        _ => count.judge(each, to),
    }
}

fn sometimes_within(count: Count, each: Assignable, to: Side<'_>) -> Assignable {
    match count.judge(each, to) {
        Assignable::Always(rule) => sometimes(rule, "its keys are true and false"),
        other => other,
    }
}

/// Whether the keys of one type are the text of keys of the other.
fn keys(from: Type, to: Type) -> Reach {
    match (from, to) {
        (_, Type::String) | (Type::Bool, Type::Bool) => Reach::new(true, true),
        (Type::Integer(from), Type::Integer(to)) => {
            Reach::new(Whole::new(to.range()).contains(Whole::new(from.range())), true)
        }
        (Type::String, Type::Integer(_)) => Reach::UNKNOWN.by(Rule::TextToNumber),
        (Type::String | Type::Integer(_), Type::Bool) => Reach::UNKNOWN.by(Rule::TextToBool),
        _ => Reach::NONE,
    }
}

/// One value that is no map for a map.
pub(super) fn of_single(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    if let Some(parts) = parts(from) {
        let part = |part: &Part| match part {
            Part::Listed(_) => scalar::reach(part, from, to),
            Part::Text(words) => text::map(words, to).by(Rule::TextToJson),
            _ => Reach::NONE,
        };
        let reach = parts.iter().map(part).reduce(Reach::or).unwrap_or(Reach::UNKNOWN);
        return reach.verdict(|| words::condition(from, to), || words::reason(from, to));
    }
    match from.kind {
        Type::Message(index) => match from.graph.message(index) {
            Some(message) => of_message(from, message, to, known, depth),
            None => sometimes(None, "its values fit"),
        },
        Type::Struct if open::takes_anything(to) => ALWAYS,
        Type::Any if open::takes_anything(to) => open::dynamic(from),
        Type::Any => tagged(to),
        Type::ListValue => sometimes(Some(Rule::PairsToMap), "it is a list of key and value"),
        _ => sometimes(None, "its keys and values fit"),
    }
}

fn least(to: Side<'_>) -> u32 {
    let constraints = to.field.and_then(|field| field.constraints.as_deref());
    constraints.filter(|it| !it.empty_passes).map_or(0, |it| it.min_items)
}

/// An Any for a map: it has its type beside its fields, as text.
fn tagged(to: Side<'_>) -> Assignable {
    let text_keys = matches!(to.shape, Shape::Map(key) if key.kind == Type::String);
    let holds_text = matches!(to.kind, Type::String | Type::Value);
    if least(to) == 0 || (text_keys && holds_text) {
        sometimes(None, "its members fit, the type under @type among them")
    } else {
        Assignable::Never { reason: "the type under @type fits no entry".to_owned() }
    }
}

/// The fields are the entries.
fn of_message(
    from: Side<'_>,
    message: &MessageType,
    to: Side<'_>,
    known: &mut Known,
    depth: usize,
) -> Assignable {
    if depth > from.graph.limits.max_depth {
        return ALWAYS;
    }
    let Shape::Map(key) = to.shape else { return never(from, to) };
    let mut verdict = ALWAYS;
    let (mut least, mut greatest) = (0, message.oneofs.len());
    for field in &message.fields {
        let always = message::always_there(field);
        least += u64::from(always);
        greatest += usize::from(field.oneof.is_none());
        let name = match key.kind {
            Type::String => Reach::new(true, true),
            Type::Bool if crate::coerce::says_bool(&field.name) => Reach::UNKNOWN.by(Rule::TextToBool),
            _ => Reach::NONE,
        };
        let name = name.verdict(
            || "its name says true or false".to_owned(),
            || format!("the name is no {}", key.kind.kind()),
        );
        let fits = both(name, judge(from.member(field), to.element(), known, depth + 1));
        let fits = if always { fits } else { where_absent(fits, "it is absent") };
        verdict = both(verdict, about(&field.name, fits));
    }
    let count = Count { empty: least == 0, least: least.max(1), greatest: u64::MAX }.at_most(greatest);
    if greatest == 0 { count.judge(ALWAYS, to) } else { counted(count, verdict, to) }
}

/// What fits without any field fits as an empty map, too.
fn counted(count: Count, verdict: Assignable, to: Side<'_>) -> Assignable {
    match verdict {
        Assignable::Sometimes { rule, condition } => match count.judge(Assignable::Always(rule), to) {
            Assignable::Always(_) | Assignable::Sometimes { .. } => sometimes(rule, condition),
            never => never,
        },
        other => count.judge(other, to),
    }
}

/// A list for a map: each element is a pair of key and value.
pub(super) fn of_list(from: Side<'_>, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let each = match from.kind {
        Type::Message(index) => match from.graph.message(index) {
            Some(message) => pair(from, message, to, known, depth),
            None => sometimes(None, "it is a pair of key and value"),
        },
        Type::Struct | Type::Value => sometimes(None, "it is a pair of key and value"),
        _ => never(from, to),
    };
    let count = Count::of(from);
    match count.judge(each, to) {
        Assignable::Always(_) if count.greatest > 1 => {
            sometimes(Some(Rule::PairsToMap), "each key comes once")
        }
        Assignable::Always(_) => Assignable::Always(Some(Rule::PairsToMap)),
        Assignable::Sometimes { condition, .. } => sometimes(Some(Rule::PairsToMap), condition),
        never => never,
    }
}

/// `{key, value}` and nothing else.
fn pair(from: Side<'_>, message: &MessageType, to: Side<'_>, known: &mut Known, depth: usize) -> Assignable {
    let no_pair =
        || Assignable::Never { reason: format!("{} is no pair of key and value", message.full_name) };
    let field = |name: &str| message.fields.iter().find(|field| *field.name == *name);
    let (Some(key), Some(value), Shape::Map(asked)) = (field("key"), field("value"), to.shape) else {
        return no_pair();
    };
    let others = || message.fields.iter().filter(|field| !matches!(&*field.name, "key" | "value"));
    let Some(key_fits) = key_text(key, asked) else { return no_pair() };
    if others().any(message::always_there) {
        return no_pair();
    }
    let mut verdict = key_fits.verdict(|| "its key fits".to_owned(), || "its key fits no map".to_owned());
    for it in [key, value].into_iter().filter(|it| !message::always_there(it)) {
        verdict = both(verdict, sometimes(None, format!("{} is there", it.name)));
    }
    if let Some(other) = others().next() {
        verdict = both(verdict, sometimes(None, format!("{} is absent", other.name)));
    }
    let value = from.member(value);
    both(verdict, about("value", judge(value, to.element(), known, depth + 1)))
}

/// What a pair's key makes for a key; none where it is no text, number or boolean.
fn key_text(key: &FieldType, asked: MapKey) -> Option<Reach> {
    if !key.is_single() {
        return None;
    }
    match (key.kind, asked.kind) {
        (
            Type::String | Type::FieldMask | Type::Bool | Type::Integer(_) | Type::Double | Type::Float,
            Type::String,
        ) => Some(Reach::new(true, true)),
        (Type::Bool, Type::Integer(_)) => None,
        (Type::Bool | Type::Integer(_), _) => Some(keys(key.kind, asked.kind)),
        (Type::FieldMask, Type::Integer(_)) => None,
        (Type::String | Type::FieldMask | Type::Double | Type::Float | Type::Value, _) => {
            Some(Reach::UNKNOWN)
        }
        _ => None,
    }
}

/// A map for a message: the keys are the names of fields.
pub(super) fn to_message(
    from: Side<'_>,
    to: Side<'_>,
    index: u32,
    known: &mut Known,
    depth: usize,
) -> Assignable {
    let Some(message) = to.graph.message(index) else { return never(from, to) };
    if Count::of(from).empty && open::empty_fits(to) {
        return sometimes(None, "its keys are the fields of the message");
    }
    let text_keys = matches!(from.shape, Shape::Map(key) if key.kind == Type::String);
    // What has no field of its name is dropped.
    let mut named = to.work.drops && message.drop_unknown;
    for field in &message.fields {
        // Neither a number nor a boolean is the name of a field, but one may be an alias.
        let found = text_keys || !field.spec.aliases.is_empty() || crate::coerce::says_bool(&field.name);
        let mut value = || judge(from.element(), to.member(field), known, depth + 1);
        let fits =
            found && depth <= to.graph.limits.max_depth && !matches!(value(), Assignable::Never { .. });
        if !fits && field.required && field.default.is_none() {
            return never(from, to);
        }
        named |= fits;
    }
    if named { sometimes(None, "its keys are the fields of the message") } else { never(from, to) }
}

/// A map for an Any: its type is an entry.
pub(super) fn to_any(from: Side<'_>, to: Side<'_>) -> Assignable {
    let text_keys = matches!(from.shape, Shape::Map(key) if key.kind == Type::String);
    if Count::of(from).empty || (text_keys && matches!(from.kind, Type::String | Type::Value)) {
        sometimes(None, "it names its type under @type")
    } else {
        never(from, to)
    }
}
