//! Which step waits for which, and whether any of them waits for itself.

use std::collections::HashMap;

/// What one step waits for, with the places in the plan that say so.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    pub(crate) edges: Vec<Edge>,
}

/// One reason to wait for one step.
#[derive(Debug)]
pub(crate) struct Edge {
    /// The position of the step that is waited for.
    pub(crate) producer: usize,
    /// Where the plan says so.
    pub(crate) path: String,
    /// Whether the waiting step has a value even when the producer failed.
    pub(crate) survives: bool,
    /// `depends_on`, or a reference.
    pub(crate) declared: bool,
}

// === impl Waits ===

impl Waits {
    /// Every producer once, in the plan's order.
    pub(crate) fn producers(&self) -> Vec<usize> {
        let mut producers: Vec<usize> = self.edges.iter().map(|edge| edge.producer).collect();
        producers.sort_unstable();
        producers.dedup();
        producers
    }

    /// The producers whose failure the step survives: it refers to them, and every reference can do without them.
    pub(crate) fn tolerated(&self) -> Vec<usize> {
        let mut by_producer: HashMap<usize, (bool, bool)> = HashMap::new();
        for edge in self.edges.iter().filter(|edge| !edge.declared) {
            let (referred, survives) = by_producer.entry(edge.producer).or_insert((false, true));
            *referred = true;
            *survives &= edge.survives;
        }
        let tolerant = by_producer.into_iter().filter(|(_, (referred, survives))| *referred && *survives);
        let mut producers: Vec<usize> = tolerant.map(|(producer, _)| producer).collect();
        producers.sort_unstable();
        producers
    }
}

/// One cycle for every knot of steps that wait for each other; each as the positions along it, the first one again at
/// the end. Linear in steps and edges, and without recursion.
pub(crate) fn cycles(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let component = components(graph);
    let mut seen = vec![false; graph.len()];
    let mut cycles = Vec::new();
    for start in 0..graph.len() {
        let home = component.get(start).copied().unwrap_or_default();
        if std::mem::replace(&mut seen[home], true) {
            continue;
        }
        cycles.extend(cycle_through(graph, &component, start));
    }
    cycles
}

/// The shortest way from a step back to itself inside its component.
fn cycle_through(graph: &[Vec<usize>], component: &[usize], start: usize) -> Option<Vec<usize>> {
    let mut came_from: HashMap<usize, usize> = HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(step) = queue.pop_front() {
        for &next in graph.get(step)?.iter().filter(|next| component.get(**next) == component.get(start)) {
            if next == start {
                let mut way = vec![start, step];
                while let Some(before) =
                    way.last().filter(|last| **last != start).and_then(|last| came_from.get(last))
                {
                    way.push(*before);
                }
                way.reverse();
                return Some(way);
            }
            came_from.entry(next).or_insert_with(|| {
                queue.push_back(next);
                step
            });
        }
    }
    None
}

/// Tarjan's strongly connected components, with the stack of calls kept by hand. The number of each step's component.
fn components(graph: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut search = Search {
        index: vec![UNSEEN; graph.len()],
        low: vec![0; graph.len()],
        component: vec![UNSEEN; graph.len()],
        path: Vec::new(),
        next_index: 0,
        next_component: 0,
    };
    for root in 0..graph.len() {
        if search.index[root] == UNSEEN {
            search.from(graph, root);
        }
    }
    search.component
}

struct Search {
    index: Vec<usize>,
    low: Vec<usize>,
    component: Vec<usize>,
    path: Vec<usize>,
    next_index: usize,
    next_component: usize,
}

// === impl Search ===

impl Search {
    fn from(&mut self, graph: &[Vec<usize>], root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((step, tried)) = calls.last_mut() {
            let step = *step;
            let next = graph[step].get(*tried).copied();
            *tried += 1;
            match next {
                Some(next) if self.index[next] == usize::MAX => {
                    self.enter(next);
                    calls.push((next, 0));
                }
                Some(next) if self.component[next] == usize::MAX => {
                    self.low[step] = self.low[step].min(self.index[next]);
                }
                Some(_) => {}
                None => {
                    calls.pop();
                    self.leave(step);
                    if let Some((caller, _)) = calls.last() {
                        self.low[*caller] = self.low[*caller].min(self.low[step]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, step: usize) {
        self.index[step] = self.next_index;
        self.low[step] = self.next_index;
        self.next_index += 1;
        self.path.push(step);
    }

    fn leave(&mut self, step: usize) {
        if self.low[step] != self.index[step] {
            return;
        }
        while let Some(member) = self.path.pop() {
            self.component[member] = self.next_component;
            if member == step {
                break;
            }
        }
        self.next_component += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::cycles;

    #[test]
    fn a_cycle_is_found_once_in_each_knot() {
        // 0 → 1 → 2 → 0, 3 waits for itself, 4 → 5 has none, 6 ⇄ 7 behind the first knot.
        let graph = vec![vec![1], vec![2, 6], vec![0], vec![3], vec![5], vec![], vec![7], vec![6]];
        let mut found = cycles(&graph);
        found.sort();
        assert_eq!(found, [vec![0, 1, 2, 0], vec![3, 3], vec![6, 7, 6]]);
    }

    #[test]
    fn ten_thousand_steps_in_one_ring_need_no_deep_stack() {
        let ring: Vec<Vec<usize>> = (0..10_000).map(|step| vec![(step + 1) % 10_000]).collect();
        assert_eq!(cycles(&ring)[0].len(), 10_001);
        let chain: Vec<Vec<usize>> =
            (0..10_000).map(|step| if step == 0 { vec![] } else { vec![step - 1] }).collect();
        assert!(cycles(&chain).is_empty());
    }
}
