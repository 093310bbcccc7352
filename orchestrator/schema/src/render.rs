//! To come.
pub(crate) fn to_struct(_: &crate::graph::Graph, _: u32, v: &crate::value::Value) -> prost_types::Struct {
    v.to_struct()
}
pub(crate) fn to_json(_: &crate::graph::Graph, _: u32, v: &crate::value::Value) -> String {
    v.to_json()
}
