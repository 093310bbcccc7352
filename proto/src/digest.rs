//! SHA-256, in the two spellings of the contract.

use sha2::{Digest, Sha256};

/// Lower-case hexadecimal, 64 digits: how descriptors and manifests are named.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// `sha256:` and the hexadecimal digits: how a digest is written where its kind is not known from the place.
pub fn prefixed(bytes: &[u8]) -> String {
    format!("sha256:{}", sha256_hex(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_abc_is_that_of_fips_180_4() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b"abc"), expected);
        assert_eq!(prefixed(b"abc"), format!("sha256:{expected}"));
    }
}
