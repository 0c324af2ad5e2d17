/*! What a seat says before it is asked, in any title: read here, and used as the answer when its question comes.

[`ahead`] reads lines for questions that have not come, a [`line`] may have several sentences and clauses, and by a
[`guard`] it is [`held`] back if something has touched it since it was written. A [`form`] shows what may be left.
[`condition`] is what an order asks of the table, read and judged by one menu; the title defines the [`fact`]s that a
condition may name, and all of them are public. The order around a condition, and the book that keeps it, are in the
record.
*/

pub mod ahead;
pub mod condition;
pub mod fact;
pub mod form;
pub mod guard;
pub mod held;
pub mod line;
