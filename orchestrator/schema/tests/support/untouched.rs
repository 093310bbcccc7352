//! Whether a coercion left alone everything that its report does not name: judged by the report, the value that came
//! and the value that came out, without the schema.

use convoke_schema::{Entry, Name, Object, Report, Value};

/// What is not as the report says, if anything.
pub(crate) fn unreported(came: &Value, out: &Value, report: &Report) -> Option<String> {
    let entries: Vec<Entry<'_>> = report.entries().collect();
    Walk { entries: &entries }.value(came, out, "", "")
}

struct Walk<'a> {
    entries: &'a [Entry<'a>],
}

impl Walk<'_> {
    fn value(&self, came: &Value, out: &Value, source: &str, path: &str) -> Option<String> {
        let changed =
            |op: &str| self.entries.iter().any(|it| it.source == source && it.op.as_str_name() == op);
        if changed("SET") || changed("WRAP") {
            return None;
        }
        match (came, out) {
            (Value::Object(came), Value::Object(out)) => self.object(came, out, source, path),
            (Value::List(came), Value::List(out)) if came.len() == out.len() => {
                came.iter().zip(out).enumerate().find_map(|(index, (came, out))| {
                    self.value(came, out, &format!("{source}[{index}]"), &format!("{path}[{index}]"))
                })
            }
            (came, out) if same(came, out) => None,
            (came, out) => Some(format!("{source}: {} became {}", came.to_json(), out.to_json())),
        }
    }

    fn object(&self, came: &Object, out: &Object, source: &str, path: &str) -> Option<String> {
        let mut accounted: Vec<&str> = Vec::new();
        for (name, member) in came.iter() {
            let sources = [field(source, name), key(source, name)];
            let told = |op: &str| {
                self.entries
                    .iter()
                    .find(|it| it.op.as_str_name() == op && sources.iter().any(|s| s == it.source))
            };
            if told("REMOVE").is_some() {
                continue;
            }
            let renamed = told("RENAME");
            let found = out.iter().find(|(other, _)| match renamed {
                Some(entry) => [field(path, other), key(path, other)].iter().any(|it| it == entry.path),
                None => *other == name,
            });
            let Some((other, value)) = found else { return Some(format!("{} is gone", sources[0])) };
            accounted.push(other);
            for (source, path) in sources.iter().zip([field(path, other), key(path, other)]) {
                // One of the two is how the report would name this place.
                if self.value(member, value, source, &path).is_none() {
                    break;
                } else if *source == sources[1] {
                    return self.value(member, value, &sources[0], &path);
                }
            }
        }
        let inserted = |name: &Name| {
            self.entries.iter().any(|it| it.op.as_str_name() == "INSERT" && it.path == field(path, name))
        };
        let more = out.iter().find(|(name, _)| !accounted.contains(&name.as_str()) && !inserted(name));
        more.map(|(name, _)| format!("{} was not there", field(path, name)))
    }
}

fn field(parent: &str, name: &str) -> String {
    let mut bytes = name.bytes();
    let plain = bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match plain {
        true if parent.is_empty() => name.to_owned(),
        true => format!("{parent}.{name}"),
        false => key(parent, name),
    }
}

fn key(parent: &str, name: &str) -> String {
    format!("{parent}[{}]", Value::from(name).to_json())
}

/// Whether a typed value says what came: another implementation reads the times.
fn same(came: &Value, out: &Value) -> bool {
    match (came, out) {
        (Value::Text(came), Value::Timestamp(out)) => came
            .parse::<prost_types::Timestamp>()
            .is_ok_and(|it| (it.seconds, it.nanos) == (out.seconds, out.nanos)),
        (Value::Text(came), Value::Duration(out)) => came
            .parse::<prost_types::Duration>()
            .is_ok_and(|it| (it.seconds, it.nanos) == (out.seconds, out.nanos)),
        (Value::Text(came), Value::Int(out)) => came.parse() == Ok(*out),
        (Value::Text(came), Value::Uint(out)) => came.parse() == Ok(*out),
        // NaN and the infinities are texts in JSON.
        (came, out @ Value::Float(it)) if !it.is_finite() => came.to_json() == out.to_json(),
        // A number is rounded to the nearest double or float.
        (Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_), Value::Float(out)) => {
            let text = came.to_json();
            text.parse() == Ok(*out)
                || text
                    .parse::<f32>()
                    .is_ok_and(|it| it.to_string() == out.to_string() || f64::from(it) == *out)
        }
        (Value::Text(came), out) if !matches!(out, Value::List(_) | Value::Object(_)) => {
            *came == out.to_text()
        }
        (came, out) => Value::parse(out.to_json().as_bytes()).is_ok_and(|out| out == *came),
    }
}
