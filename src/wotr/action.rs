/*! A go (4.3): everything a side may do with an Action die, an Elven Ring, or by passing.

A sentence begins with the die: `muster die: gondor one step towards war`. The die may be left out if only one face
can pay. [`result`] says which faces pay for what; the words and the effect of each action are in its chapter.
*/

use crate::battle::attack::Fronts;
use crate::board::Board;
use crate::board::dice::InUse;
use crate::card::{Card, EventDeck, Type};
use crate::cards::{self, table};
use crate::character::Character;
use crate::characters::{Groups, Terms};
use crate::dice;
use crate::die::{Destination, Face};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{armies, battle, characters, entry, fellowship, minions, politics, recruiting, teams, words};
use engine::menu::{Ask, Menu};
use engine::refusal::{Allowed, Barred, allowed_if, barred};
use engine::slot::{Faces, Slot};

/// What a side may do with a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    MoveFellowship,
    HideFellowship,
    Separate,
    MoveCompanions,
    MoveNazgul,
    MoveArmies,
    Attack,
    /// An attack out of a Stronghold under siege, which has a verb of its own.
    Sortie,
    Recruit,
    Draw,
    Play,
    Bring,
    Voice,
    Rouse,
    Diplomacy,
    Remove,
    Skip,
}

/// The actions with the words that begin them. Diplomacy begins with its Nation. A sortie comes last so that random
/// play can leave it out: there, attacks include sorties.
const ACTIONS: [(&str, Action); 17] = [
    ("move fellowship|move the fellowship", Action::MoveFellowship),
    ("hide fellowship|hide the fellowship|hide", Action::HideFellowship),
    ("separate", Action::Separate),
    ("move companions|move companion", Action::MoveCompanions),
    ("move nazgul|move the nazgul|move minions|move minion|fly", Action::MoveNazgul),
    ("move|march|move army|move armies", Action::MoveArmies),
    ("attack|assault", Action::Attack),
    ("recruit|muster", Action::Recruit),
    ("draw|draw from", Action::Draw),
    ("play|play card|play event", Action::Play),
    ("bring|bring in|enter", Action::Bring),
    ("voice of saruman:|the voice of saruman:|voice:", Action::Voice),
    ("rouse", Action::Rouse),
    ("remove|remove card", Action::Remove),
    ("skip|discard", Action::Skip),
    ("", Action::Diplomacy),
    ("sortie", Action::Sortie),
];

/// How a side pays for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payment {
    Die(Face),
    /// 6.24: a Muster result as an Army result.
    Messenger,
}

impl Payment {
    /// What the die shows.
    fn face(self) -> Face {
        match self {
            Payment::Die(face) => face,
            Payment::Messenger => Face::Muster,
        }
    }

    /// The words that begin a sentence paid for in this way: `army/muster die:`.
    fn words(self) -> &'static str {
        let (spellings, _) = PAYMENTS.into_iter().find(|(_, known)| *known == self).expect("every payment has words");
        spellings.split('|').next().expect("a first spelling")
    }
}

/// The beginning of a sentence of a go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Pay(Payment),
    /// The die is left out.
    Unsaid,
    Ring,
    /// 17.32: a proposal to the team mate, before the action.
    Join,
    Pass,
}

const PAYMENTS: [(&str, Payment); 7] = [
    ("character die:|character:|char die:", Payment::Die(Face::Character)),
    ("army die:|army:", Payment::Die(Face::Army)),
    ("muster die:|muster:", Payment::Die(Face::Muster)),
    ("army/muster die:|army/muster:|muster/army die:|muster/army:", Payment::Die(Face::ArmyMuster)),
    ("event die:|event:|palantir die:|palantir:", Payment::Die(Face::Event)),
    ("will die:|will of the west die:|will of the west:|will:", Payment::Die(Face::Will)),
    ("muster die as army:|muster as army:|messenger:", Payment::Messenger),
];

const OPENINGS: [(&str, Opening); 11] = {
    let mut openings = [("", Opening::Unsaid); 11];
    let mut index = 0;
    while index < PAYMENTS.len() {
        openings[index] = (PAYMENTS[index].0, Opening::Pay(PAYMENTS[index].1));
        index += 1;
    }
    openings[index] = ("ring:|elven ring:|use a ring:|use ring:", Opening::Ring);
    openings[index + 1] = ("pass", Opening::Pass);
    // Last, because only a side with two players may say it.
    openings[index + 3] = ("join|join armies in|join the armies in", Opening::Join);
    openings
};

/// A side's go, with the faces that the reader knows in its hand.
struct Go<'a> {
    board: &'a Board,
    side: Side,
    faces: &'a Faces,
    /// The fronts that `attack` may name.
    attacks: Fronts,
    /// The action that begins the line being read, if `named` finds one.
    named: Option<Action>,
}

/// The action whose words come next in the line being read, if a name follows them (a card, a Character, a
/// Stronghold) that can give a more precise refusal.
fn named(menu: &Menu<'_>) -> Option<Action> {
    const TOLD_LATER: [Action; 5] = [Action::Play, Action::Remove, Action::Bring, Action::MoveNazgul, Action::Sortie];
    let told_later = ACTIONS.iter().filter(|(_, action)| TOLD_LATER.contains(action));
    told_later.into_iter().find(|(words, _)| menu.comes_next(words)).map(|(_, action)| *action)
}

/// The question of a go: one action, a skip, a pass, or a Ring before it.
pub fn menu(board: &Board, side: Side, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    // A sentence without its die can be read, but is never offered: the log always names the die.
    let reading = menu.is_reading();
    // The same holds for a sortie worded as an attack from inside the Stronghold.
    let (attacks, actions) = if menu.is_rolling() {
        (Fronts::All, &ACTIONS[..ACTIONS.len() - 1])
    } else {
        (if reading { Fronts::All } else { Fronts::Open }, &ACTIONS[..])
    };
    let mut go = Go { board, side, faces, attacks, named: None };
    let may = |opening| match opening {
        Opening::Unsaid if !reading => barred("4.18", "say which die pays"),
        Opening::Pay(Payment::Messenger) if !reading => go.may_open(opening).and_then(|()| go.may_send_messenger()),
        opening => go.may_open(opening),
    };
    // 17.32: only a side with two players can join Armies.
    let openings = if board.seating().is_shared(side) { &OPENINGS[..] } else { &OPENINGS[..OPENINGS.len() - 1] };
    match menu.branch(openings, may)? {
        Opening::Pass => Ok(vec![Next::Dice(dice::Step::Pass(side)), Next::Dice(dice::Step::Go(!side))]),
        Opening::Ring => ring(board, side, menu),
        Opening::Join => {
            let mut steps = teams::propose(board, side, menu)?;
            steps.push(Next::Dice(dice::Step::Go(side)));
            Ok(steps)
        }
        Opening::Pay(payment) => {
            go.named = named(menu);
            let action = menu.branch(actions, |action| go.may_name(payment, action))?;
            match action {
                Action::Play => {
                    let may = |card| go.may_play(payment, card);
                    let (slot, card) = cards::of_hand(board, board.acting(side), faces, menu, may)?;
                    Ok(go.played(payment, slot, card))
                }
                action => go.paid(payment, action, menu),
            }
        }
        Opening::Unsaid => {
            go.named = named(menu);
            let action = menu.branch(actions, |action| go.may_name_unsaid(action))?;
            let (payment, steps) = match action {
                Action::Play => {
                    // The named card decides which die pays.
                    let may = |card| match go.payments_for(card).next() {
                        Some(_) => cards::requires(board, card),
                        None => go.may_play_unsaid(card),
                    };
                    let (slot, card) = cards::of_hand(board, board.acting(side), faces, menu, may)?;
                    menu.check(go.may_play_unsaid(card))?;
                    let payment = go.payments_for(card).next().expect("one face can pay");
                    (payment, go.played(payment, slot, card))
                }
                action => {
                    let payment = go.payments(action).next().or_else(|| go.faces_for(action).next());
                    let payment = payment.expect("one face can pay");
                    (payment, go.paid(payment, action, menu)?)
                }
            };
            let (words, _) =
                PAYMENTS.into_iter().find(|(_, known)| *known == payment).expect("every payment has words");
            menu.understood(words);
            Ok(steps)
        }
    }
}

/// 4.18: more than one die could pay. The refusal quotes the words for two of them.
fn undecided(one: Payment, other: Payment) -> Allowed {
    let (one, other) = (one.words(), other.words());
    barred("4.18", format!("more than one die could pay: say which, as in `{one} …` or `{other} …`"))
}

fn may_pay(board: &Board, side: Side, payment: Payment) -> Allowed {
    let face = match payment {
        Payment::Die(face) => face,
        Payment::Messenger => {
            allowed_if(dice::messenger_may_go(board) && side == Side::Shadow, "6.24", || {
                "the Mouth of Sauron is not in play, or his Messenger has gone this turn".to_string()
            })?;
            characters::is_his(board, Character::MouthOfSauron)?;
            Face::Muster
        }
    };
    allowed_if(board.dice().showing(side, face) > 0, "4.2", || format!("you have no unused {} die", words::face(face)))
}

/// The result that a die is used as when it pays for the action (4.10 to 4.17); `None` if it cannot.
fn result(board: &Board, payment: Payment, action: Action) -> Option<Face> {
    let face = match payment {
        Payment::Messenger => {
            return matches!(action, Action::MoveArmies | Action::Attack | Action::Sortie | Action::Play)
                .then_some(Face::Army);
        }
        Payment::Die(face) => face,
    };
    // 4.15: Will of the West counts as any one other result; for Armies as an Army, which can do all a Character can.
    match action {
        Action::MoveFellowship | Action::Separate | Action::MoveCompanions | Action::MoveNazgul => {
            matches!(face, Face::Character | Face::Will).then_some(Face::Character)
        }
        // 13.19: with Strider as Guide any die hides.
        Action::HideFellowship => match face {
            Face::Character | Face::Will => Some(Face::Character),
            _ => (board.company().guide() == Some(Character::Strider)).then_some(face),
        },
        Action::MoveArmies | Action::Attack | Action::Sortie => match face {
            Face::Character => Some(Face::Character),
            Face::Army | Face::ArmyMuster | Face::Will => Some(Face::Army),
            Face::Muster | Face::Event | Face::Eye => None,
        },
        Action::Recruit | Action::Diplomacy | Action::Voice => muster(face),
        Action::Bring => match face {
            Face::Will => Some(Face::Will),
            _ => muster(face),
        },
        Action::Draw => matches!(face, Face::Event | Face::Will).then_some(Face::Event),
        // 5.7: Will of the West counts as an Event, which pays for every card and for the draw of Gandalf (5.15).
        Action::Play => match face {
            Face::Will => Some(Face::Event),
            Face::Eye => None,
            face => Some(face),
        },
        Action::Rouse | Action::Remove | Action::Skip => Some(face),
    }
}

fn muster(face: Face) -> Option<Face> {
    matches!(face, Face::Muster | Face::ArmyMuster | Face::Will).then_some(Face::Muster)
}

impl Go<'_> {
    fn may_open(&self, opening: Opening) -> Allowed {
        match opening {
            Opening::Pay(payment) => may_pay(self.board, self.side, payment),
            Opening::Unsaid => {
                let some = ACTIONS.iter().rev().any(|(_, action)| self.may_act_unsaid(*action).is_ok());
                allowed_if(some, "4.18", || "say which die pays".to_string())
            }
            Opening::Ring => may_use_ring(self.board, self.side),
            Opening::Join => teams::may_propose_some(self.board, self.side),
            // 4.3: only with fewer unused dice than the other side.
            Opening::Pass => {
                let (own, other) = (self.board.dice().unused(self.side), self.board.dice().unused(!self.side));
                allowed_if(own < other, "4.3", || {
                    let own = words::counted_dice(own, "unused");
                    format!("you have {own}, not fewer than the {other} of {}", (!self.side).title())
                })
            }
        }
    }

    /// 6.24: the Messenger is offered only if an Army can act by him, since he cannot be skipped as a die can.
    fn may_send_messenger(&self) -> Allowed {
        let some = ACTIONS.iter().any(|(_, action)| self.may_act(Payment::Messenger, *action).is_ok());
        allowed_if(some, "6.24", || "no Army can act by the Messenger of the Dark Tower now".to_string())
    }

    /// Like [`Go::may_act`], but an action that is impossible now passes if the name after it will give the reason.
    fn may_name(&self, payment: Payment, action: Action) -> Allowed {
        match result(self.board, payment, action) {
            Some(_) if self.is_told_later(action) => Ok(()),
            _ => self.may_act(payment, action),
        }
    }

    /// Whether the line begins with the action, and the name after it can give the reason for a refusal.
    fn is_told_later(&self, action: Action) -> bool {
        let (board, side) = (self.board, self.side);
        self.named == Some(action)
            && match action {
                Action::Play => board.decks().hand_size(board.acting(side)) > 0,
                Action::Remove => table::has_cards(board, !side),
                Action::Bring => true,
                Action::MoveNazgul => side == Side::Shadow,
                Action::Sortie => board.besieged().iter().any(|region| board.controller(region) == Some(side)),
                _ => false,
            }
    }

    fn may_act(&self, payment: Payment, action: Action) -> Allowed {
        let Some(result) = result(self.board, payment, action) else {
            return barred("4.10", "this die does not pay for that");
        };
        self.possible(payment, action, result)
    }

    /// Whether the action can be carried out with this result: if no whole sentence is possible, the branch is barred.
    fn possible(&self, payment: Payment, action: Action, result: Face) -> Allowed {
        let (board, side) = (self.board, self.side);
        let only = |owner: Side, then: fn(&Board) -> Allowed| {
            if side == owner { then(board) } else { barred("4.10", format!("only {} can do that", owner.title())) }
        };
        let some = |possible: bool, rule: &'static str, why: &str| allowed_if(possible, rule, || why.to_string());
        match action {
            Action::MoveFellowship => only(Side::Free, fellowship::may_be_moved),
            Action::HideFellowship => only(Side::Free, fellowship::may_be_hidden),
            Action::Separate => only(Side::Free, fellowship::may_be_left),
            Action::MoveCompanions => some(
                side == Side::Free && characters::can_move_companions(board, Terms::ORDINARY),
                "6.5",
                "no Companion on the map can move",
            ),
            Action::MoveNazgul => {
                some(side == Side::Shadow && minions::can_move(board), "6.13", "no Nazgûl or Minion of yours can move")
            }
            Action::MoveArmies => {
                // 17.40 binds the single player of the Free Peoples, 17.33 two players of a team.
                let (rule, why) = match (board.teams().any(), side) {
                    (true, _) if board.seating().is_shared(side) => {
                        ("7.8, 7.12, 17.33", "no Army that you may lead can move with this die")
                    }
                    (true, Side::Free) => ("7.8, 7.12, 17.40", "no Army that may act now can move with this die"),
                    _ => ("7.8, 7.12", "no Army can move with this die"),
                };
                some(armies::can_move(board, side, result), rule, why)
            }
            Action::Attack => {
                battle::may_attack(board, side, result, self.attacks, "9.1", "no Army can attack with this die")
            }
            Action::Sortie => {
                let what = "no Army under siege can make a sortie with this die";
                battle::may_attack(board, side, result, Fronts::Sorties, "10.14", what)
            }
            Action::Recruit => some(recruiting::can_recruit(board, side), "8.2, 8.3", "nothing can be recruited"),
            Action::Draw => some(
                EventDeck::of(side).into_iter().any(|deck| may_draw(board, deck).is_ok()),
                "5.3",
                "both decks are empty",
            ),
            Action::Play => {
                let held = cards::held(board, board.acting(side), self.faces);
                let possible = held.into_iter().any(|(_, card)| self.may_play(payment, card).is_ok());
                some(possible, "5.7", "you hold no card that this die could play")
            }
            Action::Bring => entry::may_bring_some(board, side, result),
            Action::Voice => {
                // 17.31: Saruman speaks only for his own player.
                if side == Side::Shadow {
                    characters::is_his(board, Character::Saruman)?;
                    entry::may_have_voice(board)?;
                }
                some(side == Side::Shadow && entry::can_speak(board), "6.22", "the Voice of Saruman cannot be used")
            }
            Action::Rouse => {
                some(side == Side::Free, "12.12", "no Companion can advance his Nation")?;
                politics::may_rouse_some(board)
            }
            Action::Diplomacy => some(politics::can_negotiate(board, side), "12.9", "no Nation can advance"),
            Action::Remove => table::may_remove(board, side, result, self.faces),
            Action::Skip => Ok(()),
        }
    }

    /// The ways in which the side could pay for the action now.
    fn payments(&self, action: Action) -> impl Iterator<Item = Payment> {
        let can_pay = move |payment: &Payment| {
            may_pay(self.board, self.side, *payment).is_ok() && self.may_act(*payment, action).is_ok()
        };
        PAYMENTS.into_iter().map(|(_, payment)| payment).filter(can_pay)
    }

    /// The unused dice that could pay for the action, even if it is impossible now.
    fn faces_for(&self, action: Action) -> impl Iterator<Item = Payment> {
        let pays = move |payment: &Payment| {
            may_pay(self.board, self.side, *payment).is_ok() && result(self.board, *payment, action).is_some()
        };
        PAYMENTS.into_iter().map(|(_, payment)| payment).filter(pays)
    }

    /// The die may be left out if only one face could pay (4.18).
    fn may_act_unsaid(&self, action: Action) -> Allowed {
        // Which die can pay depends on the card, and a refusal of the card gives the reason.
        if action == Action::Play && self.board.decks().hand_size(self.board.acting(self.side)) > 0 {
            return Ok(());
        }
        let mut payments = self.payments(action);
        match (payments.next(), payments.next()) {
            (Some(_), None) => Ok(()),
            (Some(one), Some(other)) => undecided(one, other),
            (None, _) if action == Action::Remove => {
                barred("5.22", "no card lies on the table that an unused die of yours could remove")
            }
            // A die could pay, but the action is impossible: the refusal says why.
            (None, _) => match self.faces_for(action).next() {
                Some(payment) => self.may_act(payment, action),
                None => barred("4.10", "no unused die of yours pays for that now"),
            },
        }
    }

    /// Like [`Go::may_act_unsaid`], but an action that is impossible now passes if the name after it will give the
    /// reason.
    fn may_name_unsaid(&self, action: Action) -> Allowed {
        let unpaid = || self.payments(action).next().is_none() && self.faces_for(action).next().is_some();
        // Which die removes a card from the table depends on the card.
        let told_later = action != Action::Remove && self.is_told_later(action) && unpaid();
        if told_later { Ok(()) } else { self.may_act_unsaid(action) }
    }

    /// The rest of the sentence, and what it does.
    fn paid(&self, payment: Payment, action: Action, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
        let (board, side) = (self.board, self.side);
        let result = result(board, payment, action).expect("the die pays");
        let face = payment.face();
        let steps = match action {
            Action::Skip => {
                return Ok(vec![Next::Dice(dice::Step::Skip(side, face)), Next::Dice(dice::Step::Go(!side))]);
            }
            Action::MoveFellowship => vec![Next::Fellowship(fellowship::Step::Move)],
            Action::HideFellowship => vec![Next::Fellowship(fellowship::Step::Hide)],
            Action::Separate => fellowship::separate(board, Terms::ORDINARY, menu)?,
            Action::MoveCompanions => characters::move_companions(board, Terms::ORDINARY, Groups::Any, menu)?,
            Action::MoveNazgul => minions::menu(board, menu)?,
            Action::MoveArmies => armies::menu(board, side, result, menu)?,
            Action::Attack => battle::attack(board, side, result, self.attacks, menu)?,
            Action::Sortie => battle::attack(board, side, result, Fronts::Sorties, menu)?,
            Action::Recruit => recruiting::menu(board, side, menu)?,
            Action::Draw => draw(board, side, menu)?,
            Action::Bring => entry::bring(board, side, result, menu)?,
            Action::Voice => entry::speak(board, menu)?,
            Action::Rouse => politics::rouse(board, menu)?,
            Action::Diplomacy => politics::diplomacy(board, side, menu)?,
            Action::Remove => table::remove(board, side, result, self.faces, menu)?,
            Action::Play => unreachable!("a card is paid for by what it shows"),
        };
        // 4.7: a die that moved the Fellowship goes into the Hunt Box after the Hunt.
        let fate = if action == Action::MoveFellowship { Destination::HuntBox } else { Destination::SetAside };
        Ok(dice::paid(InUse { side, face, result }, steps, fate))
    }
}

/// Playing an Event card (5.6).
impl Go<'_> {
    fn may_play(&self, payment: Payment, card: Card) -> Allowed {
        let used = result(self.board, payment, Action::Play).expect("the die pays for some card");
        cards::may_play(self.board, card, used)?;
        cards::may_take_effect(self.board, card, Some(self.in_use(payment, card)))
    }

    /// The die that pays for the card, while the card is played.
    fn in_use(&self, payment: Payment, card: Card) -> InUse {
        let used = result(self.board, payment, Action::Play).expect("the die pays for some card");
        InUse { side: self.side, face: payment.face(), result: cards::result(card, used) }
    }

    fn payments_for(&self, card: Card) -> impl Iterator<Item = Payment> {
        self.payments(Action::Play).filter(move |payment| self.may_play(*payment, card).is_ok())
    }

    /// The die may be left out if only one face could pay for this card (4.18).
    fn may_play_unsaid(&self, card: Card) -> Allowed {
        cards::is_marked_for(self.board, card)?;
        cards::requires(self.board, card)?;
        let mut payments = self.payments_for(card);
        match (payments.next(), payments.next()) {
            (Some(_), None) => Ok(()),
            (Some(one), Some(other)) => undecided(one, other),
            (None, _) => {
                let dice = PAYMENTS.into_iter().map(|(_, payment)| payment);
                let dice = dice.filter(|payment| may_pay(self.board, self.side, *payment).is_ok());
                let idle = dice.filter_map(|payment| self.may_play(payment, card).err()).find(|no| no.rule != "5.7");
                let unpaid = || {
                    let (title, icon) = (card.title(), cards::face_of(card.icon()).id());
                    let why = format!(
                        "no unused die of yours pays for {title}: that takes an event die, or one that shows its icon, \
                         {icon}"
                    );
                    Barred { rule: "5.7", why }
                };
                Err(idle.unwrap_or_else(unpaid))
            }
        }
    }

    fn played(&self, payment: Payment, slot: Slot, card: Card) -> Vec<Next> {
        dice::paid(self.in_use(payment, card), cards::play(slot, card), Destination::SetAside)
    }
}

/// 5.3: an Event die may not be used to draw from an empty deck.
fn may_draw(board: &Board, deck: EventDeck) -> Allowed {
    allowed_if(!board.decks().left(deck).is_empty(), "5.3", || {
        format!("the {} deck is empty", words::begin(deck.kind.id()))
    })
}

/// 4.14: one card from either deck of the side.
fn draw(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let ways = [
        ("character|character card|character deck", Type::Character),
        ("strategy|strategy card|strategy deck", Type::Strategy),
    ];
    let kind = menu.branch(&ways, |kind| may_draw(board, EventDeck { side, kind }))?;
    Ok(cards::draws(board, EventDeck { side, kind }, 1))
}

/// 4.20, 4.21: one Ring a turn, with a die to change.
fn may_use_ring(board: &Board, side: Side) -> Allowed {
    let rings = board.rings();
    allowed_if(rings.held(side) > 0, "4.20", || "you have no Elven Ring".to_string())?;
    table::may_use_ring_now(board, side)
}

/// `change muster to event`, read after the word `ring:`. The go continues afterwards.
fn ring(board: &Board, side: Side, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    menu.word("change|turn|")?;
    let from = menu.choose("die", &Face::ALL, |face| {
        allowed_if(face != Face::Eye, "4.23", || "an Eye is not changed".to_string())?;
        may_pay(board, side, Payment::Die(face))
    })?;
    menu.word("to|into|as")?;
    let to = menu.pick("face", &Face::ALL, |face| {
        // 4.22: what each side may change a die to; the new result differs from the old.
        allowed_if(face != from, "4.22", || format!("the die shows {} already", words::face(face)))?;
        match (side, face) {
            (Side::Free, Face::Will) => barred("4.22", "a Ring does not make a Will of the West"),
            (Side::Free, Face::Eye) | (Side::Shadow, Face::Will) => {
                barred("4.22", format!("{} {} no {} result", side.title(), words::has(side), words::face(face)))
            }
            _ => Ok(()),
        }
    })?;
    Ok(vec![Next::Dice(dice::Step::Ring { side, from, to }), Next::Dice(dice::Step::Go(side))])
}
