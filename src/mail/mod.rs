/*! Letters as such, and the connections by which they come and go. It knows no game.

In reading order: [`letter`] is what a letter holds, read within limits; [`draft`] is a letter of ours, from its parts
to its bytes; [`wire`] is where letters come from and go to, and where the rounds of a public beacon come from. Of the
record it knows only the stamps and hashes in [`value`](ground).
*/

pub mod draft;
pub mod letter;
pub mod wire;
