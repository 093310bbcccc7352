//! Schemas that ask themselves about the same value: such a rule has no answer.

use super::Node;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    Open,
    Done,
}

/// Whether asking any schema about a value comes back to asking it about that same value.
pub(super) fn is_circular(nodes: &[Node]) -> bool {
    let mut seen = vec![Seen::Never; nodes.len()];
    for start in 0..nodes.len() {
        // Each open node with those that it still has to ask. A stack of its own: rules may be long chains.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut next = Some(start);
        loop {
            if let Some(entered) = next.take() {
                match seen.get_mut(entered) {
                    Some(mark @ Seen::Never) => {
                        *mark = Seen::Open;
                        open.push((entered, nodes.get(entered).map(Node::asks).unwrap_or_default()));
                    }
                    Some(Seen::Open) => return true,
                    _ => {}
                }
            }
            let Some((node, left)) = open.last_mut() else { break };
            next = left.pop();
            if next.is_none() {
                if let Some(mark) = seen.get_mut(*node) {
                    *mark = Seen::Done;
                }
                open.pop();
            }
        }
    }
    false
}

impl Node {
    /// The schemas that it asks about the value itself.
    fn asks(&self) -> Vec<usize> {
        let condition = self.condition.iter().flat_map(|(condition, then, otherwise)| {
            [Some(*condition), *then, *otherwise].into_iter().flatten()
        });
        let lists = self.all_of.iter().chain(&self.any_of).chain(&self.one_of).copied();
        let dependent = self.dependent.iter().map(|(_, schema)| *schema);
        self.reference.into_iter().chain(self.not).chain(lists).chain(condition).chain(dependent).collect()
    }
}
