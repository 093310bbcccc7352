//! What a `google.protobuf.Struct` cannot carry, and so neither an Invoke nor a plan: by rule, with the reason.

use convoke_schema::Value;

/// A difference between JSON text and the Struct that it travels in.
pub(crate) struct Loss {
    pub(crate) rule: &'static str,
    pub(crate) reason: &'static str,
    /// Whether the rest can be sent all the same.
    pub(crate) sent: bool,
    has: fn(&Value) -> bool,
}

/// Text that is no JSON is refused by what reads it, before there is a Struct.
pub(crate) const NO_JSON: &str = "INVALID_JSON";

/// Objects and lists within each other that fit into the 100 messages of a protobuf reader: a Struct, its entry and its
/// value are three.
const MOST_NESTED: usize = 31;

/// All of them; the first that holds is the reason.
pub(crate) const LOSSES: [Loss; 6] = [
    Loss {
        rule: "no object",
        reason: "the parameters of a call are an object; anything else at the root has no place in the request",
        sent: false,
        has: |value| value.as_object().is_none(),
    },
    Loss {
        rule: "duplicate keys",
        reason: "a Struct has one value for each name; who reads JSON for one refuses duplicates",
        sent: false,
        has: |value| any(value, &has_duplicates),
    },
    Loss {
        rule: "nesting",
        reason: "protobuf's readers stop at 100 messages within each other, which are 33 Structs",
        sent: false,
        has: |value| depth(value) > MOST_NESTED,
    },
    Loss {
        rule: "numbers as text",
        reason: "integers beyond 2^53 and numbers beyond every double travel as their text: of a 64-bit field that \
                 says the same, of a text no change is left to record, and what is refused is shown in quotes",
        sent: true,
        has: |value| any(value, &|value| is_number(value) && carried(value).as_str().is_some()),
    },
    Loss {
        rule: "numbers as doubles",
        reason: "a number written with a point or an exponent travels as the nearest double",
        sent: true,
        has: |value| any(value, &|value| is_number(value) && carried(value) != *value),
    },
    Loss {
        rule: "order of names",
        reason: "the names of a Struct have no order: reports follow that of the alphabet, not that of the text",
        sent: true,
        has: |value| any(value, &is_unsorted),
    },
];

/// What a value is on the other side.
pub(crate) fn carried(value: &Value) -> Value {
    Value::from(value.to_proto())
}

/// What of the value gets lost, if anything does.
pub(crate) fn loss(value: &Value) -> Option<&'static Loss> {
    static TABLE: [Loss; 6] = LOSSES;
    TABLE.iter().find(|loss| (loss.has)(value))
}

/// How many objects and lists stand within each other.
pub(crate) fn depth(value: &Value) -> usize {
    children(value)
        .map(|child| depth(child) + 1)
        .max()
        .unwrap_or_else(|| usize::from(matches!(value, Value::List(_) | Value::Object(_))))
}

fn any(value: &Value, holds: &dyn Fn(&Value) -> bool) -> bool {
    holds(value) || children(value).any(|child| any(child, holds))
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let members = value.as_object().into_iter().flat_map(|object| object.iter().map(|(_, member)| member));
    members.chain(value.as_list().unwrap_or_default())
}

fn names(value: &Value) -> Vec<&str> {
    let object = value.as_object();
    object.into_iter().flat_map(|object| object.iter().map(|(name, _)| name.as_str())).collect()
}

fn has_duplicates(value: &Value) -> bool {
    let mut names = names(value);
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

fn is_unsorted(value: &Value) -> bool {
    !names(value).is_sorted()
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_))
}
