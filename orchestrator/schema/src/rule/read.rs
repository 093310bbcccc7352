//! The text of a rule becomes nodes that refer to one another by index.

use super::{Limit, Node, Rule, Span, Types, pattern};
use crate::constraint::Allowed;
use crate::pattern::Pattern;
use crate::value::{Object, Value, to_i128};
use hashbrown::{HashMap, HashSet};

/// How many schemas one rule may hold.
const MAX_NODES: usize = 100_000;
/// Keywords that say something about a value and ask nothing of it.
pub(super) const ANNOTATIONS: [&str; 15] = [
    "$schema",
    "$comment",
    "$defs",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "$anchor",
];

struct Reader<'a> {
    document: &'a Value,
    nodes: Vec<Node>,
    references: HashMap<String, usize>,
    queue: Vec<(usize, &'a Value)>,
}

// === impl Rule ===

impl Rule {
    /// Reads a schema.
    ///
    /// # Errors
    /// What is wrong with it, in words: no JSON, no schema, a keyword that is not enforced, a reference to nothing.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let document = Value::parse(text.as_bytes()).map_err(|error| error.to_string())?;
        let mut reader =
            Reader { document: &document, nodes: Vec::new(), references: HashMap::new(), queue: Vec::new() };
        let root = reader.referred("#")?;
        while let Some((index, schema)) = reader.queue.pop() {
            let node = reader.read(schema)?;
            if let Some(place) = reader.nodes.get_mut(index) {
                *place = node;
            }
        }
        if super::circle::is_circular(&reader.nodes) {
            return Err("the schema refers to itself without end".to_owned());
        }
        Ok(Self { nodes: reader.nodes, root, text: document.to_json() })
    }
}

// === impl Reader ===

impl<'a> Reader<'a> {
    /// The node of a schema, which is queued.
    fn node(&mut self, schema: &'a Value) -> Result<usize, String> {
        if self.nodes.len() >= MAX_NODES {
            return Err(format!("more than {MAX_NODES} schemas in one rule"));
        }
        let index = self.nodes.len();
        self.nodes.push(Node::default());
        self.queue.push((index, schema));
        Ok(index)
    }

    fn nodes<'b>(&mut self, schemas: impl Iterator<Item = &'a Value> + 'b) -> Result<Vec<usize>, String> {
        schemas.map(|schema| self.node(schema)).collect()
    }

    fn list(&mut self, name: &str, value: &'a Value) -> Result<Vec<usize>, String> {
        let list = value.as_list().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| format!("{name} is a list of schemas"))?;
        self.nodes(list.iter())
    }

    fn referred(&mut self, reference: &str) -> Result<usize, String> {
        if let Some(known) = self.references.get(reference) {
            return Ok(*known);
        }
        let target =
            find(self.document, reference).ok_or_else(|| format!("$ref {reference:?} leads nowhere"))?;
        let index = self.node(target)?;
        self.references.insert(reference.to_owned(), index);
        Ok(index)
    }

    fn read(&mut self, schema: &'a Value) -> Result<Node, String> {
        let mut node = Node::default();
        match schema {
            Value::Bool(admits) => node.never = !admits,
            Value::Object(object) => {
                let mut seen = HashSet::new();
                for (name, value) in object.iter() {
                    if !seen.insert(name.as_str()) {
                        return Err(format!("{:?} stands twice in one object", name.as_str()));
                    }
                    self.keyword(&mut node, object, name, value)?;
                }
            }
            _ => return Err("a schema is an object or a boolean".to_owned()),
        }
        Ok(node)
    }

    fn keyword(
        &mut self,
        node: &mut Node,
        object: &'a Object,
        name: &str,
        value: &'a Value,
    ) -> Result<(), String> {
        match name {
            "$ref" => node.reference = Some(self.referred(text(name, value)?)?),
            "type" => node.types = Some(types(value)?),
            "enum" => allow(node, value.as_list().ok_or("enum is a list")?),
            "const" => allow(node, std::slice::from_ref(value)),
            "allOf" => node.all_of = self.list(name, value)?,
            "anyOf" => node.any_of = self.list(name, value)?,
            "oneOf" => node.one_of = self.list(name, value)?,
            "not" => node.not = Some(self.node(value)?),
            "if" => {
                let then = object.get("then").map(|it| self.node(it)).transpose()?;
                let otherwise = object.get("else").map(|it| self.node(it)).transpose()?;
                node.condition = Some((self.node(value)?, then, otherwise));
            }
            // Read with the keyword that they belong to; alone they ask nothing.
            "then" | "else" | "minContains" | "maxContains" => {}
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                node.minimum.push(limit(name, value)?);
            }
            "multipleOf" => node.multiple_of = Some(number(name, value)?),
            "minLength" => node.length.least = count(name, value)?,
            "maxLength" => node.length.most = count(name, value)?,
            "pattern" => node.pattern = Some(regex(text(name, value)?)?),
            name if ANNOTATIONS.contains(&name) => {}
            _ => return self.structure(node, object, name, value),
        }
        Ok(())
    }

    /// Keywords of lists and objects.
    fn structure(
        &mut self,
        node: &mut Node,
        object: &'a Object,
        name: &str,
        value: &'a Value,
    ) -> Result<(), String> {
        match name {
            "prefixItems" => node.prefix = self.list(name, value)?,
            "items" => node.items = Some(self.node(value)?),
            "contains" => {
                let least = object.get("minContains").map(|it| count("minContains", it)).transpose()?;
                let most = object.get("maxContains").map(|it| count("maxContains", it)).transpose()?;
                let span = Span { least: least.unwrap_or(1), most: most.unwrap_or(u64::MAX) };
                node.contains = Some((self.node(value)?, span));
            }
            "minItems" => node.item_count.least = count(name, value)?,
            "maxItems" => node.item_count.most = count(name, value)?,
            "uniqueItems" => node.unique = value.as_bool().ok_or("uniqueItems is a boolean")?,
            "properties" => {
                for (name, schema) in members(name, value)?.iter() {
                    let schema = self.node(schema)?;
                    node.properties.insert(name.to_string(), schema);
                }
            }
            "patternProperties" => {
                for (pattern, schema) in members(name, value)?.iter() {
                    node.patterns.push((regex(pattern)?, self.node(schema)?));
                }
            }
            "additionalProperties" => node.additional = Some(self.node(value)?),
            "propertyNames" => node.names = Some(self.node(value)?),
            "minProperties" => node.member_count.least = count(name, value)?,
            "maxProperties" => node.member_count.most = count(name, value)?,
            "required" => node.required = texts(name, value)?,
            "dependentRequired" => {
                for (member, wanted) in members(name, value)?.iter() {
                    node.dependent_required.push((member.to_string(), texts(name, wanted)?));
                }
            }
            "dependentSchemas" => {
                for (member, schema) in members(name, value)?.iter() {
                    node.dependent.push((member.to_string(), self.node(schema)?));
                }
            }
            _ => return Err(format!("keyword {name:?} is not served")),
        }
        Ok(())
    }
}

/// `#` or a JSON pointer (RFC 6901) behind it.
fn find<'a>(document: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    if pointer.is_empty() {
        return Some(document);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(document, |value, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        match value {
            Value::List(list) => list.get(token.parse::<usize>().ok()?),
            value => value.get(&token),
        }
    })
}

fn allow(node: &mut Node, values: &[Value]) {
    let texts: Vec<String> = values.iter().take(30).map(Value::to_json).collect();
    let values: hashbrown::HashSet<Allowed> = values.iter().cloned().map(Allowed).collect();
    match &mut node.allowed {
        None => node.allowed = Some(values),
        Some(known) => known.retain(|it| values.contains(it)),
    }
    node.allowed_text = texts.join(", ");
}

fn types(value: &Value) -> Result<Types, String> {
    let one = |value: &Value| {
        let name = value.as_str().ok_or("type is a name or a list of names")?;
        Types::named(name).ok_or_else(|| format!("{name:?} is no type"))
    };
    match value {
        Value::List(list) => list.iter().try_fold(Types::NONE, |all, value| Ok(all.or(one(value)?))),
        value => one(value),
    }
}

fn limit(name: &str, value: &Value) -> Result<Limit, String> {
    let least = matches!(name, "minimum" | "exclusiveMinimum");
    Ok(Limit { least, exclusive: name.starts_with("exclusive"), at: number(name, value)? })
}

fn number(name: &str, value: &Value) -> Result<Value, String> {
    match value.as_f64() {
        Some(_) => Ok(value.clone()),
        None => Err(format!("{name} is a number")),
    }
}

fn count(name: &str, value: &Value) -> Result<u64, String> {
    let count = to_i128(value).filter(|count| *count >= 0);
    let count = count.ok_or_else(|| format!("{name} is an integer from 0"))?;
    Ok(u64::try_from(count).unwrap_or(u64::MAX))
}

fn text<'a>(name: &str, value: &'a Value) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("{name} is text"))
}

fn texts(name: &str, value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_list().ok_or_else(|| format!("{name} is a list of names"))?;
    list.iter().map(|it| text(name, it).map(str::to_owned)).collect()
}

fn members<'a>(name: &str, value: &'a Value) -> Result<&'a Object, String> {
    value.as_object().ok_or_else(|| format!("{name} is an object"))
}

fn regex(pattern: &str) -> Result<Pattern, String> {
    let translated = pattern::translate(pattern)?;
    Pattern::shown_as(&translated, pattern).map_err(|error| format!("pattern {pattern:?}: {error}"))
}
