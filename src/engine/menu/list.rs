//! Listing a menu: the menu function is run once for every path, following a script of choices.

use crate::menu::spelling::open_names;
use crate::menu::stop::{Ask, Stop};
use crate::name::Named;
use crate::refusal::Allowed;

/// One walk through a menu.
pub struct Lister {
    /// Which of the allowed choices to take at each place, from 0; behind the end of the script, the first.
    script: Vec<usize>,
    /// The choices taken, and how many were allowed at each.
    taken: Vec<(usize, usize)>,
    pub nouns: Vec<(String, Vec<String>)>,
    /// The names that were chosen among several, each with the noun for its kind.
    pub chosen: Vec<(String, &'static str)>,
}

impl Lister {
    pub fn new(script: Vec<usize>) -> Lister {
        Lister { script, taken: Vec::new(), nouns: Vec::new(), chosen: Vec::new() }
    }

    /// The index of the thing that the script chooses here.
    pub fn one_of(&mut self, count: usize, allowed: impl Fn(usize) -> bool) -> Ask<usize> {
        let open: Vec<usize> = (0..count).filter(|index| allowed(*index)).collect();
        let choice = self.script.get(self.taken.len()).copied().unwrap_or(0);
        self.taken.push((choice, open.len()));
        open.get(choice).copied().ok_or(Stop::DeadEnd)
    }

    /// Notes the names that a noun stands for, and chooses the first thing.
    pub fn noun<T: Named>(&mut self, noun: &str, things: &[T], allowed: &dyn Fn(T) -> Allowed) -> Ask<T> {
        let first = *things.iter().find(|thing| allowed(**thing).is_ok()).ok_or(Stop::DeadEnd)?;
        self.nouns.push((noun.to_string(), open_names(things, allowed)));
        Ok(first)
    }

    /// The script of the next path; `None` if this was the last.
    pub fn next_path(&self) -> Option<Vec<usize>> {
        let last = self.taken.iter().rposition(|(choice, open)| choice + 1 < *open)?;
        let mut script: Vec<usize> = self.taken[..=last].iter().map(|(choice, _)| *choice).collect();
        script[last] += 1;
        Some(script)
    }
}
