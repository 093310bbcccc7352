//! Which files a set needs, each after the files that it imports.

use std::collections::{BTreeMap, BTreeSet};

use super::{Mistake, Source};

/// The files that `roots` reach, imports first, otherwise by name: one order, whatever order they came in.
///
/// Depth first, with a stack of its own: a chain of imports is as long as whoever wrote it likes.
pub(super) fn sorted(
    sources: &BTreeMap<String, Source>,
    roots: &BTreeSet<String>,
) -> Result<Vec<String>, Vec<(String, Mistake)>> {
    let mut walk = Walk { sources, states: BTreeMap::new(), order: Vec::new(), mistakes: Vec::new() };
    for root in roots {
        walk.visit(root);
    }
    if walk.mistakes.is_empty() { Ok(walk.order) } else { Err(walk.mistakes) }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Done,
}

struct Walk<'a> {
    sources: &'a BTreeMap<String, Source>,
    states: BTreeMap<&'a str, State>,
    order: Vec<String>,
    mistakes: Vec<(String, Mistake)>,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, root: &'a str) {
        // Files that are open, each with the imports that are still to be seen.
        let mut open: Vec<(&'a str, Vec<&'a str>)> = Vec::new();
        self.enter(root, &mut open);
        while let Some((name, imports)) = open.last_mut() {
            let name = *name;
            let Some(import) = imports.pop() else {
                self.states.insert(name, State::Done);
                self.order.push(name.to_owned());
                open.pop();
                continue;
            };
            match self.states.get(import) {
                Some(State::Done) => {}
                Some(State::Open) => {
                    let start = open.iter().position(|(opened, _)| *opened == import).unwrap_or_default();
                    let ring: Vec<&str> = open[start..].iter().map(|(opened, _)| *opened).collect();
                    let ring = format!("no ring of imports: {} → {import}", ring.join(" → "));
                    self.mistakes.push((name.to_owned(), Mistake::format(ring)));
                }
                None if self.sources.contains_key(import) => self.enter(import, &mut open),
                None => {
                    let missing = format!("the file {import}, which it imports, among the descriptors");
                    self.mistakes.push((name.to_owned(), Mistake::missing(missing)));
                }
            }
        }
    }

    fn enter(&mut self, name: &'a str, open: &mut Vec<(&'a str, Vec<&'a str>)>) {
        if self.states.contains_key(name) {
            return;
        }
        self.states.insert(name, State::Open);
        let mut imports: Vec<&str> = self.sources.get(name).map(Source::imports).unwrap_or_default();
        imports.sort_unstable_by(|a, b| b.cmp(a));
        open.push((name, imports));
    }
}
