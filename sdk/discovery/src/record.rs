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
    pub fn new(mut manifest: v1::Manifest, descriptors: Bytes) -> Self {
        manifest.descriptors_digest = digest::sha256_hex(&descriptors);
        let digest = digest::prefixed(text_of(&manifest).as_bytes());
        Self { digest, manifest, descriptors }
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
