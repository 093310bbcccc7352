//! Base64 of so many bytes: the lengths of bytes as lengths of their text.

use super::json::{Schema, object};
use super::scalar::{COUNTED, lengths};
use serde_json::json;

const ANY: &str = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
const GROUP: &str = "(?:[A-Za-z0-9+/]{4})";
/// What follows whole groups of three bytes: nothing, one byte, two bytes.
const TAILS: [&str; 3] = ["", "[A-Za-z0-9+/][AQgw]==", "[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]="];

/// Text of at least and at most so many bytes; 0 is no limit.
pub(super) fn schema(least: u32, most: u32, strict: bool) -> Schema {
    if least == 0 && most == 0 {
        return object([("type", json!("string")), ("pattern", json!(ANY))]);
    }
    if strict {
        return object([("type", json!("string")), ("pattern", json!(counted(least, most)))]);
    }
    // With the padding given, the text's length says that of the bytes.
    let mut ways: Vec<Schema> = Vec::new();
    for (tail, extra) in TAILS.into_iter().zip(0_u32..) {
        let Some((from, to)) = groups(least, most, extra) else { continue };
        let length = |groups: u32| groups.saturating_mul(4).saturating_add(if extra > 0 { 4 } else { 0 });
        let mut way = object([("pattern", json!(format!("^{GROUP}*{tail}$")))]);
        lengths(&mut way, length(from), to.map_or(0, length));
        if to.is_some_and(|to| length(to) == 0) {
            way.insert("maxLength".to_owned(), json!(0));
        }
        ways.push(way);
    }
    let mut schema = object([("type", json!("string"))]);
    match ways.len() {
        1 => schema.extend(ways.into_iter().flatten()),
        _ => {
            schema.insert("anyOf".to_owned(), json!(ways));
        }
    }
    schema
}

/// How many whole groups of three bytes there may be before that many bytes more; none where there is no way.
fn groups(least: u32, most: u32, extra: u32) -> Option<(u32, Option<u32>)> {
    let from = least.saturating_sub(extra).div_ceil(3);
    if most == 0 {
        return Some((from, None));
    }
    let to = most.checked_sub(extra)? / 3;
    (from <= to).then_some((from, Some(to)))
}

/// Counts in the expression, as far as such counts go.
fn counted(least: u32, most: u32) -> String {
    let most = if most > COUNTED { 0 } else { most };
    let least = least.min(COUNTED);
    if least == 0 && most == 0 {
        return ANY.to_owned();
    }
    let mut ways = Vec::new();
    for (tail, extra) in TAILS.into_iter().zip(0_u32..) {
        match groups(least, most, extra) {
            Some((_, Some(0))) => ways.push(tail.to_owned()),
            Some((from, Some(to))) => ways.push(format!("{GROUP}{{{from},{to}}}{tail}")),
            Some((from, None)) => ways.push(format!("{GROUP}{{{from},}}{tail}")),
            None => {}
        }
    }
    format!("^(?:{})$", ways.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::base64::Engine as _;
    use ::base64::engine::general_purpose::STANDARD;
    use regex::Regex;

    #[test]
    fn every_length_is_told_by_either_form() {
        for (least, most) in [(0, 1), (0, 2), (1, 0), (2, 2), (3, 7), (5, 5), (4, 6), (0, 0)] {
            let counted = Regex::new(&counted(least, most)).unwrap();
            let plain = jsonschema::validator_for(&json!(schema(least, most, false))).unwrap();
            for size in 0..12_u32 {
                let text = STANDARD.encode(vec![7_u8; size as usize]);
                let within = size >= least && (most == 0 || size <= most);
                assert_eq!(counted.is_match(&text), within, "{size} of {least}..{most}");
                assert_eq!(plain.is_valid(&json!(text)), within, "{size} of {least}..{most}");
            }
        }
    }
}
