//! The name of a contract: equal digests mean the same call.

use convoke_proto::digest;
use convoke_proto::v1::capability::Effects;
use convoke_schema::Schema;

/// `sha256:{hex}` over the normalised input and output types with their constraints, the effects and the binding.
/// Descriptions, hints and examples do not count: wording may change, meaning may not.
pub(crate) fn contract_digest(input: &Schema, output: &Schema, effects: Effects, path: &str) -> String {
    let (input, output) = (input.fingerprint(), output.fingerprint());
    let parts: [&[u8]; 5] = [
        b"convoke contract 1",
        input.as_ref(),
        output.as_ref(),
        effects.as_str_name().as_bytes(),
        path.as_bytes(),
    ];
    let mut hashed = Vec::new();
    for part in parts {
        // The length first, so that no two lists of parts read alike.
        hashed.extend_from_slice(&part.len().to_be_bytes());
        hashed.extend_from_slice(part);
    }
    digest::prefixed(&hashed)
}
