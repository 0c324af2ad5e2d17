/*! The log to the byte, its chain, dice and seals, the folding of it, and its verification.

In reading order, each knowing only those before it:

* [`ground`], a room of its own: hashes, stamps, spans, zones.
* [`canon`]: the subset of YAML that records are written in.
* [`entry`]: the records, key by key.
* [`commit`]: what is committed before it is needed.
* [`problem`]: what can be wrong with a record, as facts and in words.
* [`charter`]: what a game is played by.
* [`fold`]: from records to the state of a game; it deals chance when a record is made and checks it when one is read.
* [`file`]: the log on the disk, and the secrets beside it.
* [`table`]: the host's side: it makes a record of every act.
* [`verify`]: anybody's side: it checks a whole log.

The record knows a game only through [`engine::title`], and no letter, no address and no template.
*/

pub mod canon;
pub mod charter;
pub mod commit;
pub mod entry;
pub mod file;
pub mod fold;
pub mod problem;
pub mod table;
pub mod verify;
