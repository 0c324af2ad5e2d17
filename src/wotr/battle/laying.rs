//! Combat cards (9.15 to 9.18): who may lay one, how they are shown, and how they are discarded after the round.

use crate::Table;
use crate::battle::{Step, fought, tell, then};
use crate::board::Board;
use crate::card::{Card, EventDeck, Held, Type};
use crate::cards::Title;
use crate::cards::shadow_character::ShadowCharacter;
use crate::cards::shadow_strategy::ShadowStrategy;
use crate::cards::table::on_table;
use crate::character::Character;
use crate::combat_title::CombatTitle;
use crate::event::Event as Told;
use crate::event::battle::Event;
use crate::event::event_cards::Event as Cards;
use crate::event_cards;
use crate::player::Player;
use crate::region::named::MINAS_TIRITH;
use crate::side::Side;
use crate::step::Step as Next;
use crate::switches::Choice;
use engine::menu::policy::ONE_OF;
use engine::menu::{Ask, Menu};
use engine::name::{Name, Named, Word};
use engine::need::{Need, Show};
use engine::refusal::allowed_if;
use engine::slot::{self, Faces, Slot};
use std::sync::LazyLock;

/// Whether the side is asked for a Combat card: it holds any card, or can use Balrog of Moria from the table, and no
/// Event card forbids it.
pub fn may_lay(board: &Board, side: Side) -> bool {
    (board.decks().hand_size(board.fighter(side)) > 0 || balrog(board, side).is_some()) && banned(board, side).is_none()
}

/// The Event card that forbids the side to lay a Combat card now.
fn banned(board: &Board, side: Side) -> Option<Card> {
    if side == Side::Shadow {
        return None;
    }
    let battle = fought(board);
    let folly = Title::ShadowStrategy(ShadowStrategy::DenethorsFolly).card();
    // C5.3: Denethor's Folly covers siege, sortie and relief at Minas Tirith, also where the Free Peoples
    // attack.
    if battle.region == MINAS_TIRITH && board.decks().is_on_table(folly) {
        return Some(folly);
    }
    // C4.20, C5.2: Grond and the Uruk-hai lock round 1 only, and a Companion inside the Stronghold lifts it.
    let locks = |card: &Card| {
        let title = card.title_of();
        title == Title::ShadowCharacter(ShadowCharacter::GrondHammerOfTheUnderworld)
            || title == Title::ShadowStrategy(ShadowStrategy::TheFightingUrukHai)
    };
    let locked = battle.round == 1 && !board.fighters(side).has_characters(side);
    battle.by.filter(locks).filter(|_| locked)
}

/// The side is not asked: it holds no card, or may lay none.
pub fn pass_over(play: &mut Table, side: Side) {
    let board = play.board();
    let holds = board.decks().hand_size(board.fighter(side)) > 0;
    if let Some(by) = banned(play.board(), side).filter(|_| holds) {
        tell(play, Event::Banned { side, by });
    }
}

/// Balrog of Moria on the table, if it may be used for its Combat half, Durin's Bane, as if laid from the hand.
fn balrog(board: &Board, side: Side) -> Option<Slot> {
    if side == Side::Free || CombatTitle::DurinsBane.lacks(board).is_some() {
        return None;
    }
    let balrog = Title::ShadowCharacter(ShadowCharacter::BalrogOfMoria).card();
    on_table(board).find(|(_, card)| *card == balrog).map(|(slot, _)| slot)
}

/// A card of the hand that may be laid: it is named by its title, or by that of its Combat half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layable(Held);

static LAYABLE: LazyLock<Vec<Name>> =
    LazyLock::new(|| Card::all().map(|card| card.name().with_alias(card.combat_title())).collect());

impl Named for Layable {
    fn name(&self) -> &'static Name {
        self.0.face.map_or_else(|| self.0.name(), |card| &LAYABLE[usize::from(card.0)])
    }

    fn said(&self) -> &'static str {
        self.0.said()
    }

    fn known_by(words: &[Word<'_>]) -> usize {
        let halves = LAYABLE.iter().map(|name| name.spelled_by(words).max(name.begun_by(words)));
        halves.max().unwrap_or(0).max(Held::known_by(words))
    }
}

/// How the question for a Combat card is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Lay,
    Balrog,
    Decline,
}

const WAYS: [(&str, Way); 3] = [
    ("lay|play|lay card|play card", Way::Lay),
    ("use balrog-of-moria|use the balrog of moria|use the balrog|use balrog|balrog", Way::Balrog),
    ("no card|no combat card|none|no", Way::Decline),
];

/// 9.15, 9.16: `no card`; `lay character-7`, for which the title of either half is read as well; or, from the table,
/// `use balrog-of-moria`. 9.17: a card whose requirement is not met is refused if `faces` knows it; otherwise that is
/// found out when the card is shown.
pub fn combat_card(board: &Board, side: Side, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let reading = menu.is_reading();
    let held = Held::of(&board.decks().hand_of(board.fighter(side)), faces, reading);
    let title = |held: &Held| faces.get(held.slot).map(|card| Card(card.0).combat());
    let fits = |held: &Held| title(held).is_none_or(|title| title.lacks(board).is_none());
    let may_be_laid = |held: Held| title(&held).map_or(Ok(()), |title| title.requires(board));
    let may = |way: Way| match way {
        Way::Decline => Ok(()),
        Way::Balrog => allowed_if(balrog(board, side).is_some(), "9.17", || {
            "Balrog of Moria does not lie on the table, or is too far away".to_string()
        }),
        // If the player names a card, the refusal says why that card cannot be laid.
        Way::Lay if reading && !held.is_empty() => Ok(()),
        Way::Lay => allowed_if(held.iter().any(fits), "9.17", || "you hold no card that you could lay".to_string()),
    };
    let way = if menu.is_policy(ONE_OF, "lay") { Way::Lay } else { menu.branch(&WAYS, may)? };
    let slot = match way {
        Way::Decline => return Ok(vec![Step::Decline(side)]),
        Way::Balrog => balrog(board, side).expect("it lies on the table"),
        Way::Lay => {
            let layable: Vec<Layable> = held.iter().copied().map(Layable).collect();
            menu.choose("card", &layable, |card| may_be_laid(card.0))?.0.slot
        }
    };
    Ok(vec![Step::Lay(slot)])
}

pub fn lay(play: &mut Table, slot: Slot) {
    match play.board().decks().face(slot).filter(|card| play.board().decks().is_on_table(*card)) {
        Some(card) => play.tell(Told::Cards(Cards::TakenUp { slot, card })),
        None => {
            let by = play.board().owner(slot);
            play.tell(Told::Cards(Cards::Laid { slot, by }));
        }
    }
}

/// 9.16, 9.17: the card that was laid is shown if its requirement is met. Balrog of Moria, from the table, is known to
/// all.
pub fn show(board: &Board, side: Side) -> Option<Need> {
    let slot = board.decks().laid_by(side)?;
    if board.decks().face(slot).is_some() {
        return None;
    }
    let met = |card: &Card| card.combat().lacks(board).is_none();
    let among: Vec<slot::Card> = EventDeck::of_slot(slot).cards().filter(met).map(Card::number).collect();
    Some(Need::Show(Show { slot, among }))
}

/// Nothing needs to be shown: the side has laid no card, or one that is known to all.
pub fn reveal_known(play: &mut Table, side: Side) {
    let decks = play.board().decks();
    if let Some(slot) = decks.laid_by(side)
        && let Some(card) = decks.face(slot)
    {
        reveal(play, side, slot, card);
    }
}

/// The card was shown. If it was not, the claim is that its requirement is not met, and it has no effect.
pub fn shown(play: &mut Table, side: Side, shown: Option<slot::Card>) {
    let slot = play.board().decks().laid_by(side).expect("a card was laid");
    if let Some(shown) = shown {
        let card = Card(shown.0);
        play.tell(Told::Cards(Cards::Shown { slot, card }));
        reveal(play, side, slot, card);
    }
}

fn reveal(play: &mut Table, side: Side, slot: Slot, card: Card) {
    tell(play, Event::Revealed { side, card });
    // 6.23, ▲23: the Sorcerer must be in the battle when the card is revealed, in its first round.
    let board = play.board();
    let any_round = board.switches().word(Choice::Sorcerer) == "any_round";
    let in_time = any_round || fought(board).round == 1;
    if side == Side::Shadow && in_time && board.fighters(side).has(Character::WitchKing) {
        tell(play, Event::Sorcerer { kind: EventDeck::of_slot(slot).kind });
    }
}

/// 9.18: both cards are discarded when the round ends. 6.23: after that the Sorcerer draws.
pub fn clear_cards(play: &mut Table) {
    let board = play.board();
    let laid_by = board.decks().laid_by(Side::Shadow).map(|slot| board.owner(slot));
    let sorcerer = fought(board).sorcerer.zip(laid_by);
    for side in Side::BOTH {
        if let Some(slot) = play.board().decks().laid_by(side) {
            play.tell(Told::Cards(Cards::Spent { slot }));
        }
    }
    if let Some((kind, by)) = sorcerer {
        then(play, [Step::Sorcerer { kind, by }]);
    }
}

/// 6.23: the decks from which the Shadow may draw: that of the card's type; 19.14: with `first_round_any_deck` either.
fn conjured(board: &Board, kind: Type) -> impl Iterator<Item = EventDeck> {
    let any_deck = board.switches().word(Choice::Sorcerer) == "first_round_any_deck";
    let wanted = move |deck: &EventDeck| any_deck || deck.kind == kind;
    EventDeck::of(Side::Shadow).into_iter().filter(wanted).filter(|deck| !board.decks().left(*deck).is_empty())
}

/// Whether there is a card to draw.
pub fn may_conjure(board: &Board, kind: Type) -> bool {
    conjured(board, kind).next().is_some()
}

/// `draw character`, `draw strategy` or `no card`.
pub fn conjure(board: &Board, kind: Type, by: Player, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [
        ("draw character|draw character card", Some(Type::Character)),
        ("draw strategy|draw strategy card", Some(Type::Strategy)),
        ("no card|none|no|decline", None),
    ];
    let may_draw = |drawn: Option<Type>| {
        let possible = drawn.is_none_or(|drawn| conjured(board, kind).any(|deck| deck.kind == drawn));
        allowed_if(possible, "6.23", || format!("the draw is from the {} deck", kind.id()))
    };
    let Some(kind) = menu.branch(&ways, may_draw)? else { return Ok(Vec::new()) };
    let draw = event_cards::Step::Draw { deck: EventDeck { side: Side::Shadow, kind }, to: by };
    Ok(vec![Next::Cards(draw), Next::Cards(event_cards::Step::HandLimit(by))])
}
