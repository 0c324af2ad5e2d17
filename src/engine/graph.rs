//! Which places are next to each other: a small undirected graph over places numbered from 0.

/// Neighbours by place, each list ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    neighbours: Vec<Vec<u8>>,
}

impl Graph {
    /// The graph of `places` places with these passages. A passage may be named twice.
    pub fn new(places: usize, passages: impl IntoIterator<Item = (u8, u8)>) -> Graph {
        let mut neighbours = vec![Vec::new(); places];
        for (from, to) in passages {
            neighbours[usize::from(from)].push(to);
            neighbours[usize::from(to)].push(from);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Graph { neighbours }
    }

    /// The places next to this one, ascending.
    pub fn neighbours(&self, place: u8) -> &[u8] {
        &self.neighbours[usize::from(place)]
    }

    /// Whether the two places are next to each other.
    pub fn adjacent(&self, from: u8, to: u8) -> bool {
        self.neighbours(from).binary_search(&to).is_ok()
    }

    /// The fewest steps from one place to another; `None` if no way leads there.
    pub fn distance(&self, from: u8, to: u8) -> Option<u32> {
        let mut ring = vec![from];
        let mut seen = ring.clone();
        for steps in 0.. {
            if ring.contains(&to) {
                return Some(steps);
            }
            let near = ring.iter().flat_map(|place| self.neighbours(*place)).copied();
            let mut next: Vec<u8> = near.filter(|place| !seen.contains(place)).collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            seen.extend(&next);
            ring = next;
        }
        None
    }

    /// The places that can be reached from `from`, as a flag for each place; `from` itself is among them. `open(a, b)`
    /// says whether the step from `a` to `b` may be taken.
    pub fn reachable(&self, from: u8, open: impl Fn(u8, u8) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.neighbours.len()];
        let mut waiting = vec![from];
        reached[usize::from(from)] = true;
        while let Some(place) = waiting.pop() {
            for next in self.neighbours(place) {
                if !reached[usize::from(*next)] && open(place, *next) {
                    reached[usize::from(*next)] = true;
                    waiting.push(*next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_reaches_as_far_as_it_is_open() {
        let graph = Graph::new(4, [(0, 1), (1, 2), (2, 3)]);
        assert!(graph.adjacent(2, 1));
        assert_eq!((graph.distance(0, 3), graph.distance(1, 1)), (Some(3), Some(0)));
        assert_eq!(Graph::new(2, []).distance(0, 1), None);
        assert!(!graph.adjacent(0, 2));
        assert_eq!(graph.reachable(0, |_, to| to != 3), [true, true, true, false]);
    }
}
