//! Listing a menu: the menu function is run once for every path, following a script of choices.

use crate::engine::menu::{Ask, Stop};
use crate::engine::name::Named;
use crate::engine::refusal::Allowed;

/// One walk through a menu.
pub struct Lister {
    /// The choices to take, as counts among the allowed ones; beyond its end the first is taken.
    script: Vec<usize>,
    /// The choices taken, and how many were allowed at each.
    taken: Vec<(usize, usize)>,
    pub nouns: Vec<(String, Vec<String>)>,
    /// The names chosen among several, each with the noun for its kind.
    pub chosen: Vec<(String, &'static str)>,
}

impl Lister {
    pub fn new(script: Vec<usize>) -> Lister {
        Lister { script, taken: Vec::new(), nouns: Vec::new(), chosen: Vec::new() }
    }

    /// The index of the thing that the script takes here.
    pub fn one_of(&mut self, count: usize, allowed: impl Fn(usize) -> bool) -> Ask<usize> {
        let open: Vec<usize> = (0..count).filter(|index| allowed(*index)).collect();
        let choice = self.script.get(self.taken.len()).copied().unwrap_or(0);
        self.taken.push((choice, open.len()));
        open.get(choice).copied().ok_or(Stop::DeadEnd)
    }

    /// Notes what may stand for a noun, and takes the first.
    pub fn noun<T: Named>(&mut self, noun: &str, things: &[T], allowed: &impl Fn(T) -> Allowed) -> Ask<T> {
        let open: Vec<T> = things.iter().copied().filter(|thing| allowed(*thing).is_ok()).collect();
        let first = *open.first().ok_or(Stop::DeadEnd)?;
        let mut names: Vec<String> = Vec::new();
        for thing in &open {
            let id = thing.name().id();
            if names.iter().all(|name| name != id) {
                names.push(id.to_string());
            }
        }
        self.nouns.push((noun.to_string(), names));
        Ok(first)
    }

    /// The script of the next path, if this was not the last.
    pub fn next_path(&self) -> Option<Vec<usize>> {
        let last = self.taken.iter().rposition(|(choice, open)| choice + 1 < *open)?;
        let mut script: Vec<usize> = self.taken[..=last].iter().map(|(choice, _)| *choice).collect();
        script[last] += 1;
        Some(script)
    }
}
