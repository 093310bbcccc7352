//! Messages of the contract as proto3 JSON with proto field names.
//!
//! For what Convoke itself prints and stores: `--json`, values in etcd. JSON that people and models write goes
//! through `convoke-schema`, which mends and reports; this module refuses.

use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use serde_json::Value;

use crate::descriptor_pool;

/// `message` as JSON: proto field names, fields at their default present, 64-bit integers as text. As everywhere in
/// proto3 JSON, a message or `optional` field that is not set is left out.
///
/// `full_name` is the name of `M`, such as `convoke.v1.AskResponse`; another name, or a message that JSON cannot hold
/// (a time before the year 1 or after 9999), gives `null`.
pub fn render<M: Message>(full_name: &str, message: &M) -> Value {
    let options = SerializeOptions::new().use_proto_field_name(true).skip_default_fields(false);
    descriptor(full_name)
        .ok()
        .and_then(|descriptor| DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice()).ok())
        .and_then(|dynamic| dynamic.serialize_with_options(serde_json::value::Serializer, &options).ok())
        .unwrap_or(Value::Null)
}

/// Reads a message from JSON text. Field names may be proto or JSON names; an unknown field is an error.
///
/// # Errors
/// What is wrong, with line and column.
pub fn parse<M: Message + Default>(full_name: &str, text: &str) -> Result<M, String> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let dynamic = DynamicMessage::deserialize(descriptor(full_name)?, &mut reader)
        .map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    dynamic.transcode_to().map_err(|error| error.to_string())
}

fn descriptor(full_name: &str) -> Result<MessageDescriptor, String> {
    descriptor_pool()
        .get_message_by_name(full_name)
        .ok_or_else(|| format!("the contract has no message {full_name}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::v1::{Instance, instance::State};

    const INSTANCE: &str = "convoke.v1.Instance";

    #[test]
    fn every_field_is_printed_under_its_proto_name() {
        let instance = Instance {
            id: "units-1".to_owned(),
            incarnation: u64::MAX,
            state: State::Serving.into(),
            ..Instance::default()
        };
        assert_eq!(
            render(INSTANCE, &instance),
            json!({
                "id": "units-1", "incarnation": "18446744073709551615", "domain": "", "version": "", "endpoint": "",
                "manifest_digest": "", "state": "SERVING", "zone": "", "weight": 0, "metadata": {}
            })
        );
    }

    #[test]
    fn what_was_printed_is_read_back() {
        let instance = Instance { id: "a".to_owned(), weight: 7, ..Instance::default() };
        let text = render(INSTANCE, &instance).to_string();
        assert_eq!(parse::<Instance>(INSTANCE, &text), Ok(instance));
    }

    #[test]
    fn an_unknown_field_or_trailing_text_is_refused_with_its_place() {
        let unknown = parse::<Instance>(INSTANCE, r#"{"wieght": 1}"#).unwrap_err();
        assert!(unknown.contains("wieght") && unknown.contains("line 1"), "{unknown}");
        assert!(parse::<Instance>(INSTANCE, "{} {}").is_err());
    }

    #[test]
    fn an_unknown_message_is_null_and_an_error() {
        assert_eq!(render("convoke.v1.Nothing", &Instance::default()), Value::Null);
        assert!(parse::<Instance>("convoke.v1.Nothing", "{}").unwrap_err().contains("convoke.v1.Nothing"));
    }
}
