//! Laying a pattern along a sentence.
//!
//! The best alignment is found by dynamic programming over (elements consumed, tokens consumed, inside a text
//! slot): linear in the pattern's length times the sentence's. Words of a pattern may be missing, words of the
//! sentence may be left over, each at a price; a slot takes only what fits its type.

use std::ops::Range;

use super::{
    pattern::{Element, Literal, Pattern},
    query::Query,
    slots::Fillers,
    source::{Slot, SlotKind},
    tokens::{Kind, Pause, Token},
    worth::Worth,
};

/// Where a slot found its content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filled {
    /// The slot.
    pub(crate) slot: usize,
    /// The tokens that it took.
    pub(crate) tokens: Range<usize>,
}

/// A pattern laid along a sentence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alignment {
    /// Reward less penalties, over the most that the pattern could get; at most 1.
    pub(crate) quality: f64,
    /// The slots that found something, in the order of the pattern.
    pub(crate) filled: Vec<Filled>,
    /// The tokens that are literals of the pattern.
    pub(crate) literals: Vec<usize>,
}

/// Everything that an alignment looks at.
pub(crate) struct Board<'a> {
    /// The sentence.
    pub(crate) query: &'a Query<'a>,
    /// The goal's entities.
    pub(crate) slots: &'a [Slot],
    /// Where typed slots could be filled.
    pub(crate) fillers: &'a Fillers,
    /// What each token is worth to the goal.
    pub(crate) worth: &'a [Worth],
    /// Whether each token, behind a word of grammar, names a choice of one of the goal's enums: "in French".
    pub(crate) choices: &'a [bool],
}

const TYPED: f64 = 1.0;
const TEXT: f64 = 0.7;
const GRAMMAR: f64 = 0.25;

/// How a state was reached.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Start,
    SkipToken,
    SkipElement,
    Match,
    Typed(usize),
    Open,
    Extend,
    Close,
}

/// The score of a state and how it was reached.
type Cell = (f64, Step);

const UNREACHED: Cell = (f64::NEG_INFINITY, Step::Start);

/// Lays `pattern` along the sentence of `board`.
pub(crate) fn align(pattern: &Pattern, board: &Board<'_>) -> Alignment {
    let mut table = Table::new(pattern.elements.len(), board.query.tokens().len());
    for elements in 0..=pattern.elements.len() {
        for tokens in 0..table.width {
            expand(&mut table, pattern, board, elements, tokens);
        }
    }
    let mut alignment = trace(&table, pattern);
    let asked: f64 = pattern.elements.iter().map(|element| reward(element, board.slots)).sum();
    let extra = alignment
        .filled
        .iter()
        .filter_map(|filled| board.slots.get(filled.slot))
        .filter(|slot| !slot.required);
    let ideal: f64 = asked + extra.map(worth_of).sum::<f64>();
    alignment.quality = (table.score() / ideal.max(0.25)).clamp(-1.0, 1.0);
    alignment
}

struct Table {
    /// Outside a text slot, and inside the one at the state's element.
    cells: [Vec<Cell>; 2],
    width: usize,
    elements: usize,
}

impl Table {
    fn new(elements: usize, tokens: usize) -> Self {
        let width = tokens + 1;
        let mut table =
            Self { cells: [0, 1].map(|_| vec![UNREACHED; width * (elements + 1)]), width, elements };
        table.put(0, 0, 0, (0.0, Step::Start));
        table
    }

    fn get(&self, inside: usize, element: usize, token: usize) -> Cell {
        let cells = self.cells.get(inside);
        cells.and_then(|cells| cells.get(element * self.width + token)).copied().unwrap_or(UNREACHED)
    }

    fn put(&mut self, inside: usize, element: usize, token: usize, cell: Cell) {
        if token >= self.width || element > self.elements {
            return;
        }
        let place = self.cells.get_mut(inside).and_then(|cells| cells.get_mut(element * self.width + token));
        if let Some(place) = place.filter(|place| cell.0 > place.0) {
            *place = cell;
        }
    }

    fn score(&self) -> f64 {
        self.get(0, self.elements, self.width - 1).0
    }
}

/// Pushes the state (`at` elements, `t` tokens) on to those that follow from it.
fn expand(table: &mut Table, pattern: &Pattern, board: &Board<'_>, at: usize, t: usize) {
    // Inside first: closing a slot at `t` leads to the next element's row, never back to this state.
    let (inside, _) = table.get(1, at, t);
    if inside.is_finite() {
        table.put(0, at + 1, t, (inside - closing(board, t), Step::Close));
        if t + 1 < table.width {
            table.put(1, at, t + 1, (inside + inner(board, t, false), Step::Extend));
        }
    }
    let (score, _) = table.get(0, at, t);
    if !score.is_finite() {
        return;
    }
    if t + 1 < table.width {
        table.put(0, at, t + 1, (score - left_over(board, t, pattern.derived), Step::SkipToken));
    }
    let Some(element) = pattern.elements.get(at) else { return };
    match element {
        Element::Literal(literal) => {
            table.put(0, at + 1, t, (score - missing_literal(literal, pattern.derived), Step::SkipElement));
            if let Some(gain) = literal_gain(literal, board, t) {
                table.put(0, at + 1, t + 1, (score + gain, Step::Match));
            }
        }
        Element::Slot(slot) => {
            let required = board.slots.get(*slot).is_some_and(|slot| slot.required);
            table.put(0, at + 1, t, (score - if required { 0.9 } else { 0.25 }, Step::SkipElement));
            match board.slots.get(*slot).map(|slot| &slot.kind) {
                Some(SlotKind::Text) if t + 1 < table.width => {
                    let open = TEXT + inner(board, t, true) - collision(pattern, board, at, t);
                    table.put(1, at, t + 1, (score + open, Step::Open));
                }
                _ => {
                    for end in board.fillers.ends(*slot, t) {
                        table.put(0, at + 1, end, (score + TYPED, Step::Typed(t)));
                    }
                }
            }
        }
    }
}

/// What it costs to end a text slot before the token at `t`: a value does not end with a word of grammar, nor
/// before a word that might belong to it.
fn closing(board: &Board<'_>, t: usize) -> f64 {
    let tokens = board.query.tokens();
    let topic = board.worth.get(t).map_or(0.0, |worth| worth.topic);
    let after = tokens.get(t).is_some_and(|next| next.kind == Kind::Word && next.is_content() && !next.light);
    let goes_on = after && topic < 0.8 && tokens.get(t).is_some_and(|next| next.pause == Pause::None);
    let grammar = tokens.get(t.wrapping_sub(1)).is_some_and(edge);
    f64::from(u8::from(grammar)) * 0.3 + f64::from(u8::from(goes_on)) * 0.2
}

/// Two text slots in a row need a word between them.
fn collision(pattern: &Pattern, board: &Board<'_>, at: usize, t: usize) -> f64 {
    let text = |at: usize| match pattern.elements.get(at) {
        Some(Element::Slot(slot)) => board.slots.get(*slot).is_some_and(|slot| slot.kind == SlotKind::Text),
        _ => false,
    };
    let before = board.query.tokens().get(t.wrapping_sub(1));
    let parted = before.is_none_or(|token| !token.is_content());
    if at > 0 && text(at - 1) && !parted { 0.5 } else { 0.0 }
}

/// The most that an element can add.
fn reward(element: &Element, slots: &[Slot]) -> f64 {
    match element {
        Element::Literal(literal) if literal.optional => 0.0,
        Element::Literal(literal) if literal.function => GRAMMAR * literal.weight,
        Element::Literal(literal) => literal.weight,
        Element::Slot(slot) => match slots.get(*slot) {
            Some(slot) if !slot.required => 0.0,
            Some(slot) => worth_of(slot),
            None => 0.0,
        },
    }
}

fn worth_of(slot: &Slot) -> f64 {
    if slot.kind == SlotKind::Text { TEXT } else { TYPED }
}

/// What it gains to take the token at `t` for a literal; `None` where it cannot be.
fn literal_gain(literal: &Literal, board: &Board<'_>, t: usize) -> Option<f64> {
    let token = board.query.tokens().get(t)?;
    let sure = board.query.meets(t, &literal.terms);
    if sure > 0.0 {
        return Some(if literal.function { GRAMMAR } else { sure } * literal.weight);
    }
    // One word of grammar does for another: "to" for "in", "are" for "in".
    (literal.function && token.function && token.kind == Kind::Word).then_some(0.0)
}

fn missing_literal(literal: &Literal, derived: bool) -> f64 {
    match (literal.optional, literal.function) {
        (true, _) if derived => 0.0,
        (true, _) => 0.02,
        (false, true) => 0.15 * literal.weight,
        (false, false) => 0.5 * literal.weight,
    }
}

/// What it costs to leave the token at `t` out.
fn left_over(board: &Board<'_>, t: usize, derived: bool) -> f64 {
    let Some(token) = board.query.tokens().get(t) else { return 0.0 };
    let worth = board.worth.get(t).copied().unwrap_or_default();
    match token.kind {
        _ if token.polite => 0.0,
        Kind::Syllable => 0.03,
        _ if token.function => {
            if derived {
                0.02
            } else {
                0.06
            }
        }
        Kind::Date(_) => 0.3,
        Kind::Number(_) => 0.5,
        // The enum takes it, wherever it stands.
        _ if board.choices.get(t).copied().unwrap_or_default() => 0.1,
        // A pattern that nobody wrote has no words of the topic: they stand around its slots.
        _ if token.light => 0.06,
        _ if derived => token.weight() * (0.55 - 0.75 * worth.topic).max(0.0),
        _ => token.weight() * (0.55 - 0.5 * worth.topic),
    }
}

/// What it gains or costs to have the token at `t` inside a text slot.
fn inner(board: &Board<'_>, t: usize, first: bool) -> f64 {
    let Some(token) = board.query.tokens().get(t) else { return 0.0 };
    let worth = board.worth.get(t).copied().unwrap_or_default();
    let numeric = board.slots.iter().any(|slot| matches!(slot.kind, SlotKind::Number { .. }));
    let pause = if token.pause == Pause::Strong && !first { 0.4 } else { 0.0 };
    let token_cost = match token.kind {
        _ if token.polite => 0.5,
        Kind::Quoted => -0.3,
        Kind::Syllable if first => 0.3,
        Kind::Syllable => 0.1,
        _ if edge(token) && first => 0.3,
        _ if token.function => 0.15,
        Kind::Date(_) => 0.8,
        Kind::Number(_) if numeric => 0.6,
        Kind::Number(_) => 0.1,
        _ if !first && board.choices.get(t).copied().unwrap_or_default() => 0.4,
        _ if token.light && first => 0.5,
        _ if token.light => 0.12,
        _ => token.weight() * (1.5 * (worth.topic - worth.value - 0.6).max(0.0) - 0.1 * worth.value),
    };
    -(token_cost + pause)
}

/// A word that a value neither begins nor ends with, unless it is written as part of a name.
pub(crate) fn edge(token: &Token) -> bool {
    token.polite || (token.function && !token.capital) || token.kind == Kind::Syllable
}

/// Reads the best way back.
fn trace(table: &Table, pattern: &Pattern) -> Alignment {
    let mut alignment = Alignment::default();
    let (mut inside, mut at, mut t) = (0, table.elements, table.width - 1);
    let mut end = t;
    for _ in 0..=2 * (table.elements + table.width) {
        match table.get(inside, at, t).1 {
            Step::Start => break,
            Step::SkipToken => t -= 1,
            Step::SkipElement => at -= 1,
            Step::Match => {
                (at, t) = (at - 1, t - 1);
                alignment.literals.push(t);
            }
            Step::Typed(start) => {
                at -= 1;
                alignment.filled.extend(slot(pattern, at).map(|slot| Filled { slot, tokens: start..t }));
                t = start;
            }
            Step::Close => (inside, at, end) = (1, at - 1, t),
            Step::Extend => t -= 1,
            Step::Open => {
                (inside, t) = (0, t - 1);
                alignment.filled.extend(slot(pattern, at).map(|slot| Filled { slot, tokens: t..end }));
            }
        }
    }
    alignment.filled.reverse();
    alignment.literals.reverse();
    alignment
}

fn slot(pattern: &Pattern, at: usize) -> Option<usize> {
    match pattern.elements.get(at) {
        Some(Element::Slot(slot)) => Some(*slot),
        _ => None,
    }
}
