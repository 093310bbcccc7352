//! Values made from a JSON Schema: mostly what it asks for, sometimes with something put wrong.

use serde_json::{Map, Value as Json, json};

pub(crate) struct Maker<'a> {
    root: &'a Json,
    state: u64,
    /// One in so many values is another one.
    wrong: u64,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(root: &'a Json, seed: u64) -> Self {
        let wrong = [u64::MAX, 12, 5][usize::try_from(seed % 3).unwrap()];
        let mut maker = Self { root, state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, wrong };
        (0..4).for_each(|_| {
            maker.next();
        });
        maker
    }

    pub(crate) fn make(mut self) -> Json {
        self.of(self.root, 0)
    }

    /// xorshift64* (Vigna 2016).
    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[usize::try_from(self.below(list.len() as u64)).unwrap()]
    }

    fn junk(&mut self) -> Json {
        let junk = [
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(7),
            json!(2.5),
            json!(1000),
            json!("x"),
            json!(""),
            json!("cat"),
            json!("123-abc"),
            json!([]),
            json!([1]),
            json!(["a", "a"]),
            json!([null]),
            json!({}),
            json!({"a": 1}),
            json!({"x-1": 2}),
            json!({"unknown": "x"}),
            json!([[1, 2, 3]]),
            json!("open"),
            json!("OPEN"),
        ];
        self.pick(&junk).clone()
    }

    fn of(&mut self, schema: &Json, depth: u32) -> Json {
        if depth > 0 && self.chance(self.wrong) {
            return self.junk();
        }
        let Json::Object(schema) = schema else { return self.junk() };
        if let Some(Json::String(reference)) = schema.get("$ref") {
            let pointer = reference.trim_start_matches('#').replace("%20", " ");
            let pointer = if pointer == "amount" { "/$defs/amount" } else { &pointer };
            let target = self.root.pointer(pointer).unwrap();
            return if depth > 6 { self.junk() } else { self.of(target, depth + 1) };
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(Json::Array(ways)) = schema.get(name)
                && !schema.contains_key("properties")
            {
                let way = self.pick(ways).clone();
                return self.of(&way, depth + 1);
            }
        }
        if let Some(Json::Array(all)) = schema.get("allOf") {
            return self.merged(all, depth);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(Json::Array(values)) = schema.get("enum") {
            return self.pick(values).clone();
        }
        let named = match schema.get("type") {
            Some(Json::Array(names)) => self.pick(names).clone(),
            Some(name) => name.clone(),
            None if schema.contains_key("properties") => json!("object"),
            None => return self.junk(),
        };
        match named.as_str().unwrap() {
            "null" => Json::Null,
            "boolean" => json!(self.chance(2)),
            "integer" => self.integer(schema),
            "number" => self.number(schema),
            "string" => self.text(schema),
            "array" => self.list(schema, depth),
            _ => self.object(schema, depth),
        }
    }

    fn merged(&mut self, all: &[Json], depth: u32) -> Json {
        let mut merged = Map::new();
        for part in all {
            for (name, value) in part.as_object().into_iter().flatten() {
                match (merged.get_mut(name), value) {
                    (Some(Json::Object(known)), Json::Object(more)) => {
                        for (name, value) in more {
                            match (known.get_mut(name), value) {
                                (Some(Json::Object(known)), Json::Object(more)) => known.extend(more.clone()),
                                _ => drop(known.insert(name.clone(), value.clone())),
                            }
                        }
                    }
                    (Some(Json::Array(known)), Json::Array(more)) => known.extend(more.clone()),
                    _ => drop(merged.insert(name.clone(), value.clone())),
                }
            }
        }
        self.of(&Json::Object(merged), depth)
    }

    fn integer(&mut self, schema: &Map<String, Json>) -> Json {
        let least = schema.get("minimum").and_then(Json::as_f64).map_or(-5, |it| it.ceil() as i64);
        let step = schema.get("multipleOf").and_then(Json::as_i64).unwrap_or(1);
        json!((least + i64::try_from(self.below(12)).unwrap()).div_euclid(step) * step)
    }

    fn number(&mut self, schema: &Map<String, Json>) -> Json {
        let least = schema.get("minimum").or_else(|| schema.get("exclusiveMinimum")).and_then(Json::as_f64);
        let parts = [0.0, 0.25, 0.5, 1.0, 10.0];
        json!(least.unwrap_or(-1.0) + *self.pick(&parts))
    }

    fn text(&mut self, schema: &Map<String, Json>) -> Json {
        if schema.contains_key("pattern") {
            let texts = ["123-ab", "a cat.", "ab", "12-", "concat", "٣٣٣-x", "ba"];
            return json!(*self.pick(&texts));
        }
        if schema.contains_key("maxLength") && self.chance(2) {
            return json!("");
        }
        let texts = [
            "x",
            "Berlin",
            "a b",
            "2024-01-31T09:00:00+02:00",
            "aGk=",
            "tomorrow",
            "é\u{1F600}",
            "no",
            "null",
        ];
        json!(*self.pick(&texts))
    }

    fn list(&mut self, schema: &Map<String, Json>, depth: u32) -> Json {
        let least = schema.get("minItems").and_then(Json::as_u64).unwrap_or(0);
        let count = if depth > 6 { least } else { least + self.below(3) };
        let prefix = schema.get("prefixItems").or_else(|| schema.get("items").filter(|it| it.is_array()));
        let rest = schema.get("additionalItems").or_else(|| schema.get("items").filter(|it| !it.is_array()));
        let mut list = Vec::new();
        for index in 0..count {
            let place = usize::try_from(index).unwrap();
            match prefix.and_then(|it| it.get(place)).or(rest) {
                Some(Json::Bool(false)) => {}
                Some(schema) => list.push(self.of(schema, depth + 1)),
                None => list.push(self.junk()),
            }
        }
        Json::Array(list)
    }

    fn object(&mut self, schema: &Map<String, Json>, depth: u32) -> Json {
        let mut object = Map::new();
        let required = schema.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
        for (name, property) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
            let needed = required.contains(&json!(name));
            let there = if needed { !self.chance(self.wrong) } else { depth < 6 && self.chance(2) };
            if there && *property != json!(false) {
                object.insert(name.clone(), self.of(property, depth + 1));
            }
        }
        match schema.get("additionalProperties") {
            Some(property @ Json::Object(_)) if !schema.contains_key("properties") => {
                for name in ["EUR", "b", "xyz"].into_iter().take(usize::try_from(self.below(3)).unwrap()) {
                    object.insert(name.to_owned(), self.of(property, depth + 1));
                }
            }
            _ => {}
        }
        if schema.contains_key("patternProperties") && self.chance(2) {
            object.insert("x-1".to_owned(), json!(3));
        }
        if self.chance(self.wrong) {
            object.insert("surplus".to_owned(), self.junk());
        }
        Json::Object(object)
    }
}
