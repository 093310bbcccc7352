//! Which steps may start: dependencies counted down, no waves.

use std::collections::BTreeSet;

/// The steps of a plan by their place in it, and what each still waits for.
pub(crate) struct Graph {
    /// How many of a step's dependencies, of data or of order, have not ended.
    open: Vec<usize>,
    /// The steps that wait for this one.
    dependents: Vec<Vec<usize>>,
    /// Steps that wait for nothing and have not been taken; the plan's order decides between them.
    free: BTreeSet<usize>,
    /// Steps that started, or ended without a start.
    taken: Vec<bool>,
    /// How many were not taken.
    untaken: usize,
}

impl Graph {
    /// `dependencies` of each step, as places in the plan; a place may repeat.
    pub(crate) fn new<'a, D>(dependencies: impl ExactSizeIterator<Item = D>) -> Self
    where
        D: Iterator<Item = &'a usize>,
    {
        let steps = dependencies.len();
        let mut graph = Self {
            open: vec![0; steps],
            dependents: vec![Vec::new(); steps],
            free: BTreeSet::new(),
            taken: vec![false; steps],
            untaken: steps,
        };
        for (step, dependencies) in dependencies.enumerate() {
            for &dependency in dependencies {
                if let Some(dependents) = graph.dependents.get_mut(dependency) {
                    dependents.push(step);
                    graph.open[step] += 1;
                }
            }
            if graph.open[step] == 0 {
                graph.free.insert(step);
            }
        }
        graph
    }

    /// The next step that waits for nothing.
    pub(crate) fn next_free(&self) -> Option<usize> {
        self.free.first().copied()
    }

    /// The step starts, or ends without a start.
    pub(crate) fn take(&mut self, step: usize) {
        self.free.remove(&step);
        if !std::mem::replace(&mut self.taken[step], true) {
            self.untaken -= 1;
        }
    }

    /// Takes every step that was not taken, in the plan's order.
    pub(crate) fn take_all(&mut self) -> Vec<usize> {
        let rest: Vec<_> = (0..self.taken.len()).filter(|&step| !self.taken[step]).collect();
        for &step in &rest {
            self.take(step);
        }
        rest
    }

    /// A taken step ended: what waited for it alone is free.
    pub(crate) fn ended(&mut self, step: usize) {
        for dependent in std::mem::take(&mut self.dependents[step]) {
            self.open[dependent] -= 1;
            if self.open[dependent] == 0 && !self.taken[dependent] {
                self.free.insert(dependent);
            }
        }
    }

    /// Whether no step is left to take.
    pub(crate) fn is_drained(&self) -> bool {
        self.untaken == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(dependencies: &[&[usize]]) -> Graph {
        Graph::new(dependencies.iter().map(|of_one| of_one.iter()))
    }

    #[test]
    fn a_step_is_free_when_its_own_dependencies_ended() {
        let mut graph = graph(&[&[], &[], &[0], &[1, 2]]);
        assert_eq!(graph.next_free(), Some(0));
        graph.take(0);
        graph.take(1);
        assert_eq!(graph.next_free(), None);
        graph.ended(0);
        assert_eq!(graph.next_free(), Some(2), "the step beside it still runs");
        graph.take(2);
        graph.ended(2);
        assert_eq!(graph.next_free(), None);
        graph.ended(1);
        assert_eq!(graph.next_free(), Some(3));
        graph.take(3);
        assert!(graph.is_drained());
    }

    #[test]
    fn what_is_left_is_taken_at_once_in_the_plan_s_order() {
        let mut graph = graph(&[&[], &[0], &[], &[1]]);
        graph.take(0);
        assert_eq!(graph.take_all(), [1, 2, 3]);
        assert!(graph.is_drained());
        graph.ended(0);
        assert_eq!(graph.next_free(), None);
    }

    #[test]
    fn a_dependency_named_twice_counts_as_one_that_ends_once() {
        let mut graph = graph(&[&[], &[0, 0]]);
        graph.take(0);
        graph.ended(0);
        assert_eq!(graph.next_free(), Some(1));
    }
}
