//! A manifest as a registry keeps it: with its descriptors, under the digest of its text.

use bytes::Bytes;
use convoke_proto::{digest, json, v1};

use crate::Error;

/// What `Instance.manifest_digest` starts with.
const ALGORITHM: &str = "sha256:";

/// A manifest, the descriptors it was read from, and the names under which both are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// `sha256:` and the hex SHA-256 of the manifest's stored text, as instances name their manifest.
    pub digest: String,
    /// The manifest; its `descriptors_digest` is that of [`Record::descriptors`].
    pub manifest: v1::Manifest,
    /// The encoded `FileDescriptorSet`.
    pub descriptors: Bytes,
}

/// The hex digits of a digest, with or without the algorithm before them; `None` for anything else.
pub(crate) fn hex(digest: &str) -> Option<&str> {
    let hex = digest.strip_prefix(ALGORITHM).unwrap_or(digest);
    let well_formed = hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    well_formed.then_some(hex)
}

/// A manifest in proto3 JSON with proto field names: the bytes that a registry stores.
pub(crate) fn text_of(manifest: &v1::Manifest) -> String {
    json::render("convoke.v1.Manifest", manifest).to_string()
}

// === impl Record ===

impl Record {
    /// The record of a manifest that was read from `descriptors`.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what JSON cannot hold: a duration out of range, a number that is not finite.
    pub fn new(mut manifest: v1::Manifest, descriptors: Bytes) -> Result<Self, Error> {
        manifest.descriptors_digest = digest::sha256_hex(&descriptors);
        let text = text_of(&manifest);
        if text == "null" {
            let reason = "a duration or a number in it is out of the range of JSON".into();
            return Err(Error::Invalid { field: "manifest", reason });
        }
        Ok(Self { digest: digest::prefixed(text.as_bytes()), manifest, descriptors })
    }

    /// The manifest that is stored under a digest.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the bytes don't have the digest or aren't a manifest.
    pub fn read_manifest(digest: &str, text: &[u8]) -> Result<v1::Manifest, Error> {
        let invalid = |reason: String| Error::Invalid { field: "manifest", reason };
        if hex(digest) != Some(digest::sha256_hex(text).as_str()) {
            return Err(invalid(format!("what is stored under {digest} has another digest")));
        }
        let text = str::from_utf8(text).map_err(|_| invalid("it is not UTF-8".into()))?;
        json::parse("convoke.v1.Manifest", text).map_err(invalid)
    }

    /// The record of a manifest, as [`Record::read_manifest`] gave it, with the descriptors that are stored for it.
    ///
    /// # Errors
    /// [`Error::Invalid`] when they aren't the ones that it names.
    pub fn stored(digest: &str, manifest: v1::Manifest, descriptors: Bytes) -> Result<Self, Error> {
        if manifest.descriptors_digest != digest::sha256_hex(&descriptors) {
            let reason = "the descriptors that it names have another digest".into();
            return Err(Error::Invalid { field: "manifest", reason });
        }
        Ok(Self { digest: digest.to_owned(), manifest, descriptors })
    }

    /// The digest without its algorithm: what a key ends with.
    pub fn hex(&self) -> &str {
        hex(&self.digest).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> v1::Manifest {
        let domain = v1::Domain { name: "units".into(), version: "1.0.0".into(), ..Default::default() };
        v1::Manifest { domain: Some(domain), ..Default::default() }
    }

    #[test]
    fn what_is_stored_is_read_back_under_its_digest_alone() {
        let descriptors = Bytes::from_static(b"descriptors");
        let record = Record::new(manifest(), descriptors.clone()).unwrap();
        let text = text_of(&record.manifest);
        let manifest = Record::read_manifest(&record.digest, text.as_bytes()).unwrap();
        assert_eq!(Record::stored(&record.digest, manifest.clone(), descriptors).unwrap(), record);

        assert!(
            Record::read_manifest(record.hex(), text.as_bytes()).is_ok(),
            "the algorithm may be left out"
        );
        assert!(Record::read_manifest(&record.digest, format!("{text} ").as_bytes()).is_err());
        assert!(Record::stored(&record.digest, manifest, Bytes::from_static(b"others")).is_err());
    }

    #[test]
    fn what_json_cannot_hold_gets_no_record() {
        let endless = prost_types::Duration { seconds: i64::MAX, nanos: 0 };
        let capability = v1::Capability { key_window: Some(endless), ..Default::default() };
        let manifest = v1::Manifest { capabilities: vec![capability], ..manifest() };
        let error = Record::new(manifest, Bytes::new()).unwrap_err();
        assert!(matches!(error, Error::Invalid { field: "manifest", .. }), "{error}");
    }

    #[test]
    fn a_digest_is_64_hex_digits_with_or_without_its_algorithm() {
        let digits = "0123456789abcdef".repeat(4);
        assert_eq!(hex(&digits), Some(digits.as_str()));
        assert_eq!(hex(&format!("sha256:{digits}")), Some(digits.as_str()));
        for bad in ["", "sha256:", &digits[1..], &digits.to_uppercase(), &format!("md5:{digits}")] {
            assert_eq!(hex(bad), None, "{bad}");
        }
    }
}
