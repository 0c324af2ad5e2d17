/*! *Risk: The Lord of the Rings, Trilogy Edition*, one file a chapter of its rules.

The table comes first ([`territory`], [`card`], [`board`]), then the steps and the events ([`step`], [`event`]), then
the chapters: [`setup`] (3), [`turn`] (4), [`reinforcements`] (5), [`combat`] (6), [`conquest`] (7),
[`adventure`] and [`cards`] (8), [`fortify`] (9), [`collect`] (10), [`fellowship`] (11), [`score`] (12) and
[`variants`] (14). [`bot`] is what a program has to know of the game.
The neutral army (13) has no file of its own: it only defends. Every rule cites its number in `rules.md`.

The agenda ([`step`]) names the steps of all chapters, and a chapter leaves steps of other chapters on it, as the
rulebook sends its reader from one chapter to another. So the agenda and the chapters know one another; the [`rules`],
the [`title`], the views, the news and the bots come after them.
*/

pub mod adventure;
pub mod board;
pub mod bot;
pub mod card;
pub mod cards;
pub mod chart;
pub mod collect;
pub mod colour;
pub mod combat;
pub mod conquest;
pub mod counted;
pub mod event;
pub mod fellowship;
pub mod fortify;
pub mod lands;
pub mod news;
pub mod orders;
pub mod own_turn;
pub mod phase;
pub mod position;
pub mod question;
pub mod questions;
pub mod reinforcements;
pub mod rules;
pub mod score;
pub mod setup;
pub mod side;
pub mod step;
pub mod switches;
pub mod territory;
pub mod title;
pub mod turn;
pub mod variants;
pub mod view;
pub mod words;

use engine::slot::Deck;

/// The deck of Territory cards.
pub const TERRITORY_DECK: Deck = Deck(0);
/// The deck of Adventure cards.
pub const ADVENTURE_DECK: Deck = Deck(1);

/// The edition of these rules.
pub const EDITION: &str = "risk-lotr-trilogy/1";

/// The title, and its rules.
#[derive(Clone, Copy, Debug)]
pub struct Risk;

/// A game of Risk being played.
pub type Play = engine::play::Play<Risk>;
