//! To come.
pub(crate) fn fingerprint(_: &crate::graph::Graph, _: u32) -> String {
    String::new()
}
