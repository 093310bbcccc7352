//! Example sentences as patterns: literals and slots.
//!
//! `"price of {symbol_text}"` is written as a pattern. A sentence without slots becomes one where its values can
//! be told from the goal's entities: a lone number, a value that the field or the sample gives as an example.
//! Goals whose hints have no sentence get patterns from their fields' names and order.

use super::{
    source::{Slot, SlotKind, Source, words_of_name},
    stem::{Stems, pair},
    tokens::{Kind, Sentence, Token, fold},
    vocabulary::{Term, Vocabulary},
};

/// The most elements of a pattern; longer examples are read as a bag of words only.
const MAX_ELEMENTS: usize = 40;
/// The most patterns of a goal.
const MAX_PATTERNS: usize = 200;
/// The first of the characters that stand for slots while a sentence is cut into tokens.
const HOLE: u32 = 0xE000;

/// One element of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element {
    /// A word.
    Literal(Literal),
    /// An entity, by its place among the goal's slots.
    Slot(usize),
}

/// A word of a pattern.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Literal {
    /// The terms under which a word of a sentence meets it.
    pub(crate) terms: Vec<Term>,
    /// It carries grammar.
    pub(crate) function: bool,
    /// It may be missing for next to nothing.
    pub(crate) optional: bool,
    /// How much of a word it is.
    pub(crate) weight: f64,
}

/// A sentence with slots.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pattern {
    /// In order.
    pub(crate) elements: Vec<Element>,
    /// BCP 47 primary language; empty: any.
    pub(crate) language: String,
    /// No one wrote it: it follows from the fields.
    pub(crate) derived: bool,
}

impl Pattern {
    /// Whether it has words that carry a topic, or several of grammar ("how many … are …").
    pub(crate) fn speaks(&self) -> bool {
        let content = self.literals().any(|word| !word.function && !word.optional);
        content || self.literals().filter(|word| word.function).count() > 1
    }

    /// Its words.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.elements.iter().filter_map(|element| match element {
            Element::Literal(literal) => Some(literal),
            Element::Slot(_) => None,
        })
    }
}

/// The words of an example that stand outside its slots, with whether they carry grammar.
pub(crate) struct Bag {
    /// Folded words.
    pub(crate) words: Vec<String>,
    /// Pairs of ideographs.
    pub(crate) pairs: Vec<String>,
}

/// Compiles the patterns of one goal; `bag` receives the topic words of every example.
pub(crate) fn compile(
    source: &Source,
    stems: &Stems,
    vocabulary: &mut Vocabulary,
    mut bag: impl FnMut(&str, Bag),
) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut keep = |pattern: Pattern| {
        let fits = pattern.elements.len() <= MAX_ELEMENTS && !pattern.elements.is_empty();
        if fits && patterns.len() < MAX_PATTERNS && !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    };
    for hint in &source.hints {
        for example in &hint.examples {
            let (pattern, words) = read(example, &hint.language, &[], source, stems, vocabulary);
            bag(&hint.language, words);
            turned(&pattern).into_iter().chain([pattern]).for_each(&mut keep);
        }
    }
    for sample in &source.samples {
        let (pattern, words) = read(&sample.text, "", &sample.values, source, stems, vocabulary);
        bag("", words);
        keep(pattern);
    }
    for pattern in derive(source, stems, vocabulary) {
        keep(pattern);
    }
    patterns
}

/// "from {a} to {b}" as "to {b} from {a}".
fn turned(pattern: &Pattern) -> Option<Pattern> {
    let marked =
        |pair: &[Element]| matches!(pair, [Element::Literal(word), Element::Slot(_)] if word.function);
    let at = (0..pattern.elements.len()).find(|at| {
        let [first, second] = [0, 2].map(|by| pattern.elements.get(at + by..at + by + 2).unwrap_or_default());
        marked(first) && marked(second) && first.first() != second.first()
    })?;
    let mut turned = pattern.clone();
    turned.elements.get_mut(at..at + 4)?.rotate_left(2);
    Some(turned)
}

/// Reads one example.
fn read(
    example: &str,
    language: &str,
    values: &[(String, String)],
    source: &Source,
    stems: &Stems,
    vocabulary: &mut Vocabulary,
) -> (Pattern, Bag) {
    let text = holes(example, &source.slots);
    let sentence = Sentence::read(&text, language);
    let slots = slotted(&sentence, values, &source.slots);
    let mut elements = Vec::new();
    let mut bag = Bag { words: Vec::new(), pairs: Vec::new() };
    let mut at = 0;
    while let Some(token) = sentence.tokens.get(at) {
        if let Some(Some((slot, len))) = slots.get(at) {
            elements.extend(slot.map(Element::Slot));
            at += len;
            continue;
        }
        let next = sentence.tokens.get(at + 1).filter(|_| slots.get(at + 1).is_some_and(Option::is_none));
        let pair = pair(token, next);
        if token.is_content() && !matches!(token.kind, Kind::Quoted) {
            bag.words.push(token.folded.clone());
            bag.pairs.extend(pair.clone());
        }
        elements.push(Element::Literal(literal(token, language, stems, vocabulary)));
        at += 1;
    }
    (Pattern { elements, language: language.to_owned(), derived: false }, bag)
}

fn literal(token: &Token, language: &str, stems: &Stems, vocabulary: &mut Vocabulary) -> Literal {
    let terms = stems.index(&token.folded, language).iter().map(|term| vocabulary.add(term)).collect();
    Literal { terms, function: token.function, optional: token.polite, weight: token.weight() }
}

/// Replaces each `{field}` by a character of its own; an unknown field is a hole that takes nothing.
fn holes(example: &str, slots: &[Slot]) -> String {
    let mut text = String::with_capacity(example.len());
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, tail)) = after.split_once('}') else { break };
        let wanted = words_of_name(name);
        let named = |slot: &Slot| {
            words_of_name(&slot.field) == wanted
                || slot.aliases.iter().any(|alias| words_of_name(alias) == wanted)
        };
        let place = slots.iter().position(named).and_then(|at| u32::try_from(at).ok()).unwrap_or(0x1000);
        text.push_str(before);
        text.extend(char::from_u32(HOLE + place.min(0x1000)));
        rest = tail;
    }
    text.push_str(rest);
    text
}

/// For each token the slot that stands there and how many tokens it covers; a slot without a place takes nothing.
type Slotted = Vec<Option<(Option<usize>, usize)>>;

fn slotted(sentence: &Sentence<'_>, values: &[(String, String)], slots: &[Slot]) -> Slotted {
    let mut slotted: Slotted = vec![None; sentence.tokens.len()];
    for (token, place) in sentence.tokens.iter().zip(&mut slotted) {
        let code = token.folded.chars().next().map_or(0, u32::from);
        if (HOLE..=HOLE + 0x1000).contains(&code) {
            let at = usize::try_from(code - HOLE).ok().filter(|at| *at < slots.len());
            *place = Some((at, 1));
        }
    }
    if slotted.iter().any(Option::is_some) {
        return slotted;
    }
    for (field, value) in values {
        if let Some(at) = slots.iter().position(|slot| slot.field == *field) {
            place(sentence, value, at, &mut slotted);
        }
    }
    for (at, slot) in slots.iter().enumerate().filter(|(_, slot)| slot.kind == SlotKind::Text) {
        let used = slotted.iter().flatten().any(|(slot, _)| *slot == Some(at));
        if !used {
            let mut examples = slot.examples.iter();
            examples.any(|value| place(sentence, value, at, &mut slotted));
        }
    }
    lone(
        sentence,
        slots,
        &mut slotted,
        |kind| matches!(kind, SlotKind::Number { .. }),
        |kind| matches!(kind, Kind::Number(_)),
    );
    lone(
        sentence,
        slots,
        &mut slotted,
        |kind| matches!(kind, SlotKind::Date { .. }),
        |kind| matches!(kind, Kind::Date(_)),
    );
    slotted
}

/// Puts a slot where its value stands in the sentence, once.
fn place(sentence: &Sentence<'_>, value: &str, slot: usize, slotted: &mut Slotted) -> bool {
    let wanted = Sentence::read(value, "");
    let wanted: Vec<String> = wanted.tokens.iter().map(key).collect();
    if wanted.is_empty() || wanted.len() > sentence.tokens.len() {
        return false;
    }
    let found = sentence.tokens.windows(wanted.len()).enumerate().find(|(at, tokens)| {
        let free = slotted.iter().skip(*at).take(wanted.len()).all(Option::is_none);
        free && tokens.iter().map(key).eq(wanted.iter().cloned())
    });
    let Some((at, _)) = found else { return false };
    for (offset, place) in slotted.iter_mut().skip(at).take(wanted.len()).enumerate() {
        *place = Some((Some(slot), wanted.len() - offset));
    }
    true
}

/// How a value is compared: numbers by their digits, everything else by its folded form.
fn key(token: &Token) -> String {
    match &token.kind {
        Kind::Number(digits) => {
            digits.parse::<f64>().map_or_else(|_| digits.clone(), |value| format!("{value}"))
        }
        _ => fold(&token.folded),
    }
}

/// A lone slot of a kind takes the lone token of that kind.
fn lone(
    sentence: &Sentence<'_>,
    slots: &[Slot],
    slotted: &mut Slotted,
    slot_kind: impl Fn(&SlotKind) -> bool,
    token_kind: impl Fn(&Kind) -> bool,
) {
    let used = |at: usize| slotted.iter().flatten().any(|(slot, _)| *slot == Some(at));
    let mut free = slots.iter().enumerate().filter(|(at, slot)| slot_kind(&slot.kind) && !used(*at));
    let mut tokens = sentence.tokens.iter().enumerate().filter(|(_, token)| token_kind(&token.kind));
    if let (Some((slot, _)), None, Some((at, _)), None) =
        (free.next(), free.next(), tokens.next(), tokens.next())
        && let Some(place) = slotted.get_mut(at).filter(|place| place.is_none())
    {
        *place = Some((Some(slot), 1));
    }
}

/// Patterns that follow from the fields alone: the slots in field order, each after the words of its name where
/// these are no mere noun ("from_unit" → "from {from_unit}"), and the other way round.
fn derive(source: &Source, stems: &Stems, vocabulary: &mut Vocabulary) -> Vec<Pattern> {
    let open = |slot: &Slot| slot.kind != SlotKind::Closed;
    let required: Vec<usize> = (0..source.slots.len())
        .filter(|at| source.slots.get(*at).is_some_and(|slot| slot.required && open(slot)))
        .collect();
    let mut orders = vec![required.clone()];
    if let ([first, middle @ .., last], true) = (required.as_slice(), required.len() > 1) {
        orders.push(
            std::iter::once(*last).chain(std::iter::once(*first)).chain(middle.iter().copied()).collect(),
        );
        orders.push(middle.iter().copied().chain([*last, *first]).collect());
    }
    orders.dedup();
    let mut patterns = Vec::new();
    for order in orders.iter().filter(|order| !order.is_empty() && order.len() <= 8) {
        let mut elements = Vec::new();
        for at in order {
            let name = source.slots.get(*at).map(|slot| words_of_name(&slot.field)).unwrap_or_default();
            for token in &Sentence::read(&name, "en").tokens {
                let mut literal = literal(token, "en", stems, vocabulary);
                literal.optional = true;
                elements.push(Element::Literal(literal));
            }
            elements.push(Element::Slot(*at));
        }
        patterns.push(Pattern { elements, language: String::new(), derived: true });
    }
    patterns
}
