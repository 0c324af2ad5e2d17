/*! What a seat says before it is asked, whatever the title: read here, and answered with when its question comes.

[`ahead`] reads lines for questions that have not come.
*/

pub mod ahead;
