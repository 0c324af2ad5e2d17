/*! The post office: letters in and letters out, for all games of a folder.

In reading order: [`names`] are those of games, seats and letters; [`reply`] finds the lines of a letter that its
writer wrote; [`order`] makes sentences and requests of them; [`book`] is what the post office remembers; [`desk`] is
the post of one game; [`witness`] reads from a player's mailbox what it has seen; [`office`] is all games, with the
service; [`health`] says how well that runs; [`window`] shows everybody what is public; [`keeping`] is what an office
needs to last for years; [`doctor`] says what is wrong and what to do.

The post knows no rule of any game: a sentence is read by the menu of the question that is open.
*/

pub mod book;
pub mod desk;
pub mod doctor;
pub mod health;
pub mod keeping;
pub mod names;
pub mod office;
pub mod order;
pub mod reply;
pub mod window;
pub mod witness;
