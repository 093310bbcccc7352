//! What becomes of text: for a string, and for everything that is read from text.

use super::combine::Reach;
use super::language::{Language, exists};
use super::work::{Kept, Work};
use super::{Side, further};
use crate::constraint::ElementRules;
use crate::graph::Shape;
use crate::kind::{IntegerType, Type};
use crate::names::Names;
use crate::value::Value;
use std::sync::Arc;

const NUMBER: &str = r"[ \t\n\x0C\r]*[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[ \t\n\x0C\r]*";
const NON_FINITE: &str = r"[ \t\n\x0C\r]*[+-]?(?i:nan|inf|infinity)[ \t\n\x0C\r]*";
const BOOL: &str = r"[ \t\n\x0C\r]*(?i:true|t|1|yes|on|false|f|0|no|off)[ \t\n\x0C\r]*";

/// A path of a field mask, in either spelling.
const SPELLED_PATH: &str = r"[ \t\n\x0C\r]*[a-z][A-Za-z0-9_]*(?:\.[a-z][A-Za-z0-9_]*)*[ \t\n\x0C\r]*";

/// So many characters are enough for one text of every form.
const ROOMY: u32 = 64;

/// How many digits of base64 are told apart.
const MAX_DIGITS: u32 = 100;
/// Numbers of one or two characters.
const SHORT_NUMBERS: std::ops::RangeInclusive<i64> = -9..=99;

/// Texts of some lengths that match a pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    pub(super) least: u32,
    /// 0: none.
    pub(super) greatest: u32,
    pub(super) pattern: Option<String>,
    /// Whether the pattern is somebody's declaration.
    pub(super) declared: bool,
    /// Where its language is kept from one judge to the next.
    pub(super) kept: Option<Kept>,
}

// === impl Words ===

impl Words {
    pub(super) fn of(rules: Option<&ElementRules>) -> Self {
        let pattern = rules.and_then(|rules| match &rules.pattern {
            Some(pattern) => Some((pattern.engine_syntax().to_owned(), true)),
            None => rules.further.iter().find_map(further::pattern),
        });
        let (least, greatest) = rules.map_or((0, 0), |rules| (rules.min_length, rules.max_length));
        let (pattern, declared) = pattern.unzip();
        let kept = rules.and_then(|rules| rules.pattern.as_ref()).map(|pattern| pattern.kept().clone());
        Self { least, greatest, pattern, declared: declared.unwrap_or(true), kept }
    }

    /// Whole texts of that form.
    pub(super) fn like(form: &str) -> Self {
        Self { pattern: Some(format!(r"\A(?:{form})\z")), ..Self::default() }
    }

    /// Whether these are all texts.
    fn is_open(&self) -> bool {
        self.least == 0 && self.greatest == 0 && self.pattern.is_none()
    }

    fn has_length(&self, length: u32) -> bool {
        length >= self.least && (self.greatest == 0 || length <= self.greatest)
    }

    /// Whether a text is among these; none where that is not found out.
    pub(super) fn has(&self, text: &str, work: &Work) -> Option<bool> {
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        match &self.pattern {
            _ if !self.has_length(length) => Some(false),
            None => Some(true),
            Some(_) if !work.spend(length.into()) => None,
            Some(_) => self.language(work)?.has(text),
        }
    }

    /// The texts of any length.
    fn language(&self, work: &Work) -> Option<Arc<Language>> {
        let pattern = self.pattern.as_deref().unwrap_or_default();
        let build = || Language::new(pattern, self.declared).map(Arc::new);
        work.language(pattern, || self.kept.as_ref().map_or_else(build, |kept| kept.or_built(build)))
    }

    /// What of these texts is among others.
    pub(super) fn reach(&self, others: &Self, work: &Work) -> Reach {
        if others.is_open() {
            return Reach::new(true, true);
        }
        let within = self.least >= others.least
            && (others.greatest == 0 || (self.greatest > 0 && self.greatest <= others.greatest));
        let apart = (others.greatest > 0 && self.least > others.greatest)
            || (self.greatest > 0 && others.least > self.greatest);
        if apart {
            return Reach::NONE;
        }
        match (&self.pattern, &others.pattern) {
            (None, None) => return Reach::new(within, true),
            (Some(own), Some(other)) if own == other && within => return Reach::new(true, true),
            // Hardly a pattern has every text; no automaton is needed where one is seen that it has not.
            (None, Some(_)) if self.is_open() && others.has("\u{0}~", work) == Some(false) => {
                return Reach::UNKNOWN;
            }
            _ => {}
        }
        self.walk(others, work).unwrap_or(Reach::UNKNOWN)
    }

    fn walk(&self, others: &Self, work: &Work) -> Option<Reach> {
        let own = self.language(work)?;
        let other = others.language(work)?;
        let longest = [self.least, self.greatest, others.least, others.greatest].into_iter().max()?;
        let shared = |has: bool, length| has && self.has_length(length) && others.has_length(length);
        let beyond = |has: bool, length| self.has_length(length) && !(has && others.has_length(length));
        let all = !exists(&own, &other, longest, work, beyond)?;
        Some(Reach::new(all, exists(&own, &other, longest, work, shared)?))
    }

    /// Whether some of these texts have this form; taken for granted where that is not found out.
    pub(super) fn touches(&self, form: &str, work: &Work) -> bool {
        // Blanks around it make any of the forms longer.
        let roomy = self.greatest == 0 || self.greatest >= ROOMY;
        if self.pattern.is_none() && roomy && self.least <= ROOMY {
            return true;
        }
        let shared = |other: &Self| {
            let own = self.language(work)?;
            let language = other.language(work)?;
            let fits = |has: bool, length| has && self.has_length(length);
            exists(&own, &language, self.least.max(self.greatest), work, fits)
        };
        shared(&Self::like(form)).unwrap_or(true)
    }

    /// Whether all of these texts have this form, as far as that can be said.
    pub(super) fn stays_within(&self, form: &str, work: &Work) -> bool {
        !self.is_open() && self.walk(&Self::like(form), work).is_some_and(|reach| reach.all)
    }
}

/// Text for a single value that is no string.
pub(super) fn read(words: &Words, to: Side<'_>) -> Reach {
    let (may, sure) = forms(to);
    if !words.touches(&may, to.work) {
        return Reach::NONE;
    }
    if matches!(to.kind, Type::Integer(_)) && matches!(words.greatest, 1 | 2) {
        let fits = |number: i64| super::scalar::attempt(to, Value::Int(number)).is_ok();
        let mut numbers =
            SHORT_NUMBERS.filter(|number| words.has(&number.to_string(), to.work) != Some(false));
        if !numbers.any(fits) {
            return Reach::NONE;
        }
    }
    let free = to.rules().is_none_or(ElementRules::is_empty);
    Reach::new(free && sure.is_some_and(|sure| words.stays_within(&sure, to.work)), true)
}

/// The form that every text has which is taken, and one whose every text is taken.
fn forms(to: Side<'_>) -> (String, Option<String>) {
    let any = || "(?s:.*)".to_owned();
    let json = |open: &str, close: &str| (format!(r"\s*{open}(?s:.*){close}\s*"), None);
    match to.kind {
        Type::Double | Type::Float => {
            let may = if to.non_finite() { format!("{NUMBER}|{NON_FINITE}") } else { NUMBER.to_owned() };
            let digits = if to.kind == Type::Float { 6 } else { 14 };
            (may, Some(format!(r"[+-]?(?:0|[1-9][0-9]{{0,{digits}}})(?:\.[0-9]{{1,15}})?")))
        }
        Type::Integer(integer) => {
            let (sign, digits) = match integer {
                IntegerType::Int32 => ("[+-]?", 8),
                IntegerType::Uint32 => (r"\+?", 8),
                IntegerType::Int64 => ("[+-]?", 17),
                IntegerType::Uint64 => (r"\+?", 18),
            };
            (NUMBER.to_owned(), Some(format!("{sign}(?:0|[1-9][0-9]{{0,{digits}}})")))
        }
        Type::Bool => (BOOL.to_owned(), Some(BOOL.to_owned())),
        Type::Bytes => {
            let digits = |bytes: u32| bytes.saturating_mul(4).div_ceil(3).min(MAX_DIGITS);
            let (least, greatest) =
                to.rules().map_or((0, 0), |it| (digits(it.min_length), digits(it.max_length)));
            let greatest =
                if matches!(greatest, 0 | MAX_DIGITS) { String::new() } else { greatest.to_string() };
            let may = format!(r"\s*[A-Za-z0-9+/_-]{{{least},{greatest}}}={{0,2}}\s*");
            (may, Some("(?:[A-Za-z0-9+/]{4})*".to_owned()))
        }
        Type::Timestamp => (r"\s*[0-9]{4}-[0-9]{2}-[0-9]{2}(?s:.*)".to_owned(), None),
        Type::Duration => (
            r"\s*[+-]?(?:[0-9]|[Pp][Tt]?[0-9])(?s:.*)".to_owned(),
            Some("-?(?:0|[1-9][0-9]{0,8})s?".to_owned()),
        ),
        Type::FieldMask => (
            format!("(?:{SPELLED_PATH}(?:,{SPELLED_PATH})*)?"),
            Some("(?:[a-z]+(?:\\.[a-z]+)*(?:,[a-z]+(?:\\.[a-z]+)*)*)?".to_owned()),
        ),
        Type::Message(_) | Type::Struct | Type::Any => json(r"\{", r"\}"),
        Type::ListValue => json(r"\[", r"\]"),
        Type::Enum(index) => {
            let names = to.graph.enumeration(index).map(|it| {
                let names: Vec<String> = it.values.iter().map(|entry| regex::escape(&entry.name)).collect();
                names.join("|")
            });
            let may = to.graph.enumeration(index).and_then(|it| spellings(&it.names));
            (may.unwrap_or_else(any), names)
        }
        Type::String | Type::Value => (any(), Some(any())),
    }
}

/// The form of every text that names a value, in any spelling or by its number; none where letters beyond ASCII may.
fn spellings(names: &Names) -> Option<String> {
    let mut forms = vec![NUMBER.to_owned()];
    for name in names.spellings() {
        if !name.is_ascii() {
            return None;
        }
        let letters: Vec<String> = name
            .chars()
            .filter(|it| !matches!(it, '_' | '-' | ' '))
            .map(|it| regex::escape(&it.to_string()))
            .collect();
        forms.push(format!(r"(?i:[\s_-]*{}[\s_-]*)", letters.join(r"[\s_-]*")));
    }
    Some(forms.join("|"))
}

/// Whether a text may be taken for several elements: as the JSON of a list, or between commas.
pub(super) fn may_be_several(words: &Words, to: Side<'_>) -> bool {
    let commas = match to.kind {
        Type::Integer(_) => words.touches(r"\s*[+-]?[0-9][0-9+\-.eE\s]*,[0-9+\-.eE,\s]*", to.work),
        Type::Enum(_) => words.touches("(?s:.*),(?s:.*)", to.work),
        _ => false,
    };
    // As an element a text takes the JSON of any list of single values, short of numbers beyond every double.
    let free =
        matches!(to.kind, Type::String | Type::Value) && to.field.is_none_or(|it| it.constraints.is_none());
    let inside = r"(?s:.*)(?:\[(?s:.*)\]|\{(?s:.*)\}|null|[0-9][eE]\+?[0-9]{3})(?s:.*)";
    let list = format!(r"\s*\[{}\]\s*", if free { inside } else { "(?s:.*)" });
    commas || words.touches(&list, to.work)
}

/// Text for a map: the JSON of an object or of a list of pairs.
pub(super) fn map(words: &Words, to: Side<'_>) -> Reach {
    debug_assert!(matches!(to.shape, Shape::Map(_)), "only maps are read so");
    Reach::new(false, words.touches(r"\s*(?:\{(?s:.*)\}|\[(?s:.*)\])\s*", to.work))
}
