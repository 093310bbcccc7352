//! ECMA-262 regular expressions, as JSON Schema has them, in RE2's syntax, which all declared patterns are in.
//!
//! The meaning stays: `\d`, `\w` and `\b` are about ASCII, `\s` is also about the blanks beyond it, `.` stops at a
//! line's end. What no linear-time engine does,
//! looking around and referring back, is refused by name.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// What `\s` is, and what it is not: RE2's own knows no blank beyond ASCII.
const SPACE: &str = r"\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const NO_SPACE: &str = concat!(
    r"\x00-\x08\x0E-\x1F!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}",
    r"\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}"
);

/// Translates a pattern.
///
/// # Errors
/// What the engine cannot do, by name; everything else that is wrong shows when the translation is compiled.
pub(crate) fn translate(pattern: &str) -> Result<String, String> {
    let mut translation = Translation { rest: pattern.chars().peekable(), out: String::new() };
    translation.run().map_err(|what| format!("pattern {pattern:?}: {what}"))?;
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
                '.' => self.out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                '[' => self.class()?,
                '(' => self.group()?,
                '\\' => self.escape()?,
                '{' if !self.counts() => self.out.push_str(r"\{"),
                '}' if !self.out_counts() => self.out.push_str(r"\}"),
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    /// Whether what follows an opening brace is a count; otherwise the brace stands for itself.
    fn counts(&self) -> bool {
        let inner: String = self.rest.clone().take_while(|next| *next != '}').collect();
        let closed = self.rest.clone().any(|next| next == '}');
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (least, most) = inner.split_once(',').unwrap_or((&inner, ""));
        closed && digits(least) && (most.is_empty() || digits(most)) && !self.out.is_empty()
    }

    /// Whether a closing brace ends a count.
    fn out_counts(&self) -> bool {
        let Some(start) = self.out.rfind('{') else { return false };
        let (before, inner) = self.out.split_at_checked(start).unwrap_or_default();
        let inner = inner.get(1..).unwrap_or_default();
        !before.ends_with('\\')
            && inner.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
            && inner.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.rest.peek() != Some(&'?') {
            return Ok(());
        }
        let mark: String = self.rest.clone().take(3).collect();
        if mark.starts_with("?=") || mark.starts_with("?!") {
            return Err("looking ahead is not served by a linear-time engine".to_owned());
        }
        if mark.starts_with("?<=") || mark.starts_with("?<!") {
            return Err("looking behind is not served by a linear-time engine".to_owned());
        }
        if mark.starts_with("?:") || mark.starts_with("?<") {
            return Ok(());
        }
        Err("groups are (…), (?:…) and (?<name>…)".to_owned())
    }

    fn class(&mut self) -> Result<(), String> {
        let negated = self.rest.next_if_eq(&'^').is_some();
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str(if negated { r"[\s\S]" } else { r"[^\s\S]" });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        loop {
            match self.rest.next() {
                None => return Err("a class is not closed".to_owned()),
                Some(']') => break,
                Some('\\') => self.class_escape()?,
                // Sets within sets and operations on them are not ECMA's.
                Some(special @ ('[' | '&' | '~')) => {
                    self.out.push('\\');
                    self.out.push(special);
                }
                Some('-') if self.rest.peek() == Some(&'-') => self.out.push_str(r"\-"),
                Some(other) => self.out.push(other),
            }
        }
        self.out.push(']');
        Ok(())
    }

    fn class_escape(&mut self) -> Result<(), String> {
        match self.rest.next() {
            None => Err("an escape of nothing".to_owned()),
            Some(same @ ('d' | 'D' | 'w' | 'W')) => self.push(&format!("\\{same}")),
            Some('s') => self.push(SPACE),
            Some('S') => self.push(NO_SPACE),
            Some('b') => self.push(r"\x08"),
            Some(other) => self.common_escape(other),
        }
    }

    fn escape(&mut self) -> Result<(), String> {
        match self.rest.next() {
            None => Err("an escape of nothing".to_owned()),
            Some(same @ ('d' | 'D' | 'w' | 'W' | 'b' | 'B')) => self.push(&format!("\\{same}")),
            Some('s') => self.push(&format!("[{SPACE}]")),
            Some('S') => self.push(&format!("[^{SPACE}]")),
            Some('1'..='9' | 'k') => Err("referring back is not served by a linear-time engine".to_owned()),
            Some(other) => self.common_escape(other),
        }
    }

    /// What an escape means inside and outside of a class.
    fn common_escape(&mut self, letter: char) -> Result<(), String> {
        match letter {
            't' | 'n' | 'r' => self.push(&format!("\\{letter}")),
            'v' => self.push(r"\x0B"),
            'f' => self.push(r"\x0C"),
            '0' => self.push(r"\x00"),
            'c' => {
                let control = self.rest.next().filter(char::is_ascii_alphabetic);
                let control = control.ok_or("\\c wants a letter behind it")?;
                let code = u32::from(control) % 32;
                self.push(&format!("\\x{code:02X}"))
            }
            'x' => {
                let code = self.hex(2).ok_or("\\x wants two hexadecimal digits behind it")?;
                self.code(code)
            }
            'u' => self.unicode(),
            'p' | 'P' => self.property(letter),
            other => {
                let mut text = [0; 4];
                self.push(&regex::escape(other.encode_utf8(&mut text)))
            }
        }
    }

    fn unicode(&mut self) -> Result<(), String> {
        if self.rest.next_if_eq(&'{').is_some() {
            let digits: String = self.rest.by_ref().take_while(|next| *next != '}').collect();
            let code = u32::from_str_radix(&digits, 16).map_err(|_| "\\u{…} wants hexadecimal digits")?;
            return self.code(code);
        }
        let high = self.hex(4).ok_or("\\u wants four hexadecimal digits behind it")?;
        if !(0xD800..0xDC00).contains(&high) {
            return self.code(high);
        }
        let pair = self.rest.next_if_eq(&'\\').and_then(|_| self.rest.next_if_eq(&'u'));
        let low = pair.and_then(|_| self.hex(4)).filter(|low| (0xDC00..0xE000).contains(low));
        let low = low.ok_or("half of a surrogate pair is no character")?;
        self.code(0x1_0000 + (high - 0xD800) * 0x400 + (low - 0xDC00))
    }

    fn property(&mut self, letter: char) -> Result<(), String> {
        if self.rest.next_if_eq(&'{').is_none() {
            return Err("\\p wants a property in braces behind it".to_owned());
        }
        let name: String = self.rest.by_ref().take_while(|next| *next != '}').collect();
        self.push(&format!("\\{letter}{{{name}}}"))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text: String = self.rest.clone().take(digits).collect();
        let code = u32::from_str_radix(&text, 16).ok()?;
        (text.len() == digits).then(|| self.rest.by_ref().take(digits).for_each(drop))?;
        Some(code)
    }

    fn code(&mut self, code: u32) -> Result<(), String> {
        char::from_u32(code).ok_or("half of a surrogate pair is no character")?;
        // Writing to a String does not fail.
        let _ = write!(self.out, "\\x{{{code:X}}}");
        Ok(())
    }

    fn push(&mut self, text: &str) -> Result<(), String> {
        self.out.push_str(text);
        Ok(())
    }
}
