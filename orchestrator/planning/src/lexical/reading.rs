//! One goal's reading of a sentence: its entities, and what speaks for and against it.

use std::{collections::BTreeSet, ops::Range};

use super::{
    align::{self, Alignment, Board, edge},
    index::{Goal, LexicalIndex, shape},
    pattern::{self, Pattern},
    query::Query,
    slots::{Entity, Fillers},
    source::{Slot, SlotKind},
    tokens::{Kind, Token},
    vocabulary::ratio,
    worth::Worth,
};

/// What speaks for a reading; each between 0 and 1 unless told otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Evidence {
    /// How much of what was said the goal explains.
    pub(crate) coverage: f64,
    /// How much was said about its topic.
    pub(crate) topic: f64,
    /// The part of that which stands outside its entities.
    pub(crate) spoken: f64,
    /// How well a pattern fits; less for one that nobody wrote.
    pub(crate) pattern: f64,
    /// Whether the entities' words are among those that its domain knows, −1 to 1.
    pub(crate) values: f64,
    /// The pattern has words or follows from the fields, and no word of the topic was said.
    pub(crate) bare: bool,
    /// The part of its required entities that was not said.
    pub(crate) missing: f64,
}

/// A goal's reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// Its entities by slot, in the order of the slots.
    pub(crate) entities: Vec<(usize, Entity)>,
    /// What speaks for it.
    pub(crate) evidence: Evidence,
}

/// How a written pattern counts against one that follows from the fields.
const DERIVED: f64 = 0.75;
/// A pattern that has words, none of which was said.
const BARE: f64 = 0.4;
/// A strange word as an entity of a goal that does not list its values.
const STRANGE: f64 = 0.8;
/// The same where it does list them, or another domain knows the word.
const FOREIGN: f64 = 0.2;
/// A word that says little, as a word about the topic.
const LIGHT: f64 = 0.3;
/// A known value as a word about the topic.
const NAMED: f64 = 0.6;

/// The best reading of `query` by one goal; `rank` says which of two is better.
pub(crate) fn read(
    index: &LexicalIndex,
    goal: &Goal,
    query: &Query<'_>,
    language: &str,
    rank: impl Fn(&Evidence) -> f64,
) -> Reading {
    let worth: Vec<Worth> = (0..query.tokens().len()).map(|at| Worth::of(index, goal, query, at)).collect();
    let fillers = Fillers::find(query, &goal.source.slots, &goal.namings);
    let choices = choices(query, &goal.source.slots, &fillers);
    let board =
        Board { query, slots: &goal.source.slots, fillers: &fillers, worth: &worth, choices: &choices };
    let reader = Reader { goal, query, board: &board };
    let none = Alignment::default();
    let mut best = reader.reading(&none, None, language);
    let mut best_rank = rank(&best.evidence);
    for pattern in &goal.patterns {
        let alignment = align::align(pattern, &board);
        if alignment.quality <= 0.0 {
            continue;
        }
        let reading = reader.reading(&alignment, Some(pattern), language);
        let rank = rank(&reading.evidence) + if pattern.language == language { 1e-3 } else { 0.0 };
        if rank > best_rank {
            (best, best_rank) = (reading, rank);
        }
    }
    best
}

struct Reader<'a> {
    goal: &'a Goal,
    query: &'a Query<'a>,
    board: &'a Board<'a>,
}

impl Reader<'_> {
    fn slots(&self) -> &[Slot] {
        &self.goal.source.slots
    }

    fn worth(&self, at: usize) -> Worth {
        self.board.worth.get(at).copied().unwrap_or_default()
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.query.tokens().get(at)
    }

    /// The entities and the evidence of one alignment.
    fn reading(&self, alignment: &Alignment, pattern: Option<&Pattern>, language: &str) -> Reading {
        let mut taken: Vec<Option<usize>> = vec![None; self.query.tokens().len()];
        let mut entities: Vec<(usize, Entity)> = Vec::new();
        for filled in &alignment.filled {
            let Some((entity, tokens)) = self.entity(filled.slot, filled.tokens.clone()) else { continue };
            mark(&mut taken, tokens, filled.slot);
            entities.push((filled.slot, entity));
        }
        self.fill_rest(alignment, &mut taken, &mut entities);
        entities.sort_by_key(|(slot, _)| *slot);
        let required = self.slots().iter().filter(|slot| slot.required).count();
        let missing = required
            - entities.iter().filter(|(slot, _)| self.slots().get(*slot).is_some_and(|s| s.required)).count();
        let kind = match pattern {
            Some(pattern) if pattern.derived => DERIVED,
            Some(pattern) if !pattern.language.is_empty() && pattern.language == language => 1.0,
            Some(_) => 0.99,
            None => 0.0,
        };
        let mut evidence = self.weigh(alignment, &taken);
        evidence.bare =
            evidence.spoken < 0.1 && pattern.is_some_and(|pattern| !self.heard(alignment, pattern));
        evidence.pattern = alignment.quality.max(0.0) * kind * if evidence.bare { BARE } else { 1.0 };
        evidence.missing = ratio(missing, required.max(1));
        Reading { entities, evidence }
    }

    /// Whether a written pattern's words were said, as far as it has any: its topic, or its grammar.
    fn heard(&self, alignment: &Alignment, pattern: &Pattern) -> bool {
        let said = |words: &pattern::Literal| {
            alignment.literals.iter().any(|at| self.query.meets(*at, &words.terms) > 0.0)
        };
        let content = pattern.literals().any(|word| !word.function && !word.optional);
        let grammar = || pattern.literals().filter(|word| word.function).any(said);
        !pattern.derived && !content && (!pattern.speaks() || grammar())
    }

    /// A slot's entity, and the tokens that are left of its content once it is trimmed.
    fn entity(&self, slot: usize, tokens: Range<usize>) -> Option<(Entity, Range<usize>)> {
        let spec = self.slots().get(slot)?;
        if spec.kind != SlotKind::Text {
            let entity = self.board.fillers.entity(slot, tokens.start, tokens.end)?;
            let entity = if spec.repeated { Entity::List(vec![entity]) } else { entity };
            return Some((entity, tokens));
        }
        let Range { mut start, mut end } = tokens;
        let quoted = |at: &usize| self.token(*at).is_some_and(|token| token.kind == Kind::Quoted);
        if let Some(at) = (start..end).find(quoted) {
            (start, end) = (at, at + 1);
        }
        while start < end && self.token(start).is_some_and(edge) {
            start += 1;
        }
        while start < end && self.token(end - 1).is_some_and(edge) {
            end -= 1;
        }
        // "find" alone is nobody's value.
        if (start..end).all(|at| self.token(at).is_none_or(|token| token.light)) {
            return None;
        }
        let text = self.query.sentence.slice(start..end);
        let text = if end < self.query.tokens().len() { owner(text) } else { text };
        let entity = if spec.repeated { list(text) } else { Entity::Text(text.to_owned()) };
        Some((entity, start..end))
    }

    /// What the pattern left open: enum values anywhere, a lone number, date or quotation.
    fn fill_rest(
        &self,
        alignment: &Alignment,
        taken: &mut [Option<usize>],
        entities: &mut Vec<(usize, Entity)>,
    ) {
        for (slot, spec) in self.slots().iter().enumerate() {
            if entities.iter().any(|(known, _)| *known == slot) {
                continue;
            }
            let free = |range: &Range<usize>| {
                taken.get(range.clone()).is_some_and(|taken| taken.iter().all(Option::is_none))
            };
            let mut places = self.board.fillers.of(slot).filter(|filler| free(&(filler.start..filler.end)));
            let rivals = self.slots().iter().enumerate().filter(|(other, rival)| {
                let open = !entities.iter().any(|(known, _)| known == other);
                open && std::mem::discriminant(&rival.kind) == std::mem::discriminant(&spec.kind)
                    && rival.required >= spec.required
            });
            let alone = rivals.count() <= 1;
            match (&spec.kind, places.next(), places.next()) {
                (SlotKind::Enum(_), Some(filler), _) => {
                    let (entity, range) = (filler.entity.clone(), filler.start..filler.end);
                    mark(taken, range, slot);
                    entities.push((slot, entity));
                }
                (SlotKind::Number { .. } | SlotKind::Date { .. }, Some(filler), None) if alone => {
                    let (entity, range) = (filler.entity.clone(), filler.start..filler.end);
                    mark(taken, range, slot);
                    entities.push((slot, entity));
                }
                (SlotKind::Text, _, _) if alone => self.quotation(slot, alignment, taken, entities),
                _ => {}
            }
        }
    }

    fn quotation(
        &self,
        slot: usize,
        alignment: &Alignment,
        taken: &mut [Option<usize>],
        entities: &mut Vec<(usize, Entity)>,
    ) {
        let free =
            |at: &usize| taken.get(*at).is_some_and(Option::is_none) && !alignment.literals.contains(at);
        let quoted = |at: &usize| self.token(*at).is_some_and(|token| token.kind == Kind::Quoted);
        let found = (0..taken.len()).find(|at| quoted(at) && free(at));
        if let Some(at) = found {
            mark(taken, at..at + 1, slot);
            entities.push((slot, Entity::Text(self.query.sentence.slice(at..at + 1).to_owned())));
        }
    }

    /// Coverage, topic and values.
    fn weigh(&self, alignment: &Alignment, taken: &[Option<usize>]) -> Evidence {
        let (mut said, mut explained, mut spoken, mut named) = (0.0, 0.0, 0.0, 0.0);
        let (mut words, mut known) = (0.0, 0.0);
        let swallowed = self.swallowed(taken);
        for (at, token) in self.query.tokens().iter().enumerate() {
            let slot = taken.get(at).copied().flatten();
            let typed = matches!(token.kind, Kind::Number(_) | Kind::Date(_));
            if !(token.is_content() || typed) {
                continue;
            }
            if token.light && slot.is_none() {
                // It says little, and needs little explanation.
                let (share, told) = self.outside(at, false);
                named += LIGHT * told;
                said += LIGHT / 2.0;
                explained += LIGHT / 2.0 * share;
                continue;
            }
            let weight = token.weight();
            said += weight;
            match slot.and_then(|slot| self.slots().get(slot).map(|spec| (slot, spec))) {
                Some((slot, spec)) if spec.kind == SlotKind::Text && !typed => {
                    let sure = if swallowed.contains(&at) { 0.0 } else { self.value(slot, at) };
                    words += weight;
                    known += weight * sure;
                    named += weight * sure.max(0.0) * NAMED;
                    explained += weight
                        * if sure > 0.0 {
                            STRANGE + (1.0 - STRANGE) * sure
                        } else {
                            STRANGE + (STRANGE - FOREIGN) * sure
                        };
                }
                Some((_, spec)) => {
                    // A number among the words of a text was hardly meant as such.
                    explained += if spec.kind == SlotKind::Text { weight / 2.0 } else { weight };
                    if matches!(spec.kind, SlotKind::Enum(_)) {
                        spoken += NAMED * weight;
                    }
                }
                None => {
                    let (share, told) = self.outside(at, alignment.literals.contains(&at));
                    explained += weight * share;
                    spoken += weight * told;
                }
            }
        }
        let values = if words > 0.0 { known / words } else { 0.0 };
        let coverage = if said > 0.0 { explained / said } else { 0.0 };
        let much = |sum: f64| 1.0 - f64::exp(-1.6 * sum);
        Evidence {
            coverage,
            topic: much(spoken + named),
            spoken: much(spoken),
            values,
            ..Evidence::default()
        }
    }

    /// The tokens inside some text that name a choice of an enum which was left open: "Ada in French" is no name that
    /// the domain knows because it knows French.
    fn swallowed(&self, taken: &[Option<usize>]) -> BTreeSet<usize> {
        let open = |(slot, spec): &(usize, &Slot)| {
            matches!(spec.kind, SlotKind::Enum(_)) && !taken.contains(&Some(*slot))
        };
        let slots = self.slots().iter().enumerate().filter(open);
        slots
            .flat_map(|(slot, _)| self.board.fillers.of(slot))
            .flat_map(|filler| filler.start..filler.end)
            .collect()
    }

    /// How far a word outside the entities is explained, and what it says about the topic.
    fn outside(&self, at: usize, literal: bool) -> (f64, f64) {
        let Worth { topic, telling, shared, .. } = self.worth(at);
        let share = if literal { topic.max(0.9) } else { (topic * 1.15).min(1.0).max(0.6 * shared) };
        (share, if self.token(at).is_some_and(|token| token.light) && topic < 0.85 { 0.0 } else { telling })
    }

    /// How sure a word is a value of the domain: 1 known, 0 strange, −1 strange where values are listed or known
    /// elsewhere.
    fn value(&self, slot: usize, at: usize) -> f64 {
        let Worth { value: own, shared, elsewhere, .. } = self.worth(at);
        if self.token(at).is_some_and(|token| token.light) {
            return -0.5;
        }
        if own >= 0.5 {
            return own;
        }
        let shapes = self.goal.shapes.get(slot).map(Vec::as_slice).unwrap_or_default();
        let examples = self.slots().get(slot).map_or(0, |spec| spec.examples.len());
        let shape = shape(self.query.sentence.slice(at..at + 1));
        if !self.query.shouted && shape.as_ref().is_some_and(|shape| shapes.contains(shape)) {
            return 0.6;
        }
        // Every example is a code ("LH400"), and this is a plain word.
        if examples > 0 && shapes.len() == examples && shape.is_none() {
            return -0.7;
        }
        if shared >= 0.85 {
            return -0.6;
        }
        match (self.goal.listed.get(slot), elsewhere >= 0.84) {
            (Some(true), _) => -1.0,
            (_, true) => -0.5,
            _ => 0.0,
        }
    }
}

/// Which tokens name, behind a word of grammar, a choice of an enum.
fn choices(query: &Query<'_>, slots: &[Slot], fillers: &Fillers) -> Vec<bool> {
    let mut choices = vec![false; query.tokens().len()];
    let enums = slots.iter().enumerate().filter(|(_, spec)| matches!(spec.kind, SlotKind::Enum(_)));
    for filler in enums.flat_map(|(slot, _)| fillers.of(slot)) {
        let behind = filler.start.checked_sub(1).and_then(|at| query.tokens().get(at));
        if behind.is_some_and(|token| token.function) {
            choices.get_mut(filler.start..filler.end).into_iter().flatten().for_each(|choice| *choice = true);
        }
    }
    choices
}

fn mark(taken: &mut [Option<usize>], tokens: Range<usize>, slot: usize) {
    for place in taken.get_mut(tokens).into_iter().flatten() {
        *place = Some(slot);
    }
}

/// "Berlin's" before another word is Berlin.
fn owner(text: &str) -> &str {
    text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text)
}

/// "A, B and C" as a list: commas part it, and so does the last word of grammar.
fn list(text: &str) -> Entity {
    const AND: [&str; 10] = [" and ", " und ", " et ", " y ", " e ", " en ", " och ", " & ", " и ", "、"];
    let mut parts: Vec<&str> = text.split([',', ';']).collect();
    for word in AND {
        parts = parts.into_iter().flat_map(|part| part.split(word)).collect();
    }
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    Entity::List(parts.map(|part| Entity::Text(part.to_owned())).collect())
}
