//! A value is walked beside a rule.

use super::number::{multiple, written_out};
use super::{Failure, Node, Rule, Segment, Span};
use crate::report::ViolationRule;
use crate::value::{Denoted, Object, Value};
use hashbrown::HashSet;

/// How many schemas are asked about values in one check.
const MAX_STEPS: usize = 1 << 20;
/// How deep schemas are asked within one another.
const MAX_NESTING: usize = 512;
/// How many failures are told.
const MAX_FAILURES: usize = 20;

struct Walk<'r> {
    rule: &'r Rule,
    steps: usize,
    nesting: usize,
    exhausted: bool,
    path: Vec<Segment>,
    failures: Vec<Failure>,
    /// Above zero nobody wants to know why.
    quiet: usize,
    failed: bool,
    /// Above zero a text stands for no number.
    literal: usize,
}

// === impl Rule ===

impl Rule {
    /// Everything about a value that does not hold; empty where all does.
    pub(crate) fn check(&self, value: &Value) -> Vec<Failure> {
        let mut walk = Walk {
            rule: self,
            steps: 0,
            nesting: 0,
            exhausted: false,
            path: Vec::new(),
            failures: Vec::new(),
            quiet: 0,
            failed: false,
            literal: 0,
        };
        walk.node(self.root, value);
        if walk.exhausted {
            let expected = "a value that its rule can judge in a bounded number of steps".to_owned();
            let failure = Failure { expected, ..Failure::new(Vec::new(), ViolationRule::TooLarge) };
            return vec![failure];
        }
        for failure in &mut walk.failures {
            let found = failure.path.iter().try_fold(value, |value, segment| segment.of(value));
            failure.got = found.map(crate::report::got).unwrap_or_default();
        }
        walk.failures
    }
}

// === impl Walk ===

impl<'r> Walk<'r> {
    fn node(&mut self, index: usize, value: &Value) {
        self.steps += 1;
        let rule = self.rule;
        let Some(node) = rule.nodes.get(index) else { return };
        if self.steps > MAX_STEPS || self.nesting > MAX_NESTING {
            self.exhausted = true;
        }
        if self.exhausted || (self.quiet > 0 && self.failed) {
            return;
        }
        self.nesting += 1;
        self.keywords(node, value);
        self.nesting -= 1;
    }

    fn keywords(&mut self, node: &'r Node, value: &Value) {
        if node.never {
            return self.fail(ViolationRule::Constraint, || "nothing: no value is allowed here".to_owned());
        }
        if let Some(types) = node.types
            && !types.admits(value)
        {
            return match self.written_out(value).filter(|number| types.admits(number)) {
                Some(number) => self.asked(node, &number),
                None => self.fail(ViolationRule::WrongType, || types.words()),
            };
        }
        self.asked(node, value);
    }

    /// The integer that a text stands for, since a Struct could not hold it as a number.
    fn written_out(&self, value: &Value) -> Option<Value> {
        if self.literal > 0 { None } else { written_out(value) }
    }

    /// What is asked besides the type.
    fn asked(&mut self, node: &'r Node, value: &Value) {
        if let Some(allowed) = &node.allowed
            && !allowed.contains(&Denoted(&plain(value)))
            && !self.written_out(value).is_some_and(|number| allowed.contains(&Denoted(&number)))
        {
            self.fail(ViolationRule::NotAllowed, || format!("one of {}", node.allowed_text));
            let known = allowed.iter().filter_map(|allowed| allowed.0.as_str());
            let nearest = value.as_str().map(|text| crate::nearest::nearest(text, known)).unwrap_or_default();
            self.suggest(nearest.first().copied());
        }
        match value {
            Value::Text(text) => self.text(node, text),
            Value::Enum(it) => self.text(node, it.name.as_deref().unwrap_or_default()),
            Value::List(list) => self.list(node, list),
            Value::Object(object) => self.object(node, object, value),
            Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Number(_) => self.number(node, value),
            _ => {}
        }
        self.applicators(node, value);
    }

    fn applicators(&mut self, node: &'r Node, value: &Value) {
        for index in node.reference.iter().chain(&node.all_of) {
            self.node(*index, value);
        }
        self.any_of(node, value);
        if !node.one_of.is_empty() {
            match self.how_many(&node.one_of, value) {
                0 => self.none_of(&node.one_of, value),
                1 => {}
                holding => self.fail(ViolationRule::Constraint, || {
                    format!("a value of exactly one of {} kinds; it is of {holding}", node.one_of.len())
                }),
            }
        }
        if let Some(not) = node.not
            && self.literally(|walk| walk.holds(not, value))
        {
            let words = self.words(not);
            self.fail(ViolationRule::Constraint, || format!("anything but {words}"));
        }
        if let Some((condition, then, otherwise)) = node.condition {
            let next = if self.holds(condition, value) { then } else { otherwise };
            if let Some(next) = next {
                self.node(next, value);
            }
        }
    }

    fn any_of(&mut self, node: &'r Node, value: &Value) {
        if !node.any_of.is_empty() && !node.any_of.iter().any(|index| self.holds(*index, value)) {
            self.none_of(&node.any_of, value);
        }
    }

    /// Where a value is of the type of one alternative alone, that one says what is wrong.
    fn none_of(&mut self, alternatives: &'r [usize], value: &Value) {
        let rule = self.rule;
        let fits = |index: &&usize| {
            rule.nodes.get(**index).is_some_and(|node| node.types.is_some_and(|types| types.admits(value)))
        };
        let mut fitting = alternatives.iter().filter(fits);
        if let (Some(only), None) = (fitting.next(), fitting.next()) {
            return self.node(*only, value);
        }
        let words: Vec<String> = alternatives.iter().map(|index| self.words(*index)).collect();
        self.fail(ViolationRule::Constraint, || words.join(", or "));
    }

    /// How many schemas hold. A text is of the one kind that wants text before it is of the one that wants a number.
    fn how_many(&mut self, alternatives: &'r [usize], value: &Value) -> usize {
        let count = |walk: &mut Self| alternatives.iter().filter(|index| walk.holds(**index, value)).count();
        match self.literally(count) {
            0 if self.literal == 0 => count(self),
            holding => holding,
        }
    }

    /// Asks something about values as they stand: text is text.
    fn literally<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        self.literal += 1;
        let answer = ask(self);
        self.literal -= 1;
        answer
    }

    fn holds(&mut self, index: usize, value: &Value) -> bool {
        let before = std::mem::replace(&mut self.failed, false);
        self.quiet += 1;
        self.node(index, value);
        self.quiet -= 1;
        !std::mem::replace(&mut self.failed, before)
    }

    fn fail(&mut self, rule: ViolationRule, expected: impl FnOnce() -> String) {
        self.failed = true;
        if self.quiet == 0 && self.failures.len() < MAX_FAILURES {
            self.failures.push(Failure { expected: expected(), ..Failure::new(self.path.clone(), rule) });
        }
    }

    /// What the failure that was told last probably means.
    fn suggest(&mut self, suggestion: Option<&str>) {
        if let (0, Some(last), Some(suggestion)) = (self.quiet, self.failures.last_mut(), suggestion) {
            suggestion.clone_into(&mut last.suggestion);
        }
    }

    fn within(&mut self, segment: impl FnOnce() -> Segment, index: usize, value: &Value) {
        // Where nobody asks why, nobody asks where.
        let named = self.quiet == 0;
        if named {
            self.path.push(segment());
        }
        self.node(index, value);
        if named {
            self.path.pop();
        }
    }

    fn number(&mut self, node: &Node, value: &Value) {
        for limit in node.minimum.iter().filter(|limit| !limit.admits(value)) {
            let rule = if limit.least { ViolationRule::Minimum } else { ViolationRule::Maximum };
            self.fail(rule, || limit.words());
        }
        if let Some(of) = &node.multiple_of
            && !multiple(value, of)
        {
            self.fail(ViolationRule::Constraint, || format!("a multiple of {}", of.to_json()));
        }
    }

    fn text(&mut self, node: &Node, text: &str) {
        let Span { least, most } = node.length;
        if node.length != Span::ANY && !node.length.holds(text.chars().count()) {
            let short = u64::try_from(text.chars().count()).unwrap_or(u64::MAX) < least;
            let (rule, words) = if short {
                (ViolationRule::MinLength, format!("at least {least} characters"))
            } else {
                (ViolationRule::MaxLength, format!("at most {most} characters"))
            };
            self.fail(rule, || words);
        }
        if let Some(pattern) = node.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
            self.fail(ViolationRule::Pattern, || format!("text that matches {}", pattern.as_str()));
        }
    }

    fn list(&mut self, node: &Node, list: &[Value]) {
        self.count(node.item_count, list.len(), "elements");
        for (index, value) in list.iter().enumerate() {
            if let Some(schema) = node.prefix.get(index).copied().or(node.items) {
                self.within(|| Segment::Element(index), schema, value);
            }
        }
        if let Some((schema, span)) = node.contains {
            let holding = list.iter().filter(|value| self.holds(schema, value)).count();
            if !span.holds(holding) {
                let Span { least, most } = span;
                let words = self.words(schema);
                self.fail(ViolationRule::Constraint, || match most {
                    u64::MAX => format!("a list with at least {least} of {words}"),
                    most => format!("a list with {least} to {most} of {words}"),
                });
            }
        }
        let mut seen = HashSet::new();
        if node.unique && !list.iter().all(|value| seen.insert(Denoted(value))) {
            self.fail(ViolationRule::NotUnique, || "a list without an element twice".to_owned());
        }
    }

    fn count(&mut self, span: Span, count: usize, what: &str) {
        if u64::try_from(count).unwrap_or(u64::MAX) < span.least {
            self.fail(ViolationRule::MinItems, || format!("at least {} {what}", span.least));
        } else if !span.holds(count) {
            self.fail(ViolationRule::MaxItems, || format!("at most {} {what}", span.most));
        }
    }

    fn object(&mut self, node: &'r Node, object: &Object, value: &Value) {
        self.count(node.member_count, object.len(), "members");
        let missing = |name: &&String| object.get(name).is_none();
        for name in node.required.iter().filter(missing) {
            self.missing(name, || format!("a value for {name:?}"));
        }
        for (name, wanted) in node.dependent_required.iter().filter(|(name, _)| object.get(name).is_some()) {
            for missing in wanted.iter().filter(missing) {
                self.missing(missing, || format!("a value for {missing:?}, since there is {name:?}"));
            }
        }
        for (_, schema) in node.dependent.iter().filter(|(name, _)| object.get(name).is_some()) {
            self.node(*schema, value);
        }
        for (name, member) in object.iter() {
            let segment = || Segment::Member(name.to_string());
            let mut known = false;
            if let Some(schema) = node.properties.get(name.as_str()) {
                known = true;
                self.within(segment, *schema, member);
            }
            for (_, schema) in node.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)) {
                known = true;
                self.within(segment, *schema, member);
            }
            if let Some(schema) = node.additional.filter(|_| !known) {
                self.additional(schema, name, member, node);
            }
            if let Some(schema) = node.names {
                self.within(segment, schema, &Value::Text(name.to_string()));
            }
        }
    }

    fn additional(&mut self, schema: usize, name: &str, member: &Value, node: &Node) {
        let segment = || Segment::Member(name.to_owned());
        if !self.rule.nodes.get(schema).is_some_and(|schema| schema.never) {
            return self.within(segment, schema, member);
        }
        let mut known: Vec<&str> = node.properties.keys().map(String::as_str).collect();
        known.sort_unstable();
        self.path.push(segment());
        self.fail(ViolationRule::UnknownField, || crate::words::one_of(known.iter().copied()));
        let nearest = crate::nearest::nearest(name, known.iter().copied());
        self.suggest(nearest.first().copied());
        self.path.pop();
    }

    fn missing(&mut self, name: &str, expected: impl FnOnce() -> String) {
        self.path.push(Segment::Member(name.to_owned()));
        self.fail(ViolationRule::Missing, expected);
        self.path.pop();
    }

    /// A schema in a few words.
    fn words(&self, index: usize) -> String {
        let Some(node) = self.rule.nodes.get(index) else { return String::new() };
        if let Some(target) = node.reference.filter(|target| *target != index) {
            let target = self.rule.nodes.get(target);
            return target.map_or_else(String::new, Node::words);
        }
        node.words()
    }
}

// === impl Failure ===

impl Failure {
    pub(crate) fn new(path: Vec<Segment>, rule: ViolationRule) -> Self {
        Self { path, rule, expected: String::new(), suggestion: String::new(), got: String::new() }
    }
}

/// A typed value as what it stands for in JSON.
fn plain(value: &Value) -> Value {
    match value {
        Value::Enum(it) => it.name.as_deref().map_or(Value::Null, Value::from),
        value => value.clone(),
    }
}
