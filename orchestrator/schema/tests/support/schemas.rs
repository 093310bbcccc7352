//! JSON Schemas of every construct, put together at random.

use serde_json::{Value as Json, json};

pub(crate) struct Maker {
    state: u64,
}

impl Maker {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    pub(crate) fn make(mut self) -> Json {
        for _ in 0..4 {
            self.next();
        }
        let mut root = self.object(0);
        if self.chance(3) {
            root["$defs"] = json!({ "d": self.schema(2), "e": self.object(2) });
        } else {
            root["$defs"] =
                json!({ "d": {"type": "string"}, "e": {"type": "object", "additionalProperties": false} });
        }
        root
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

    fn object(&mut self, depth: u32) -> Json {
        let mut schema = json!({ "type": "object", "properties": {} });
        for name in ["a", "b", "c-d"] {
            if self.chance(2) {
                schema["properties"][name] = self.schema(depth + 1);
            }
        }
        if self.chance(3) {
            schema["required"] = json!(["a"]);
        }
        match self.below(6) {
            0 => schema["additionalProperties"] = json!(true),
            1 => schema["additionalProperties"] = self.schema(depth + 2),
            2 => {}
            _ => schema["additionalProperties"] = json!(false),
        }
        let extra = match self.below(12) {
            0 => json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
            1 => json!({"minProperties": 1}),
            2 => json!({"dependentRequired": {"a": ["b"]}}),
            3 => json!({"if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "integer"}}}}),
            4 => json!({"not": {"required": ["a", "b"]}}),
            5 => json!({"allOf": [{"properties": {"a": {"minimum": 1}}}, {"required": ["b"]}]}),
            6 => json!({"propertyNames": {"maxLength": 3}}),
            _ => json!({}),
        };
        schema.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        schema
    }

    fn schema(&mut self, depth: u32) -> Json {
        if depth > 3 {
            return self.scalar();
        }
        match self.below(16) {
            0 => self.object(depth),
            1 => json!({"type": "array", "items": self.schema(depth + 1), "uniqueItems": true}),
            2 => {
                json!({"type": "array", "items": self.schema(depth + 1), "minItems": self.below(2), "maxItems": 2})
            }
            3 => json!({"type": "array", "prefixItems": [self.schema(depth + 1)], "items": self.chance(2)}),
            4 => json!({"type": "object", "additionalProperties": self.schema(depth + 1)}),
            5 => json!({"anyOf": [self.schema(depth + 1), {"type": "null"}]}),
            6 => json!({"oneOf": [self.schema(depth + 1), self.schema(depth + 1)]}),
            7 => json!({"allOf": [self.scalar(), self.scalar()]}),
            8 => json!({"$ref": "#/$defs/d"}),
            9 => json!({"$ref": "#/$defs/e", "description": "Another."}),
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Json {
        let kinds = [
            json!({"type": "string"}),
            json!({"type": "string", "minLength": 1, "maxLength": 6}),
            json!({"type": "string", "pattern": "^[a-z]"}),
            json!({"type": "string", "not": {"const": "x"}}),
            json!({"type": ["string", "null"]}),
            json!({"type": ["integer", "boolean"]}),
            json!({"enum": ["x", "no", "open"]}),
            json!({"enum": ["x", 1, null]}),
            json!({"type": "integer"}),
            json!({"type": "integer", "minimum": 0, "exclusiveMaximum": 8}),
            json!({"type": "integer", "multipleOf": 2}),
            json!({"type": "number", "exclusiveMinimum": 0}),
            json!({"type": "number", "maximum": 2.5}),
            json!({"type": "boolean"}),
            json!({"const": "cat"}),
            json!({"type": "integer", "enum": [1, 2], "default": 2}),
            json!({"type": "string", "default": "cat"}),
            json!({}),
            json!(true),
            json!({"minimum": 3}),
        ];
        kinds[usize::try_from(self.below(kinds.len() as u64)).unwrap()].clone()
    }
}
