/*! The work that reading takes, in steps, for the tests: characters looked at, comparisons, lines looked at again.

Whatever a stranger writes within the limits of a letter must not cost more than its length allows: the parsers count
their steps, and a test limits every parser to a number of steps per byte. Counting costs an addition.
*/

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts steps of this thread.
pub fn step(count: usize) {
    STEPS.set(STEPS.get().wrapping_add(count as u64));
}

/// The steps of this thread since the last call.
pub fn taken() -> u64 {
    STEPS.take()
}
