//! What is read of one goal: names, texts, hints and the shape of its entities.
//!
//! This is the edge to the catalog; behind it the adapter knows texts and slots only.

/// One goal, as the index compiles it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    /// The domain that offers it.
    pub(crate) domain: String,
    /// Its name.
    pub(crate) name: String,
    /// In words.
    pub(crate) description: String,
    /// Other names and tags that speak of it, such as its capability's.
    pub(crate) labels: Vec<String>,
    /// Keywords and sentences, by language.
    pub(crate) hints: Vec<Hint>,
    /// Sentences with the values that they mean.
    pub(crate) samples: Vec<Sample>,
    /// Its entities, in field order.
    pub(crate) slots: Vec<Slot>,
}

/// The hints of one language.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hint {
    /// BCP 47; empty: any.
    pub(crate) language: String,
    /// Words and phrases.
    pub(crate) keywords: Vec<String>,
    /// Sentences; `{field}` is a slot.
    pub(crate) examples: Vec<String>,
}

/// An example of the capability: a sentence, and the values of its entities.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    /// The sentence.
    pub(crate) text: String,
    /// Field and value, as text.
    pub(crate) values: Vec<(String, String)>,
}

/// One entity.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// The field's proto name.
    pub(crate) field: String,
    /// What fills it.
    pub(crate) kind: SlotKind,
    /// It must be said: required, and without a default.
    pub(crate) required: bool,
    /// It takes several values.
    pub(crate) repeated: bool,
    /// In words.
    pub(crate) description: String,
    /// Values as people write them.
    pub(crate) examples: Vec<String>,
    /// Other names of the field.
    pub(crate) aliases: Vec<String>,
}

/// What fills a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// A number; whole only when `integer`.
    Number {
        /// The field takes whole numbers.
        integer: bool,
    },
    /// A date; with its time where the field is a Timestamp.
    Date {
        /// The field is a `google.protobuf.Timestamp`.
        timestamp: bool,
    },
    /// One of the values, each with the words that name it.
    Enum(Vec<EnumValue>),
    /// Yes or no.
    Bool,
    /// The person's own words.
    Text,
    /// Nothing that a sentence could say (a message, a map, bytes).
    Closed,
}

/// A value of an enum and its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EnumValue {
    /// The exact name.
    pub(crate) name: String,
    /// The words that name it: the name without the type's prefix, and its aliases.
    pub(crate) words: Vec<String>,
}

/// Splits a name at case changes, underscores, dots and digits: `GetTopMovers` → `get top movers`.
pub(crate) fn words_of_name(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut words = String::with_capacity(name.len() + 8);
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let after = chars.get(at + 1);
        let hump = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
            });
        if hump || !c.is_alphanumeric() {
            words.push(' ');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        }
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_style_fall_into_words() {
        assert_eq!(words_of_name("GetTopMovers"), "get top movers");
        assert_eq!(words_of_name("TOP_MOVERS"), "top movers");
        assert_eq!(words_of_name("convert_units.v2"), "convert units v2");
        assert_eq!(words_of_name("parseHTTPBody"), "parse http body");
    }
}
