//! To come.
pub(crate) fn describe(_: &crate::graph::Graph, _: u32) -> serde_json::Value {
    serde_json::Value::Null
}
pub(crate) fn message_text(m: &crate::graph::MessageType) -> String {
    m.description.clone()
}
pub(crate) fn field_text(f: &crate::graph::FieldType) -> String {
    f.spec.description.clone()
}
