//! Tokens that are one thing together: "two hundred", "2.5 million", "March 2nd, 2020".

use std::ops::Range;

use super::{
    dates::{self, Date},
    lexicon::LanguageSet,
    tokens::{Kind, Pause, Token},
};

/// Joins numbers in words, then dates in words; a code before a number reads after it.
pub(super) fn join(text: &str, tokens: Vec<Token>, languages: LanguageSet) -> Vec<Token> {
    let tokens = rewrite(text, tokens, |rest| number(rest, languages));
    let tokens = rewrite(text, tokens, |rest| date(rest).map(|(date, len)| (Kind::Date(date), len)));
    codes_last(text, tokens)
}

/// "EUR 250 in …" is spoken as "250 EUR in …": a short word in capitals before a number that counts nothing else.
fn codes_last(text: &str, mut tokens: Vec<Token>) -> Vec<Token> {
    let code = |token: &Token| {
        let word = text.get(token.range.clone()).unwrap_or_default();
        token.kind == Kind::Word && matches!(word.len(), 2..=4) && word.chars().all(char::is_uppercase)
    };
    let shouted = !text.chars().any(char::is_lowercase);
    for at in 1..tokens.len() {
        let counts =
            tokens.get(at + 1).is_some_and(|next| next.is_content() || matches!(next.kind, Kind::Number(_)));
        let number = tokens.get(at).is_some_and(|token| {
            matches!(token.kind, Kind::Number(_)) && token.pause == Pause::None && !token.glued
        });
        // "from ABC to XYZ 250": the number stands behind both codes and belongs to neither of them yet.
        let chained = at >= 3
            && tokens.get(at - 3).is_some_and(code)
            && tokens.get(at - 2).is_some_and(|between| between.function);
        if number && !counts && !shouted && !chained && tokens.get(at - 1).is_some_and(code) {
            tokens.swap(at - 1, at);
        }
    }
    tokens
}

/// Replaces what `read` finds at each place by one token.
fn rewrite(text: &str, tokens: Vec<Token>, read: impl Fn(&[Token]) -> Option<(Kind, usize)>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        match read(rest) {
            Some((kind, len)) if len > 0 => {
                joined.push(merged(text, rest.get(..len).unwrap_or(rest), kind));
                at += len;
            }
            _ => {
                joined.extend(rest.first().cloned());
                at += 1;
            }
        }
    }
    joined
}

fn merged(text: &str, tokens: &[Token], kind: Kind) -> Token {
    let start = tokens.iter().map(|token| token.range.start).min().unwrap_or(0);
    let end = tokens.iter().map(|token| token.range.end).max().unwrap_or(0);
    let mut token = Token::new(text, Range { start, end }, kind);
    if let Some(first) = tokens.first() {
        token.pause = first.pause;
        token.glued = first.glued;
    }
    token
}

/// "twenty five", "two hundred thousand", "2.5 million"; a number in digits alone stays what it is.
fn number(tokens: &[Token], languages: LanguageSet) -> Option<(Kind, usize)> {
    let counts = |token: &Token| token.kind == Kind::Word && token.entry.counts & languages != 0;
    let first = tokens.first()?;
    let (mut total, mut part, mut len) = match &first.kind {
        Kind::Number(digits) => (0.0, digits.parse::<f64>().ok()?, 1),
        _ => (0.0, 0.0, 0),
    };
    let in_digits = len == 1;
    let mut last = None;
    for token in tokens.iter().skip(len).take(12) {
        let units = token.entry.number.filter(|_| counts(token) && !in_digits);
        let times = token.entry.times.filter(|_| counts(token));
        match (units, times) {
            // "twenty five", not "two five".
            (Some(units), _) if last.is_none_or(|last: u32| last >= 20 && units < 10) => {
                part += f64::from(units);
                last = Some(if units == 0 { 1 } else { units });
            }
            (_, Some(times)) if times >= 1000 => {
                total += part.max(1.0) * f64::from(times);
                part = 0.0;
                last = Some(100);
            }
            (_, Some(times)) => {
                part = part.max(1.0) * f64::from(times);
                last = Some(100);
            }
            _ => break,
        }
        len += 1;
    }
    let value = total + part;
    let alone = len == 1 && (in_digits || value == 1.0);
    let counted = tokens.get(len).is_some_and(Token::is_content);
    // "one" is a pronoun unless something is counted.
    let used = len > usize::from(in_digits) && (!alone || (value == 1.0 && counted && !in_digits));
    used.then(|| (Kind::Number(format!("{value}")), len))
}

/// A date with its month in words, or in a script that marks year, month and day.
fn date(tokens: &[Token]) -> Option<(Date, usize)> {
    let number = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(digits)) => digits.parse::<u32>().ok(),
        _ => None,
    };
    let month = |at: usize| tokens.get(at).and_then(|token| token.entry.month).map(u32::from);
    let filler = |at: usize| {
        let word = tokens.get(at).map(|token| token.folded.as_str()).unwrap_or_default();
        matches!(word, "of" | "de" | "del" | "di" | "st" | "nd" | "rd" | "th" | "º" | "er" | "г")
    };
    let skip = |at: usize| at + (at..at + 2).take_while(|at| filler(*at)).count();
    if let Some(day) = number(0).filter(|day| *day <= 31) {
        let at = skip(1);
        let month = month(at)?;
        let at = skip(at + 1);
        return dates::date(number(at)?, month, day).map(|date| (date, at + 1));
    }
    if let Some(month) = month(0) {
        let day = number(1).filter(|day| *day <= 31)?;
        let at = skip(2);
        return dates::date(number(at)?, month, day).map(|date| (date, at + 1));
    }
    let marks: Vec<&str> =
        [1, 3, 5].iter().filter_map(|at| tokens.get(*at)).map(|token| token.folded.as_str()).collect();
    if marks == ["年", "月", "日"] {
        return dates::date(number(0)?, number(2)?, number(4)?).map(|date| (date, 6));
    }
    None
}
