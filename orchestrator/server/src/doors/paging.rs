//! Lists in pages, without anything kept between them: a token says after which item the next page begins.
//!
//! Items have a stable key and pages follow its order, so what comes or goes between two pages neither repeats nor
//! hides another item. A token belongs to the question that it answered: the same method with the same filters.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use convoke_proto::v1::violation::Rule;
use prost::Message;
use sha2::{Digest, Sha256};
use tonic::Status;

use super::refuse;

/// Items on a page for which nobody gave a number.
const DEFAULT_SIZE: usize = 50;
/// The most items on a page; more is lowered to it.
const MAX_SIZE: usize = 500;
/// The most bytes on a page: the message around it must fit its own limit.
const MAX_BYTES: usize = 3 << 20;
/// The longest token that is looked at.
const MAX_TOKEN: usize = 1024;
/// Bytes of a token that say to which question it belongs.
const QUESTION: usize = 8;

/// Which page is asked for.
#[derive(Debug)]
pub(super) struct Page {
    question: [u8; QUESTION],
    size: usize,
    after: Option<String>,
}

// === impl Page ===

impl Page {
    /// Reads `page_size` and `page_token` of a request to `method` with these `filters`.
    pub(super) fn read(method: &str, filters: &[&str], size: i32, token: &str) -> Result<Self, Status> {
        let size = match usize::try_from(size) {
            Ok(0) => DEFAULT_SIZE,
            Ok(size) => size.min(MAX_SIZE),
            Err(_) => {
                let expected = "0 for the default, or up to 500";
                return Err(refuse::field("page_size", Rule::Minimum, expected, i64::from(size)));
            }
        };
        let question = question(method, filters);
        let after = if token.is_empty() {
            None
        } else {
            let expected = "next_page_token of the page before, from the same request";
            let after = after(&question, token);
            Some(after.ok_or_else(|| refuse::field("page_token", Rule::BadFormat, expected, token))?)
        };
        Ok(Self { question, size, after })
    }

    /// The page out of all items with their keys, and the token of the next one; empty where there is none.
    pub(super) fn cut<T, M: Message>(
        &self,
        mut items: Vec<(String, T)>,
        mut render: impl FnMut(T) -> M,
    ) -> (Vec<M>, String) {
        items.sort_by(|(a, _), (b, _)| a.cmp(b));
        let start = match &self.after {
            Some(after) => items.partition_point(|(key, _)| key <= after),
            None => 0,
        };
        let mut rest = items.into_iter().skip(start).peekable();
        let mut page = Vec::new();
        let mut bytes = 0;
        let mut last = String::new();
        while page.len() < self.size && bytes < MAX_BYTES {
            let Some((key, item)) = rest.next() else { break };
            let message = render(item);
            bytes += message.encoded_len();
            page.push(message);
            last = key;
        }
        let token = if rest.peek().is_some() { self.token(&last) } else { String::new() };
        (page, token)
    }

    fn token(&self, last: &str) -> String {
        URL_SAFE_NO_PAD.encode([&self.question, last.as_bytes()].concat())
    }
}

fn after(question: &[u8], token: &str) -> Option<String> {
    if token.len() > MAX_TOKEN {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    String::from_utf8(bytes.strip_prefix(question)?.to_vec()).ok()
}

fn question(method: &str, filters: &[&str]) -> [u8; QUESTION] {
    let mut hash = Sha256::new();
    for part in [method].iter().chain(filters) {
        // The length first: ["ab", ""] is another question than ["a", "b"].
        hash.update(part.len().to_le_bytes());
        hash.update(part.as_bytes());
    }
    let digest = hash.finalize();
    std::array::from_fn(|place| digest.get(place).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(keys: &[&str]) -> Vec<(String, String)> {
        keys.iter().map(|key| ((*key).to_owned(), (*key).to_owned())).collect()
    }

    fn page(size: i32, token: &str, keys: &[&str]) -> (Vec<String>, String) {
        Page::read("List", &["d"], size, token).unwrap().cut(items(keys), |item| item)
    }

    #[test]
    fn pages_follow_the_keys_whatever_comes_or_goes_between_them() {
        let (first, token) = page(2, "", &["d", "b", "a", "c"]);
        assert_eq!(first, ["a", "b"]);
        let (second, token) = page(2, &token, &["aa", "c", "d", "e"]);
        assert_eq!(second, ["c", "d"]);
        let (third, token) = page(2, &token, &["aa", "c", "d", "e"]);
        assert_eq!((third, token), (vec!["e".to_owned()], String::new()));
    }

    #[test]
    fn a_page_that_takes_the_last_item_is_the_last() {
        assert_eq!(page(2, "", &["a", "b"]).1, "");
        assert_eq!(page(2, "", &[]).1, "");
    }

    #[test]
    fn a_size_is_0_for_50_and_lowered_to_500_and_never_negative() {
        let many: Vec<String> = (0..600).map(|n| format!("{n:03}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(page(0, "", &many).0.len(), 50);
        assert_eq!(page(9999, "", &many).0.len(), 500);
        assert!(Page::read("List", &[], -1, "").is_err());
    }

    #[test]
    fn a_token_of_another_question_or_of_nobody_is_refused() {
        let (_, token) = page(1, "", &["a", "b"]);
        assert!(Page::read("List", &["d"], 1, &token).is_ok());
        for (method, filter, token) in [
            ("Other", "d", token.as_str()),
            ("List", "e", &token),
            ("List", "d", "!"),
            ("List", "d", "AAAA"),
            ("List", "d", &format!("{token}_")),
            ("List", "d", &"A".repeat(2000)),
        ] {
            assert!(Page::read(method, &[filter], 1, token).is_err(), "{method} {filter} {token}");
        }
    }

    #[test]
    fn a_page_ends_before_it_outgrows_a_message() {
        let large = "x".repeat(2 << 20);
        let items =
            vec![("a".to_owned(), large.clone()), ("b".to_owned(), large.clone()), ("c".to_owned(), large)];
        let (page, token) = Page::read("List", &[], 0, "").unwrap().cut(items, |item| item);
        assert_eq!(page.len(), 2);
        assert!(!token.is_empty());
    }
}
