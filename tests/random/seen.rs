//! What occurred in a walk, so that the watchers can say in the end whether they have seen enough.

use std::collections::{BTreeMap, BTreeSet};

/// How often something occurred, by what it is and by its name.
#[derive(Default)]
pub struct Seen(BTreeMap<&'static str, BTreeMap<String, usize>>);

impl Seen {
    pub fn note(&mut self, what: &'static str, name: &str) {
        self.add(what, name, 1);
    }

    pub fn add(&mut self, what: &'static str, name: &str, times: usize) {
        let names = self.0.entry(what).or_default();
        match names.get_mut(name) {
            Some(known) => *known += times,
            None => drop(names.insert(name.to_owned(), times)),
        }
    }

    /// Adds what another thread has seen.
    pub fn merge(&mut self, other: Seen) {
        for (what, names) in other.0 {
            names.into_iter().for_each(|(name, times)| self.add(what, &name, times));
        }
    }

    pub fn names(&self, what: &str) -> BTreeSet<&str> {
        self.0.get(what).into_iter().flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    pub fn times(&self, what: &str, name: &str) -> usize {
        self.0.get(what).and_then(|names| names.get(name)).copied().unwrap_or_default()
    }

    /// How often this occurred, whatever its name.
    pub fn all(&self, what: &str) -> usize {
        self.0.get(what).into_iter().flat_map(BTreeMap::values).sum()
    }

    /// Checks that everything with one of these names has occurred.
    #[track_caller]
    pub fn has_all<'n>(&self, what: &str, names: impl IntoIterator<Item = &'n str>) {
        let seen = self.names(what);
        let missing: Vec<&str> = names.into_iter().filter(|name| !seen.contains(name)).collect();
        assert!(missing.is_empty(), "{what}: never {}", missing.join(", "));
    }
}
