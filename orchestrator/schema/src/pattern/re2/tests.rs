//! What RE2 makes of patterns: each verdict is that of RE2 itself and of Go's `regexp`.

use super::super::Pattern;

/// A pattern, a text that it is found in, and one that it is not.
const VERDICTS: [(&str, &str, &str); 48] = [
    (r"^\d$", "7", "٣"),
    (r"^\D$", "٣", "7"),
    (r"^\w$", "_", "é"),
    (r"^\W$", "é", "a"),
    (r"^\s$", "\u{c}", "\u{b}"),
    (r"^\s$", "\u{9}", "\u{a0}"),
    (r"^\S$", "\u{a0}", " "),
    (r"\bb", "éb", "ab"),
    (r"\Bb", "ab", "éb"),
    (r"^é\B$", "é", "é1"),
    (r"^[\d.]+$", "1.2", "1٣"),
    (r"^[^\d]$", "٣", "1"),
    (r"^[\D]$", "٣", "1"),
    (r"^[^\W]+$", "a_1", "é"),
    (r"^[\s\w-]+$", "a - b", "a\u{a0}b"),
    (r"^[^\s\W]$", "a", " "),
    (r"\<a\>", "<a>", "a"),
    ("^[a&&b]+$", "a&b", "c"),
    ("^[a~~b-]+$", "a~-", "c"),
    ("^[[]$", "[", "]"),
    ("^[]a]+$", "]a", "b"),
    ("^[^]a]$", "b", "]"),
    ("^[[:alpha:]_]+$", "a_", "é"),
    ("^[[:^space:]]$", "\u{a0}", "\u{b}"),
    ("^[a-]+$", "a-", "b"),
    ("^[+--]+$", "+,-", "a"),
    (r"^[\w-a]+$", "b-a", ":"),
    ("^a{,2}$", "a{,2}", "aa"),
    ("^a{2,}$", "aaa", "a"),
    ("^{x}$", "{x}", "x"),
    ("^a{2}?$", "aa", "a"),
    (r"^\Qa.b\E+$", "a.bb", "axb"),
    (r"^\Q[x", "[x", "x"),
    (r"^\101\x42\x{43}\0$", "ABC\u{0}", "ABC"),
    (r"^\a\f\n\r\t\v$", "\u{7}\u{c}\u{a}\u{d}\u{9}\u{b}", " "),
    ("(?i)^straße K$", "STRAßE K", "STRASSE K"),
    (r"(?i)^\w$", "ſ", "é"),
    ("(?i)^[^k]$", "a", "K"),
    ("^(?i:é)a$", "Éa", "ÉA"),
    (r"^\pL\PL$", "é1", "1é"),
    (r"^\p{Greek}\p{^Greek}\P{^Greek}$", "αaω", "aaa"),
    ("(?s)^.$", "\u{a}", ""),
    ("^.$", "\u{d}", "\u{a}"),
    ("(?m)^b$", "a\u{a}b\u{a}c", "ab"),
    (r"^(?P<year>\d{4})-(?:\d\d)$", "2024-01", "2024-1"),
    (r"\A#a b\z", "#a b", "#ab"),
    ("a$", "ba", "a\u{a}"),
    ("^(|a)*$", "aa", "b"),
];

/// What is no pattern.
const REFUSED: [&str; 29] = [
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    r"(a)\1",
    r"\8",
    "(?x)a",
    "(?u)a",
    "(?-u:a)",
    r"\u0041",
    r"\h",
    r"\Z",
    r"[\b]",
    "[a",
    r"[a-\d]",
    "[b-a]",
    "[[:word",
    "[[:letters:]]",
    r"\p{Nobody}",
    r"\x{110000}",
    r"\xg1",
    "a**",
    "a*+",
    "a{2}{3}",
    "*a",
    "(a",
    "a)",
    r"\E",
    r"a\",
];

#[test]
fn a_pattern_means_what_re2_says() {
    for (pattern, found, missed) in VERDICTS {
        let built = Pattern::new(pattern).unwrap();
        assert_eq!(built.as_str(), pattern);
        assert!(built.is_match(found), "{pattern} on {found:?}: {}", built.engine_syntax());
        assert!(!built.is_match(missed), "{pattern} on {missed:?}: {}", built.engine_syntax());
    }
}

#[test]
fn what_re2_does_not_know_is_refused() {
    for pattern in REFUSED {
        assert!(Pattern::new(pattern).is_err(), "{pattern}");
    }
    assert_eq!(Pattern::new("^[a-z](b").unwrap_err(), "unclosed group");
    assert_eq!(Pattern::new("(a{1000}){1000}").unwrap_err().lines().count(), 1);
    // Known there, and not to an engine of characters.
    assert!(Pattern::new(r"\C").is_err());
}
