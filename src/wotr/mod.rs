/*! War of the Ring, second edition, for two to four players: one file for each chapter of the rulebook, in its order
and its words.

Chapters: terms ([`side`] to [`figures`], [`die`], [`phase`], [`standing`]), set-up and turn ([`turn`]), [`dice`] and
what they do ([`action`]), [`event_cards`] and what they do ([`cards`]), [`characters`], [`minions`], [`entry`],
[`armies`], [`recruiting`], [`battle`] with its [`siege`]s, [`capture`], [`politics`], [`fellowship`] and how it is
[`reveal`]ed, [`hunt`], [`mordor`], [`victory`], [`teams`] of three and four ([`player`]), [`switches`]. Every rule
cites its number in `rules.md`, a ruling on a card its number in `cards.md` (C2.18). The title knows the kernel, and
nothing of mail, files or templates.

The terms come first, then the [`board`] and the [`event`]s that change it; neither knows a chapter. The agenda
([`step`]) names the steps of all chapters, and a chapter leaves steps of other chapters on it, as the rulebook sends
its reader from one chapter to another. So the agenda and the chapters know one another; the [`rules`], the [`title`],
the views, the news and the bots come after them.
*/

pub mod action;
pub mod armies;
pub mod battle;
pub mod board;
pub mod bot;
pub mod capture;
pub mod card;
pub mod cards;
pub mod character;
pub mod characters;
pub mod chart;
pub mod combat_roll;
pub mod combat_title;
pub mod dice;
pub mod die;
pub mod entry;
pub mod event;
pub mod event_cards;
pub mod fellowship;
pub mod figures;
pub mod form;
pub mod hunt;
pub mod minions;
pub mod mordor;
pub mod nation;
pub mod news;
pub mod orders;
pub mod part;
pub mod phase;
pub mod player;
pub mod politics;
pub mod position;
pub mod question;
pub mod questions;
pub mod recruiting;
pub mod region;
pub mod reveal;
pub mod rules;
pub mod side;
pub mod siege;
pub mod standing;
pub mod step;
pub mod switches;
pub mod teams;
pub mod texts;
pub mod theatre;
pub mod tile;
pub mod title;
pub mod turn;
pub mod victory;
pub mod view;
pub mod words;

use engine::play::Play;

/// The rules of the game.
#[derive(Clone, Debug)]
pub struct WarOfTheRing;

/// A game being played.
pub type Table = Play<WarOfTheRing>;

/// Every edition of these rules, newest first.
pub const EDITIONS: [&str; 1] = ["wotr-second-edition/1"];
