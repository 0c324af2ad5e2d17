/*! Letters as such, and the connections by which they come and go. It knows no game.

In reading order: [`letter`] is what a letter holds, read within limits; [`draft`] is a letter of ours, from its parts
to its bytes; [`wire`] is where letters come from and go to. It knows nothing of the record: stamps and hashes come
from [`ground`].
*/

pub mod draft;
pub mod letter;
pub mod wire;
