/*! The agenda: the stack of steps that remain, with fences around processes that may end early.

It is plain data, so that the log can stop anywhere, a question can nest in a question, and the rest of a turn
can be printed and hashed.
*/

use std::fmt;

/// An item of the agenda: a step to be done, or the fence that closes a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<S> {
    Step(S),
    /// Where [`Agenda::cut`] stops. A fence that comes to the top is dropped: its process has ended by itself.
    Fence(&'static str),
}

/// The stack of steps that remain; the top comes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agenda<S> {
    items: Vec<Item<S>>,
}

impl<S> Default for Agenda<S> {
    fn default() -> Self {
        Agenda { items: Vec::new() }
    }
}

impl<S> Agenda<S> {
    /// Puts one step on top.
    pub fn push(&mut self, step: S) {
        self.items.push(Item::Step(step));
    }

    /// Puts steps on top so that they come in the order given.
    pub fn then(&mut self, steps: impl IntoIterator<Item = S, IntoIter: DoubleEndedIterator>) {
        self.items.extend(steps.into_iter().rev().map(Item::Step));
    }

    /// Lays a fence: [`Agenda::cut`] drops whatever is pushed from now on.
    pub fn fence(&mut self, name: &'static str) {
        self.items.push(Item::Fence(name));
    }

    /// Drops everything down to and including the nearest fence of this name.
    ///
    /// # Panics
    /// If there is no fence of this name: the process was never begun.
    pub fn cut(&mut self, name: &'static str) {
        loop {
            match self.items.pop() {
                Some(Item::Fence(found)) if found == name => return,
                Some(_) => {}
                None => panic!("there is no fence `{name}` on the agenda"),
            }
        }
    }

    /// Whether there is a fence of this name.
    pub fn is_fenced(&self, name: &'static str) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Fence(found) if *found == name))
    }

    /// Drops everything: the game is over.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The next step, after dropping the fences above it.
    pub fn top(&mut self) -> Option<&S> {
        while let Some(Item::Fence(_)) = self.items.last() {
            self.items.pop();
        }
        self.peek()
    }

    /// The step on top; `None` if a fence is on top or the agenda is empty.
    pub fn peek(&self) -> Option<&S> {
        match self.items.last() {
            Some(Item::Step(step)) => Some(step),
            _ => None,
        }
    }

    /// Takes the next step off.
    pub fn pop(&mut self) -> Option<S> {
        while let Some(item) = self.items.pop() {
            if let Item::Step(step) = item {
                return Some(step);
            }
        }
        None
    }

    /// What remains, the next step first.
    pub fn iter(&self) -> impl Iterator<Item = &Item<S>> {
        self.items.iter().rev()
    }
}

impl<S: fmt::Display> fmt::Display for Agenda<S> {
    /// The steps in the order they come, fences as `|name`, separated by `; `.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            match item {
                Item::Step(step) => write!(f, "{step}")?,
                Item::Fence(name) => write!(f, "|{name}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_in_the_order_given() {
        let mut agenda = Agenda::default();
        agenda.push("last");
        agenda.then(["first", "second"]);
        assert_eq!(agenda.to_string(), "first; second; last");
        assert_eq!(agenda.pop(), Some("first"));
    }

    #[test]
    fn a_cut_drops_down_to_its_fence() {
        let mut agenda = Agenda::default();
        agenda.push("after");
        agenda.fence("invasion");
        agenda.then(["battle", "battle again"]);
        agenda.fence("battle");
        agenda.push("roll");
        agenda.cut("invasion");
        assert_eq!(agenda.to_string(), "after");
    }

    #[test]
    fn a_fence_on_top_is_dropped() {
        let mut agenda = Agenda::default();
        agenda.push("after");
        agenda.fence("invasion");
        assert_eq!(agenda.top(), Some(&"after"));
        assert!(!agenda.is_fenced("invasion"));
    }
}
