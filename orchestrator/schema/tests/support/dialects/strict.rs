//! Values made after a strict schema.

use super::values::{SCALARS, TIMES};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

/// Values after a strict schema: at the ends of what it admits, in between, and now and then not after it at all.
pub(crate) fn after(root: &Json, schema: &Json, depth: u32) -> BoxedStrategy<Json> {
    let wild = select(&SCALARS[..]).prop_map(|it| serde_json::from_str(it).unwrap());
    prop_oneof![40 => truly(root, schema, depth), 1 => wild].boxed()
}

fn truly(root: &Json, schema: &Json, depth: u32) -> BoxedStrategy<Json> {
    if let Some(reference) = schema["$ref"].as_str() {
        // Deep enough: null, whether that is admitted or not.
        if depth == 0 {
            return Just(Json::Null).boxed();
        }
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return after(root, &root["$defs"][name], depth.saturating_sub(1));
    }
    if let Some(ways) = schema["anyOf"].as_array() {
        let null = ways.iter().position(|it| it["type"] == "null").filter(|_| depth == 0);
        let ways = null.map_or(ways.as_slice(), |index| &ways[index..=index]);
        let ways: Vec<_> = ways.iter().map(|way| after(root, way, depth)).collect();
        return proptest::strategy::Union::new(ways).boxed();
    }
    if let Some(values) = schema["enum"].as_array() {
        return select(values.clone()).boxed();
    }
    let types: Vec<String> = match &schema["type"] {
        Json::Array(types) => types.iter().map(|it| it.as_str().unwrap().to_owned()).collect(),
        one => vec![one.as_str().unwrap().to_owned()],
    };
    let types: Vec<String> =
        if depth == 0 && types.iter().any(|it| it == "null") { vec!["null".to_owned()] } else { types };
    let ways: Vec<_> = types.iter().map(|name| typed(root, schema, name, depth)).collect();
    proptest::strategy::Union::new(ways).boxed()
}

fn typed(root: &Json, schema: &Json, name: &str, depth: u32) -> BoxedStrategy<Json> {
    match name {
        "null" => Just(Json::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Json::from).boxed(),
        "integer" => {
            let (least, greatest) =
                (schema["minimum"].as_i64().unwrap(), schema["maximum"].as_i64().unwrap());
            prop_oneof![Just(least), Just(greatest), least..=greatest].prop_map(Json::from).boxed()
        }
        "number" => {
            let ends: Vec<Json> = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
                .iter()
                .filter_map(|end| schema.get(*end).cloned())
                .collect();
            let some = (-200..200_i32).prop_map(|it| json!(f64::from(it) / 8.0));
            if ends.is_empty() { some.boxed() } else { prop_oneof![select(ends), some].boxed() }
        }
        "string" => string(schema),
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
            let most = schema["maxItems"].as_u64().map_or(least + 2, |it| it as usize);
            let most = if depth == 0 { least } else { most.min(least + 3) };
            proptest::collection::vec(after(root, &schema["items"], depth.saturating_sub(1)), least..=most)
                .prop_map(Json::from)
                .boxed()
        }
        "object" => {
            let mut object: BoxedStrategy<serde_json::Map<String, Json>> =
                Just(serde_json::Map::new()).boxed();
            for (name, member) in schema["properties"].as_object().unwrap() {
                let name = name.clone();
                object = (object, after(root, member, depth.saturating_sub(1)))
                    .prop_map(move |(mut object, it)| {
                        object.insert(name.clone(), it);
                        object
                    })
                    .boxed();
            }
            object.prop_map(Json::Object).boxed()
        }
        other => panic!("{other}"),
    }
}

fn string(schema: &Json) -> BoxedStrategy<Json> {
    let Some(pattern) = schema["pattern"].as_str() else {
        return select(vec!["", "a", "b", "AB", "5", "{\"a\":1}", "é日", "[1]"]).prop_map(Json::from).boxed();
    };
    if schema["format"] == "date-time" {
        let times = TIMES.iter().map(|it| serde_json::from_str::<Json>(it).unwrap()).collect::<Vec<_>>();
        return select(times).boxed();
    }
    if pattern == r"^\{[\s\S]*\}$" {
        return select(vec!["{}", "{\"a\": [1, null]}", "{\"a\": {\"b\": \"1\"}}"])
            .prop_map(Json::from)
            .boxed();
    }
    let bare = pattern.strip_prefix('^').unwrap_or(pattern);
    let bare = bare.strip_suffix('$').unwrap_or(bare);
    proptest::string::string_regex(bare).unwrap().prop_map(Json::from).boxed()
}
