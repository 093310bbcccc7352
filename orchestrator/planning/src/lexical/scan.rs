//! From characters to tokens.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::{
    dates,
    numbers::{self, Notation, digit},
    tokens::{Kind, Pause, Token},
};

/// What a character is to the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Digit,
    Letter,
    Katakana,
    Ideograph,
    Syllable,
    Symbol,
    Pause(Pause),
    Quote(char),
}

fn class(c: char) -> Class {
    match c {
        '"' | '“' | '”' | '„' | '«' | '「' | '『' => Class::Quote(match c {
            '"' => '"',
            '“' => '”',
            '„' => '“',
            '«' => '»',
            '「' => '」',
            '『' => '』',
            _ => '\0',
        }),
        '.' | '!' | '?' | ';' | ':' | '\n' | '。' | '！' | '？' | '；' | '：' | '…' | '؟' | '¿' | '¡' => {
            Class::Pause(Pause::Strong)
        }
        '\u{3041}'..='\u{309f}' => Class::Syllable,
        '\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Class::Katakana,
        // Private use: how patterns mark their slots (`pattern`); one token each.
        '\u{e000}'..='\u{f8ff}' => Class::Ideograph,
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Class::Ideograph,
        _ if c.is_whitespace() => Class::Pause(Pause::None),
        _ if digit(c).is_some() => Class::Digit,
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Letter,
        '$' | '%' => Class::Symbol,
        _ if c.is_ascii() || c.is_control() => Class::Pause(Pause::Weak),
        '\u{2010}'..='\u{206f}'
        | '\u{3000}'..='\u{3020}'
        | '\u{ff00}'..='\u{ff0f}'
        | '»'
        | '·'
        | '−'
        | '¶'
        | '§' => Class::Pause(Pause::Weak),
        _ => Class::Symbol,
    }
}

/// Cuts `text` into tokens; linear in its length.
pub(super) fn tokens(text: &str, notation: Notation) -> Vec<Token> {
    let mut scanner =
        Scanner { text, notation, at: 0, tokens: Vec::new(), pause: Pause::None, dead_quotes: Vec::new() };
    while let Some(c) = scanner.rest().chars().next() {
        scanner.step(c);
    }
    spoken_order(text, scanner.tokens)
}

struct Scanner<'a> {
    text: &'a str,
    notation: Notation,
    at: usize,
    tokens: Vec<Token>,
    pause: Pause,
    /// Closing marks that do not come any more, so that they are searched for once.
    dead_quotes: Vec<char>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn before(&self) -> Option<char> {
        self.text.get(..self.at)?.chars().next_back()
    }

    fn step(&mut self, c: char) {
        match class(c) {
            Class::Digit => self.number(0),
            Class::Letter => self.word(),
            Class::Katakana => self.take(Kind::Word, |c| class(c) == Class::Katakana),
            Class::Ideograph => self.push(self.at..self.at + c.len_utf8(), Kind::Ideograph),
            Class::Syllable => self.push(self.at..self.at + c.len_utf8(), Kind::Syllable),
            Class::Symbol => self.symbol(),
            Class::Quote(close) => self.quote(c, close),
            Class::Pause(pause) => self.pause(c, pause),
        }
    }

    fn push(&mut self, range: Range<usize>, kind: Kind) {
        let mut token = Token::new(self.text, range, kind);
        token.glued = self.tokens.last().is_some_and(|last| last.range.end == token.range.start);
        token.pause = std::mem::replace(&mut self.pause, Pause::None);
        let starts = self.tokens.is_empty() || token.pause == Pause::Strong;
        token.capital &= !starts;
        self.at = self.at.max(token.range.end);
        self.tokens.push(token);
    }

    fn take(&mut self, kind: Kind, of: impl Fn(char) -> bool) {
        let rest = self.rest();
        let len = rest.find(|c| !of(c)).unwrap_or(rest.len());
        self.push(self.at..self.at + len, kind);
    }

    fn pause(&mut self, c: char, pause: Pause) {
        let ahead = self.rest().get(c.len_utf8()..).unwrap_or_default();
        let opens = self.before().is_none_or(|c| !c.is_alphanumeric());
        if matches!(c, '-' | '+' | '−' | '.') && opens && ahead.starts_with(|c| digit(c).is_some()) {
            return self.number(c.len_utf8());
        }
        if c == '\'' && opens && self.quoted('\'', ahead) {
            return;
        }
        self.pause = self.pause.max(pause);
        self.at += c.len_utf8();
    }

    fn quote(&mut self, open: char, close: char) {
        let ahead = self.rest().get(open.len_utf8()..).unwrap_or_default();
        if !self.quoted(close, ahead) {
            self.at += open.len_utf8();
        }
    }

    /// Takes what stands before the closing mark as one token.
    fn quoted(&mut self, close: char, ahead: &str) -> bool {
        if self.dead_quotes.contains(&close) {
            return false;
        }
        let Some(len) = ahead.find(close) else {
            self.dead_quotes.push(close);
            return false;
        };
        let after = ahead.get(len + close.len_utf8()..).unwrap_or_default();
        let inside = ahead.get(..len).unwrap_or_default();
        if inside.trim().is_empty() || (close == '\'' && after.starts_with(char::is_alphanumeric)) {
            return false;
        }
        let start = self.text.len() - ahead.len();
        self.push(start..start + len, Kind::Quoted);
        self.at = start + len + close.len_utf8();
        true
    }

    /// A number, a date, or a word that begins with a digit; `sign` bytes stand before its digits.
    fn number(&mut self, sign: usize) {
        let ahead = self.rest().get(sign..).unwrap_or_default();
        if let Some((date, len)) = dates::scan(ahead, self.notation) {
            self.at += sign;
            return self.push(self.at..self.at + len, Kind::Date(date));
        }
        let point = sign == 1 && self.rest().starts_with('.');
        match numbers::scan(ahead, self.notation).filter(|number| !is_code(ahead, number.bytes)) {
            Some(number) => {
                let negative = self.rest().starts_with(['-', '−']);
                let digits = match (point, negative) {
                    (true, _) => format!("0.{}", ahead.get(..number.bytes).unwrap_or_default()),
                    (_, true) => format!("-{}", number.digits),
                    _ => number.digits,
                };
                self.push(self.at..self.at + sign + number.bytes, Kind::Number(digits));
            }
            None => {
                self.at += sign;
                let rest = self.rest();
                let word = |c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | ',' | '/' | '⁄');
                let len = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let len =
                    rest.get(..len).unwrap_or_default().trim_end_matches(['.', ':', ',', '/', '⁄']).len();
                self.push(self.at..self.at + len.max(1), Kind::Word);
            }
        }
    }

    /// A word with its apostrophes ("what's"), or up to an elision ("l'" + "arbre").
    fn word(&mut self) {
        let rest = self.rest();
        let mut len = 0;
        for (at, c) in rest.char_indices() {
            let next = rest.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
            let letter = |c: char| matches!(class(c), Class::Letter | Class::Digit);
            if letter(c) {
                len = at + c.len_utf8();
            } else if matches!(c, '\'' | '’') && next.is_some_and(letter) {
                if at <= 2 && !rest.get(..at).is_some_and(|head| matches!(head, "i" | "I")) {
                    self.push(self.at..self.at + len, Kind::Word);
                    self.at += c.len_utf8();
                    return;
                }
            } else {
                break;
            }
        }
        // "US¤100": the letters belong to the symbol.
        if let Some(mark) =
            rest.get(len..).and_then(|rest| rest.chars().next()).filter(|c| class(*c) == Class::Symbol)
        {
            let after = rest.get(len + mark.len_utf8()..).unwrap_or_default().trim_start();
            if len <= 3 && after.starts_with(|c| digit(c).is_some()) {
                return self.push(self.at..self.at + len + mark.len_utf8(), Kind::Symbol);
            }
        }
        self.push(self.at..self.at + len.max(1), Kind::Word);
    }

    /// A symbol, with the letters that are glued to it ("°C").
    fn symbol(&mut self) {
        let rest = self.rest();
        let symbols = rest.find(|c| class(c) != Class::Symbol).unwrap_or(rest.len());
        let letters = rest.get(symbols..).unwrap_or_default();
        let len = letters.find(|c| class(c) != Class::Letter).unwrap_or(letters.len());
        self.push(self.at..self.at + symbols + len, Kind::Symbol);
    }
}

/// Whether digits go on with letters and digits again: an identifier such as `1Z999A`.
fn is_code(text: &str, digits: usize) -> bool {
    let tail = text.get(digits..).unwrap_or_default();
    let run: Vec<char> = tail.chars().take_while(|c| c.is_ascii_alphanumeric()).take(40).collect();
    run.first().is_some_and(char::is_ascii_alphabetic) && run.iter().any(char::is_ascii_digit)
}

/// A symbol before a number is spoken after it.
fn spoken_order(text: &str, mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 1..tokens.len() {
        let (head, tail) = tokens.split_at_mut(at);
        let before = head.len().checked_sub(2).and_then(|at| head.get(at)).map(|token| token.kind.clone());
        let (Some(symbol), Some(number)) = (head.last_mut(), tail.first_mut()) else { continue };
        let prefix = symbol.kind == Kind::Symbol && matches!(number.kind, Kind::Number(_));
        let between = text.get(symbol.range.end..number.range.start).unwrap_or("?");
        let owned = matches!(before, Some(Kind::Number(_))) && symbol.glued;
        if prefix && between.trim().is_empty() && !owned {
            std::mem::swap(&mut symbol.pause, &mut number.pause);
            std::mem::swap(symbol, number);
        }
    }
    tokens
}
