/*! What a seat says before it is asked, whatever the title: read here, and answered with when its question comes.

[`ahead`] reads lines for questions that have not come, a [`line`] may have several sentences and clauses, and a
[`guard`] holds a line back if something has touched it since it was written. A [`form`] shows what may be left.
[`condition`] is what an order asks of the table, read and judged by one menu; the [`fact`]s that a condition may name
are those of the title, and public. The order around it, and who keeps it, are of the record.
*/

pub mod ahead;
pub mod condition;
pub mod fact;
pub mod form;
pub mod guard;
pub mod line;
