//! A declared pattern as JSON Schema reads patterns: RE2's syntax as ECMA-262 has it.
//!
//! What both read alike stays as it was written. Everything else (`(?i)`, `\z`, `\p{L}`, `[[:alpha:]]`, and `\s`, which
//! ECMA-262 reads as more than ASCII's blanks) is written out in groups and classes. Only what `.` leaves out stays
//! each side's own: a line feed here, a carriage return and two more there.

use crate::pattern::engine_syntax;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use std::fmt::Write as _;

/// How long an expression may become when it is written out.
const MAX_LENGTH: usize = 1_000;
/// What both syntaxes read alike behind a backslash.
const SHARED_ESCAPES: &str = r".\+*?()|[]{}^$/dDwWbBnrtfv";

/// The expression in JSON Schema's syntax; none where that has no words for it, or too many.
pub(super) fn ecma(pattern: &str) -> Option<String> {
    if is_shared(pattern) {
        return Some(pattern.to_owned());
    }
    let mut out = String::new();
    write(&regex_syntax::parse(&engine_syntax(pattern).ok()?).ok()?, &mut out)?;
    Some(out)
}

/// The expression that matches this text and nothing else; none where it is no text.
pub(super) fn literal(text: &[u8]) -> Option<String> {
    let mut out = String::new();
    std::str::from_utf8(text).ok()?.chars().for_each(|letter| escaped(letter, &mut out));
    Some(out)
}

fn is_shared(pattern: &str) -> bool {
    let mut letters = pattern.chars().peekable();
    let mut class = false;
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        match (letter, class) {
            ('\\', _) => {
                if !next.is_some_and(|it| SHARED_ESCAPES.contains(it)) {
                    return false;
                }
                letters.next();
            }
            ('(', false) if next == Some('?') => {
                letters.next();
                if letters.next() != Some(':') {
                    return false;
                }
            }
            ('[', false) => {
                class = true;
                letters.next_if_eq(&'^');
                // A bracket that comes first stands for itself in one syntax alone.
                if letters.peek() == Some(&']') {
                    return false;
                }
            }
            (']', true) => class = false,
            // A bracket alone, and a brace that is no count, stand for themselves in one syntax alone.
            (']', false) => return false,
            ('{', false) if !is_count(letters.clone()) => return false,
            ('[', true) => return false,
            ('&' | '-' | '~', true) if next == Some(letter) => return false,
            _ => {}
        }
    }
    true
}

/// Whether `n}`, `n,}` or `n,m}` follows.
fn is_count(letters: impl Iterator<Item = char>) -> bool {
    let inner: String = letters.take_while(|letter| *letter != '}').collect();
    let (least, most) = inner.split_once(',').unwrap_or((&inner, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !least.is_empty() && digits(least) && digits(most)
}

fn write(hir: &Hir, out: &mut String) -> Option<()> {
    if out.len() > MAX_LENGTH {
        return None;
    }
    match hir.kind() {
        HirKind::Empty => out.push_str("(?:)"),
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0).ok()?.chars().for_each(|letter| escaped(letter, out));
        }
        HirKind::Class(it) => class(it, out)?,
        HirKind::Look(Look::Start) => out.push('^'),
        HirKind::Look(Look::End) => out.push('$'),
        HirKind::Look(Look::WordAscii | Look::WordUnicode) => out.push_str(r"\b"),
        HirKind::Look(Look::WordAsciiNegate | Look::WordUnicodeNegate) => out.push_str(r"\B"),
        HirKind::Look(_) => return None,
        HirKind::Repetition(it) => repetition(it, out)?,
        HirKind::Capture(it) => grouped(&it.sub, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                match part.kind() {
                    HirKind::Alternation(_) => grouped(part, out)?,
                    _ => write(part, out)?,
                }
            }
        }
        HirKind::Alternation(parts) => {
            for (index, part) in parts.iter().enumerate() {
                out.push_str(if index > 0 { "|" } else { "" });
                write(part, out)?;
            }
        }
    }
    (out.len() <= MAX_LENGTH).then_some(())
}

fn grouped(hir: &Hir, out: &mut String) -> Option<()> {
    out.push_str("(?:");
    write(hir, out)?;
    out.push(')');
    Some(())
}

fn repetition(it: &Repetition, out: &mut String) -> Option<()> {
    grouped(&it.sub, out)?;
    // Writing to a String does not fail.
    let _ = match (it.min, it.max) {
        (0, None) => write!(out, "*"),
        (1, None) => write!(out, "+"),
        (0, Some(1)) => write!(out, "?"),
        (least, None) => write!(out, "{{{least},}}"),
        (least, Some(most)) => write!(out, "{{{least},{most}}}"),
    };
    if !it.greedy {
        out.push('?');
    }
    Some(())
}

fn class(class: &Class, out: &mut String) -> Option<()> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    };
    // Nothing at all matches the empty class.
    out.push('[');
    for (first, last) in ranges {
        escaped(first, out);
        if first != last {
            out.push('-');
            escaped(last, out);
        }
        if out.len() > MAX_LENGTH {
            return None;
        }
    }
    out.push(']');
    Some(())
}

fn escaped(letter: char, out: &mut String) {
    match letter {
        '\\' | '^' | '$' | '.' | '|' | '?' | '*' | '+' | '(' | ')' | '[' | ']' | '{' | '}' => {
            out.push('\\');
            out.push(letter);
        }
        // Outside a class it stands for itself, inside it does not.
        '-' => out.push_str(r"\u002d"),
        letter if letter.is_control() => {
            // Writing to a String does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(letter));
        }
        letter => out.push(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_syntaxes_read_alike_stays() {
        for pattern in [r"^[A-Z]{3}$", r"^\d+(?:\.\d+)?$", "a|b", r"^[^\W]{2,}\b", "", "é+"] {
            assert_eq!(ecma(pattern).as_deref(), Some(pattern));
        }
    }

    #[test]
    fn what_one_of_them_does_not_know_is_written_out() {
        for (pattern, expected) in [
            ("(?i)^ab$", "^[Aa][Bb]$"),
            (r"\Aab\z", "^ab$"),
            ("^[[:digit:]]+$", "^(?:[0-9])+$"),
            (r"^\x41(?P<rest>b|c)$", r"^A(?:[b-c])$"),
            ("^[a&&[b]$", r"^[&\[a-b]$"),
            (r"\A\d{2,3}", "^(?:[0-9]){2,3}"),
            (r"^\s$", r"^[\u0009-\u000a\u000c-\u000d ]$"),
            (r"^[^\S]$", r"^[\u0009-\u000a\u000c-\u000d ]$"),
            (r"^\<a{b}\Q.\E$", r"^<a\{b\}\.$"),
        ] {
            assert_eq!(ecma(pattern).as_deref(), Some(expected), "{pattern}");
        }
        // Line by line, and the letters of every script: no words for the one, too many for the other.
        assert_eq!(ecma("(?m)^a$"), None);
        assert_eq!(ecma(r"^\p{L}+$"), None);
    }
}
