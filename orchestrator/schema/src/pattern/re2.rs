//! RE2's syntax in that of the engine, where the two do not mean the same.
//!
//! `\d`, `\w`, `\s` and `\b` are about ASCII, `\<` is a plain `<`, brackets and `&&` within brackets stand for
//! themselves, a brace that is no count as well; `\Q…\E` and octal escapes are known. What RE2 does not know, the flags
//! and escapes of the engine alone among it, is refused.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

const DIGIT: &str = "0-9";
const WORD: &str = "0-9A-Za-z_";
const SPACE: &str = r"\t\n\x0C\r ";

/// The classes that have a name within brackets.
const NAMED: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// Puts a pattern into the syntax of the engine.
///
/// # Errors
/// What RE2 does not know or the engine does not serve; everything else that is wrong shows when it is compiled.
pub(crate) fn engine_syntax(pattern: &str) -> Result<String, String> {
    let mut translation =
        Translation { rest: pattern.chars().peekable(), out: String::with_capacity(pattern.len()) };
    translation.run()?;
    Ok(translation.out)
}

struct Translation<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
}

// === impl Translation ===

impl Translation<'_> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(next) = self.rest.next() {
            match next {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                '{' if !counts(self.rest.clone()) => self.out.push_str(r"\{"),
                '*' | '+' | '?' | '{' => self.repetition(next)?,
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    /// How often what came before may come; a second one behind it would mean something else elsewhere.
    fn repetition(&mut self, operator: char) -> Result<(), String> {
        self.out.push(operator);
        if operator == '{' {
            let count = self.rest.by_ref().take_while(|next| *next != '}');
            self.out.extend(count);
            self.out.push('}');
        }
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
        let mut ahead = self.rest.clone();
        let next = ahead.next();
        if matches!(next, Some('*' | '+' | '?')) || (next == Some('{') && counts(ahead)) {
            return Err("a repetition of a repetition wants a group around the inner one".to_owned());
        }
        Ok(())
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        self.out.push('?');
        let mark: String = self.rest.clone().take(2).collect();
        match mark.as_str() {
            "<=" | "<!" => return Err("looking behind is not served by a linear-time engine".to_owned()),
            "P<" => {
                self.out.push_str(&mark);
                self.rest.next();
                self.rest.next();
                return Ok(());
            }
            _ if mark.starts_with(['=', '!']) => {
                return Err("looking ahead is not served by a linear-time engine".to_owned());
            }
            _ if mark.starts_with('<') => return Ok(()),
            _ => {}
        }
        loop {
            match self.rest.next() {
                Some(end @ (':' | ')')) => {
                    self.out.push(end);
                    return Ok(());
                }
                Some(flag @ ('i' | 'm' | 's' | 'U' | '-')) => self.out.push(flag),
                _ => return Err("groups are (…), (?:…), (?P<name>…), and flags (?imsU)".to_owned()),
            }
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.peek().copied() {
            Some('b') => self.known(r"(?-u:\b)"),
            Some('B') => self.known(r"(?-u:\B)"),
            Some('A') => self.known(r"\A"),
            Some('z') => self.known(r"\z"),
            Some('C') => {
                return Err(r"\C, a single byte, is not served: text is read by characters".to_owned());
            }
            Some('Q') => {
                self.rest.next();
                self.quoted();
            }
            _ if self.set(false)? => {}
            _ => {
                let letter = self.letter()?;
                self.plain(letter);
            }
        }
        Ok(())
    }

    /// An escape that is one of the few letters known outside of classes.
    fn known(&mut self, text: &str) {
        self.rest.next();
        self.out.push_str(text);
    }

    /// Everything up to `\E` stands for itself.
    fn quoted(&mut self) {
        while let Some(next) = self.rest.next() {
            if next == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return;
            }
            self.plain(next);
        }
    }

    /// A set of characters behind a backslash: `\d`, `\pL`; says whether it was one.
    fn set(&mut self, within: bool) -> Result<bool, String> {
        let (set, negated) = match self.rest.peek() {
            Some('d') => (DIGIT, false),
            Some('D') => (DIGIT, true),
            Some('w') => (WORD, false),
            Some('W') => (WORD, true),
            Some('s') => (SPACE, false),
            Some('S') => (SPACE, true),
            Some('p') => return self.property(false).map(|()| true),
            Some('P') => return self.property(true).map(|()| true),
            _ => return Ok(false),
        };
        self.rest.next();
        match (within, negated) {
            (true, false) => self.out.push_str(set),
            (_, negated) => {
                self.out.push_str(if negated { "[^" } else { "[" });
                self.out.push_str(set);
                self.out.push(']');
            }
        }
        Ok(true)
    }

    fn property(&mut self, negated: bool) -> Result<(), String> {
        self.rest.next();
        let name: String = match self.rest.next() {
            Some('{') => self.rest.by_ref().take_while(|next| *next != '}').collect(),
            Some(letter) => letter.to_string(),
            None => return Err(r"\p wants a property behind it".to_owned()),
        };
        let (name, turned) = name.strip_prefix('^').map_or((name.as_str(), false), |rest| (rest, true));
        let letter = if negated == turned { 'p' } else { 'P' };
        // Writing to a String does not fail.
        let _ = write!(self.out, "\\{letter}{{{name}}}");
        Ok(())
    }

    /// The character that an escape stands for, its backslash read.
    fn letter(&mut self) -> Result<char, String> {
        let code = match self.rest.next() {
            None => return Err("an escape of nothing".to_owned()),
            Some('a') => 0x07,
            Some('f') => 0x0C,
            Some('n') => 0x0A,
            Some('r') => 0x0D,
            Some('t') => 0x09,
            Some('v') => 0x0B,
            Some('x') => self.hexadecimal()?,
            Some(first @ '0'..='7') => self.octal(first)?,
            Some('8' | '9') => return Err(REFERENCE.to_owned()),
            Some(mark) if mark.is_ascii() && !mark.is_ascii_alphanumeric() && mark != '_' => u32::from(mark),
            Some(other) => return Err(format!(r"\{other} is no escape of RE2")),
        };
        char::from_u32(code).ok_or_else(|| format!("{code:X} is the code of no character"))
    }

    fn hexadecimal(&mut self) -> Result<u32, String> {
        let digits: String = match self.rest.next_if_eq(&'{') {
            Some(_) => self.rest.by_ref().take_while(|next| *next != '}').collect(),
            None => self.rest.by_ref().take(2).collect(),
        };
        let digits = Some(digits).filter(|it| it.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let code = digits.and_then(|it| u32::from_str_radix(&it, 16).ok());
        code.ok_or_else(|| r"\x wants two hexadecimal digits behind it, or some in braces".to_owned())
    }

    /// Up to three digits; a single one other than zero would refer to a group.
    fn octal(&mut self, first: char) -> Result<u32, String> {
        let octal = |digit: &char| ('0'..='7').contains(digit);
        if first != '0' && !self.rest.peek().is_some_and(octal) {
            return Err(REFERENCE.to_owned());
        }
        let mut code = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            let Some(digit) = self.rest.next_if(octal) else { break };
            code = code * 8 + digit.to_digit(8).unwrap_or_default();
        }
        Ok(code)
    }

    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let next = self.rest.next().ok_or(OPEN)?;
            match next {
                ']' if !first => break,
                '[' if self.named()? => {}
                '\\' if self.set(true)? => {}
                _ => self.range(next)?,
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }

    /// A class by its name, its first bracket read; says whether it was one.
    fn named(&mut self) -> Result<bool, String> {
        let mut rest = self.rest.clone();
        if rest.next() != Some(':') {
            return Ok(false);
        }
        let inner: String = rest.by_ref().take_while(|next| *next != ':').collect();
        if rest.next() != Some(']') {
            return Ok(false);
        }
        if !NAMED.contains(&inner.strip_prefix('^').unwrap_or(&inner)) {
            return Err(format!("[:{inner}:] is no class of characters"));
        }
        self.rest = rest;
        // Writing to a String does not fail.
        let _ = write!(self.out, "[:{inner}:]");
        Ok(true)
    }

    /// One character, or all from one to another.
    fn range(&mut self, first: char) -> Result<(), String> {
        let low = self.member(first)?;
        self.plain(low);
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || ahead.peek() == Some(&']') {
            return Ok(());
        }
        self.rest = ahead;
        let next = self.rest.next().ok_or(OPEN)?;
        let high = self.member(next)?;
        self.out.push('-');
        self.plain(high);
        Ok(())
    }

    fn member(&mut self, letter: char) -> Result<char, String> {
        if letter == '\\' { self.letter() } else { Ok(letter) }
    }

    /// A character that stands for itself, within a class and outside.
    fn plain(&mut self, letter: char) {
        if letter.is_alphanumeric() {
            self.out.push(letter);
        } else {
            // Writing to a String does not fail.
            let _ = write!(self.out, "\\x{{{:X}}}", u32::from(letter));
        }
    }
}

/// Whether what follows an opening brace is a count: `n}`, `n,}` or `n,m}`.
fn counts(mut rest: Peekable<Chars<'_>>) -> bool {
    let mut number = || {
        let mut digits = 0;
        while rest.next_if(char::is_ascii_digit).is_some() {
            digits += 1;
        }
        (digits, rest.next())
    };
    match number() {
        (1.., Some('}')) => true,
        (1.., Some(',')) => number().1 == Some('}'),
        _ => false,
    }
}

const OPEN: &str = "a class is not closed";
const REFERENCE: &str = "referring back is not served by a linear-time engine";

#[cfg(test)]
mod tests;
