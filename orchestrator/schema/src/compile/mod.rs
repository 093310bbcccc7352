//! Compile.
pub(crate) fn compile(
    _: &prost_reflect::MessageDescriptor,
    _: &crate::limits::Limits,
) -> Result<crate::graph::Graph, Vec<crate::defect::Defect>> {
    Err(Vec::new())
}
