//! What every request has in common, read once: who calls, for how long, in which words.

use std::time::{Duration, Instant};

use convoke_plan::CallContext;
use convoke_proto::v1::violation::Rule;
use tonic::Status;
use tonic::metadata::MetadataMap;

use super::refuse;

/// The longest session id.
const MAX_SESSION: usize = 128;
/// The longest locale, RFC 5646's own limit with room for a private part.
const MAX_LOCALE: usize = 64;
/// The share of `grpc-timeout` kept for the answer's own way: the caller should see what happened, not only that it
/// took too long.
const MARGIN_SHARE: u32 = 20;
const MAX_MARGIN: Duration = Duration::from_millis(50);

/// The caller's part of an execution.
#[derive(Debug)]
pub(super) struct Caller {
    /// What every call of it carries; the idempotency key is still empty.
    pub(super) context: CallContext,
    /// When the caller stops waiting.
    pub(super) deadline: Option<Instant>,
}

// === impl Caller ===

impl Caller {
    /// Reads the metadata, `session_id` and `timeout` of a request that is about `query`.
    pub(super) fn read(
        metadata: &MetadataMap,
        session_id: String,
        timeout: Option<prost_types::Duration>,
        query: String,
    ) -> Result<Self, Status> {
        session(&session_id)?;
        let asked = timeout.map(timeout_of).transpose()?;
        let waits =
            grpc_timeout(metadata).map(|time| time.saturating_sub((time / MARGIN_SHARE).min(MAX_MARGIN)));
        let time = [asked, waits].into_iter().flatten().min();
        let context = CallContext {
            session_id,
            query,
            hops: hops(metadata)?,
            idempotency_key: String::new(),
            traceparent: traceparent(metadata),
        };
        Ok(Self { context, deadline: time.and_then(|time| Instant::now().checked_add(time)) })
    }
}

/// A sentence has something in it. How long it may be is planning's to say.
pub(super) fn sentence(text: &str) -> Result<(), Status> {
    if text.trim().is_empty() {
        return Err(refuse::missing("input_text", "a sentence"));
    }
    Ok(())
}

/// Printable ASCII that fits a header; it travels with every call.
pub(super) fn session(id: &str) -> Result<(), Status> {
    let printable = id.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if id.len() > MAX_SESSION || !printable || id.trim() != id {
        let expected = "at most 128 printable ASCII characters, no blank at either end";
        return Err(refuse::field("session_id", Rule::BadFormat, expected, id));
    }
    Ok(())
}

/// A well-formed BCP 47 tag: subtags of 1 to 8 letters and digits, the first of letters alone.
pub(super) fn locale(tag: &str) -> Result<(), Status> {
    let subtag = |subtag: &str| {
        (1..=8).contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let first = tag.split('-').next().unwrap_or_default();
    let well_formed = tag.len() <= MAX_LOCALE
        && tag.split('-').all(subtag)
        && (first.len() >= 2 || first.eq_ignore_ascii_case("x") || first.eq_ignore_ascii_case("i"))
        && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    if tag.is_empty() || well_formed {
        return Ok(());
    }
    Err(refuse::field("locale", Rule::BadFormat, "a BCP 47 tag, e.g. de-CH", tag))
}

/// UTC alone is served.
pub(super) fn time_zone(request: &str, zone: &str) -> Result<(), Status> {
    match zone {
        "" | "UTC" | "Etc/UTC" => Ok(()),
        _ => Err(refuse::not_served(request, "time_zone other than UTC")),
    }
}

/// The fields of an execution's request that this version does not serve.
pub(super) fn not_served(
    request: &str,
    idempotency_key: &str,
    metadata: Option<&prost_types::Struct>,
) -> Result<(), Status> {
    if !idempotency_key.is_empty() {
        return Err(refuse::not_served(request, "idempotency_key"));
    }
    if metadata.is_some_and(|metadata| !metadata.fields.is_empty()) {
        return Err(refuse::not_served(request, "metadata"));
    }
    Ok(())
}

fn timeout_of(timeout: prost_types::Duration) -> Result<Duration, Status> {
    let text = format!("{}s {}ns", timeout.seconds, timeout.nanos);
    Duration::try_from(timeout)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| refuse::field("timeout", Rule::Minimum, "a time above zero", text))
}

/// `grpc-timeout`: at most eight digits and a unit. One that is malformed was answered by the transport already.
fn grpc_timeout(metadata: &MetadataMap) -> Option<Duration> {
    let text = metadata.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let few = (1..=8).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let count: u64 = digits.parse().ok().filter(|_| few)?;
    match unit {
        "H" => Some(Duration::from_secs(count * 60 * 60)),
        "M" => Some(Duration::from_secs(count * 60)),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

/// How many orchestrators the request has passed already; a circle of them is stopped where the next call is made.
fn hops(metadata: &MetadataMap) -> Result<u32, Status> {
    let Some(value) = metadata.get("convoke-hops") else { return Ok(0) };
    let hops = value.to_str().ok().and_then(|text| text.parse().ok());
    hops.ok_or_else(|| refuse::field("convoke-hops", Rule::BadFormat, "a number in the metadata", ""))
}

/// W3C trace context; a malformed one is no trace, as the recommendation has it.
fn traceparent(metadata: &MetadataMap) -> Option<String> {
    let text = metadata.get("traceparent")?.to_str().ok()?;
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let mut parts = text.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let well_formed = version == "00"
        && hex(trace, 32)
        && hex(parent, 16)
        && hex(flags, 2)
        && parts.next().is_none()
        && !zero(trace)
        && !zero(parent);
    well_formed.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Code;

    fn metadata(pairs: &[(&'static str, &'static str)]) -> MetadataMap {
        let mut map = MetadataMap::new();
        for (key, value) in pairs {
            map.insert(*key, value.parse().unwrap());
        }
        map
    }

    fn read(pairs: &[(&'static str, &'static str)]) -> Result<Caller, Status> {
        Caller::read(&metadata(pairs), String::new(), None, String::new())
    }

    #[test]
    fn the_shorter_time_counts_and_leaves_room_for_the_answer() {
        let asked = Some(prost_types::Duration { seconds: 3, nanos: 0 });
        for (header, at_most) in [("2S", 1_950), ("10S", 3_000), ("400m", 380), ("1H", 3_000)] {
            let caller =
                Caller::read(&metadata(&[("grpc-timeout", header)]), String::new(), asked, String::new())
                    .unwrap();
            let left = caller.deadline.unwrap().saturating_duration_since(Instant::now());
            assert!(left <= Duration::from_millis(at_most), "{header}: {left:?}");
            assert!(left > Duration::from_millis(at_most) / 2, "{header}: {left:?}");
        }
        assert_eq!(read(&[]).unwrap().deadline, None);
    }

    #[test]
    fn a_time_of_nothing_is_refused() {
        for (seconds, nanos) in [(0, 0), (-1, 0), (0, -1), (1, -1_500_000_000)] {
            let asked = Some(prost_types::Duration { seconds, nanos });
            let refused = Caller::read(&metadata(&[]), String::new(), asked, String::new()).unwrap_err();
            assert_eq!(refused.code(), Code::InvalidArgument);
        }
    }

    #[test]
    fn hops_are_counted_on() {
        assert_eq!(read(&[]).unwrap().context.hops, 0);
        assert_eq!(read(&[("convoke-hops", "7")]).unwrap().context.hops, 7);
        assert_eq!(read(&[("convoke-hops", "many")]).unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn only_a_well_formed_trace_is_passed_on() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert_eq!(read(&[("traceparent", good)]).unwrap().context.traceparent.as_deref(), Some(good));
        for bad in ["", "00-0-0-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01", "x"] {
            assert_eq!(read(&[("traceparent", bad)]).unwrap().context.traceparent, None);
        }
    }

    #[test]
    fn a_session_fits_a_header() {
        assert!(session("").is_ok() && session("user 42/a").is_ok() && session(&"s".repeat(128)).is_ok());
        for bad in ["é", "a\nb", " a", "\u{7f}"] {
            assert_eq!(session(bad).unwrap_err().code(), Code::InvalidArgument, "{bad:?}");
        }
        assert!(session(&"s".repeat(129)).is_err());
    }

    #[test]
    fn a_locale_is_a_language_tag() {
        for good in ["", "en", "de-CH", "zh-Hant-TW", "x-private", "i-klingon"] {
            assert!(locale(good).is_ok(), "{good}");
        }
        for bad in ["e", "12", "de_CH", "de-", "-de", "verylonglanguage", "de CH", "dé"] {
            assert!(locale(bad).is_err(), "{bad}");
        }
    }
}
