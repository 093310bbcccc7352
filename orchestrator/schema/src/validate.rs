//! To come.
pub(crate) fn validate(
    _: &crate::graph::Graph,
    _: u32,
    _: &crate::value::Value,
) -> Vec<crate::report::Violation> {
    Vec::new()
}
