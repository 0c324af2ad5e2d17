/*! The open question, in a plain sentence to the asked seat and in a few words for a subject line.

The shape is `{"seat": "free", "id": "action", "short": "…", "text": "….", "about": ["osgiliath"]}`: `id` as standing
orders name the question, `short` of at most 40 columns and without a full stop, `about` the regions it concerns,
empty if it concerns the whole board. The words do not depend on anything secret.
*/

use crate::battle::round::{Prospect, prospect};
use crate::board::Board;
use crate::board::battle::Decision;
use crate::board::hunt::{Cause, InHand};
use crate::card::EventDeck;
use crate::combat_title::CombatTitle;
use crate::region::Region;
use crate::side::Side;
use crate::step::Step;
use crate::{Table, battle, cards, dice, event_cards, fellowship, hunt, mordor, standing, teams, words};
use engine::need::Need;
use engine::plural;
use serde_json::{Value, json};

/// The question that the game waits for; null if it waits for no player.
pub fn asked(play: &Table) -> Value {
    let (Need::Question(question), Some(step)) = (play.need(), play.asked()) else {
        return Value::Null;
    };
    let (short, text) = asked_by(play.board(), step);
    let about: Vec<&str> = about(play.board(), step).into_iter().map(Region::id).collect();
    let seat = words::seat(play.board(), question.seat);
    json!({"seat": seat, "id": question.id, "short": short, "text": text, "about": about})
}

/// The regions that a question is about: those of the battle, of the Ring-bearers, or of the force over its limit.
pub fn about(board: &Board, step: &Step) -> Vec<Region> {
    match (board.battle(), step) {
        (_, Step::Fellowship(_) | Step::Hunt(_)) => board.company().region().into_iter().collect(),
        (Some(battle), _) if battle.from != battle.region => vec![battle.region, battle.from],
        (Some(battle), _) => vec![battle.region],
        (None, Step::Standing(_)) => {
            standing::over_limit(board).and_then(|(_, place)| place.region()).into_iter().collect()
        }
        (None, _) => Vec::new(),
    }
}

fn asked_by(board: &Board, step: &Step) -> (&'static str, String) {
    match step {
        Step::Dice(dice::Step::Allot) => ("dice for the Hunt", allot(board)),
        Step::Dice(dice::Step::Go(side)) => ("an action", go(board, *side)),
        Step::Cards(event_cards::Step::HandLimit(player)) => {
            let (held, limit) = (board.decks().hand_size(*player), event_cards::hand_limit(*player));
            ("discard a card", format!("You hold {held} cards and may keep {limit}: discard one, face down."))
        }
        Step::Teams(step) => teams::question(board, step),
        Step::Effect(step) => cards::question(board, step),
        Step::Standing(_) => ("too many units", excess(board)),
        Step::Fellowship(step) => of_fellowship(board, step),
        Step::Hunt(hunt::Step::Damage(_)) => ("meet the Hunt", damage(board)),
        Step::Hunt(hunt::Step::Draw(cause)) => ("discard Wizard's Staff?", before_the_draw(*cause)),
        Step::Hunt(hunt::Step::Card(_)) => ("a card against the Hunt, or no card", against_the_tile(board)),
        Step::Battle(step) => of_battle(board, step),
        _ => ("answer", "The game waits for your answer.".to_string()),
    }
}

fn excess(board: &Board) -> String {
    let Some((side, place)) = standing::over_limit(board) else { return "Too many units stand together.".to_string() };
    let units = board.force_at(side, place).units(side);
    let (place, limit) = (words::begin(&words::place(place)), standing::limit(place));
    format!("{place}: {units} of {}units, and {limit} may stay. Remove one; it may come again.", whose(board, side))
}

/// 17.4: how a player of the side reads whose its dice and units are.
fn whose(board: &Board, side: Side) -> &'static str {
    if board.seating().is_shared(side) { "your team's " } else { "your " }
}

fn allot(board: &Board) -> String {
    let companions = plural::counted(board.companions().characters().count(), "Companion");
    let forced = if board.dice().hunted() { " The Fellowship moved: at least 1." } else { "" };
    let (whose, dice) = (whose(board, Side::Shadow), words::dice(board.dice().spent(Side::Shadow)));
    format!("How many of {whose}{dice} go into the Hunt Box before the roll? The Fellowship has {companions}.{forced}")
}

fn go(board: &Board, side: Side) -> String {
    let (own, other) = (board.dice().unused(side), board.dice().unused(!side));
    let pass = if own < other { " You may pass." } else { "" };
    let they = (!side).title();
    let you = if board.seating().is_shared(side) { "Your team has" } else { "You have" };
    format!(
        "Your action: choose a die. {you} {} left, {they} {} {}.{pass}",
        words::dice(own),
        words::has(!side),
        words::dice(other)
    )
}

fn of_fellowship(board: &Board, step: &fellowship::Step) -> (&'static str, String) {
    match step {
        fellowship::Step::Phase => ("the Fellowship phase", phase(board)),
        fellowship::Step::Emerge => ("where the Fellowship is revealed", emerge(board)),
        fellowship::Step::Guide => {
            let names: Vec<&str> = board.guides().map(words::character).collect();
            ("choose the Guide", format!("Which Companion guides the Fellowship: {}?", names.join(" or ")))
        }
        fellowship::Step::Return(hobbit) => {
            let name = words::character(*hobbit);
            (
                "where the Hobbit appears",
                format!("{name} was taken alive: place {name} as if he had just left the Fellowship."),
            )
        }
        _ => ("answer", "The game waits for your answer.".to_string()),
    }
}

fn phase(board: &Board) -> String {
    let company = board.company();
    let mut text = match company.region() {
        Some(region) => format!(
            "The Fellowship phase. The figure is in {}, Progress is {}, Corruption {}.",
            words::title(region),
            company.progress(),
            company.corruption()
        ),
        None => "The Fellowship phase, on the Mordor Track.".to_string(),
    };
    if company.region().is_some() && company.is_hidden() && !company.is_declared() {
        let regions = plural::counted(company.progress(), "region");
        text.push_str(&format!(" You may declare where it is, up to {regions} away."));
    }
    if mordor::may_enter(board).is_ok() {
        text.push_str(" You may enter Mordor.");
    }
    if board.guides().count() > 1 {
        text.push_str(&format!(" {} is the Guide; you may name another.", words::guide(company.guide())));
    }
    text
}

fn emerge(board: &Board) -> String {
    let company = board.company();
    let here = company.region().map_or("", words::title);
    format!(
        "The Fellowship is revealed. The figure moves up to {} from {here}, and does not end in a City or Stronghold \
         that the Free Peoples control. Every Shadow Stronghold on its way costs a Hunt tile; without `via` it takes \
         the way with the fewest.",
        plural::counted(company.progress(), "region")
    )
}

fn damage(board: &Board) -> String {
    let Some(InHand { tile, damage, .. }) = board.pool().in_hand() else {
        return "How is the damage met?".to_string();
    };
    let shown = words::tile(tile);
    let guide = words::guide(board.company().guide());
    format!(
        "The Hunt tile shows {shown}: {damage} damage is left, and would be added to Corruption {}. {guide} is the \
         Guide. How is it met?",
        board.company().corruption()
    )
}

fn before_the_draw(cause: Cause) -> String {
    let why = match cause {
        Cause::Roll { .. } => "the Hunt succeeded".to_string(),
        Cause::Stronghold(region) => format!("{} lies on the way", words::title(region)),
        Cause::Mordor => "the Fellowship moves in Mordor".to_string(),
        Cause::Card(card) => format!("{} says so", card.title()),
    };
    format!("A Hunt tile is about to be drawn, since {why}: discard Wizard's Staff to prevent the draw?")
}

fn against_the_tile(board: &Board) -> String {
    let Some(InHand { tile, damage, .. }) = board.pool().in_hand() else {
        return "Which card on the table is used?".to_string();
    };
    format!("The Hunt tile shows {}: {damage} damage. Is a card on the table used against it?", words::tile(tile))
}

fn of_battle(board: &Board, step: &battle::Step) -> (&'static str, String) {
    let Some(fought) = board.battle() else {
        // 5.23: hits by a card outside a battle.
        return ("take losses", losses(step));
    };
    let region = words::title(fought.region);
    let stands = |side: Side| format!("{}: {}", words::subject(side), words::fighters(board, side));
    let there = format!("{}. {}.", stands(fought.attacker), stands(fought.defender()));
    let (round, next) = (fought.round, fought.round + 1);
    let both = |round: u8| {
        let [attacker, defender] = [fought.attacker, fought.defender()].map(|side| prospects(board, side, round));
        format!("{attacker}. {defender}.")
    };
    match step {
        battle::Step::FieldOrSiege => (
            "fight in the open, or withdraw",
            format!(
                "{region} is attacked, round {round}: fight in the open, or withdraw into the Stronghold? {}",
                both(round)
            ),
        ),
        battle::Step::WhiteRider => (
            "the White Rider",
            format!("Does Gandalf the White give up his Leadership to cancel that of the Nazgûl? {}", both(round)),
        ),
        battle::Step::CombatCard(side) => (
            "a Combat card, or no card",
            format!(
                "Round {round} of the battle of {region}: lay a Combat card, or no card.{} {}",
                laid_against(board, *side),
                both(round)
            ),
        ),
        battle::Step::Choose(side) => {
            let (short, text) = choice(board, *side);
            (short, format!("{text} {there}"))
        }
        battle::Step::ChooseLosses { .. } => ("take losses", format!("{} {there}", losses(step))),
        battle::Step::PressOn => (
            "press the attack, or stop",
            format!("Press the attack on {region} in round {next}, or stop? {}", both(next)),
        ),
        battle::Step::Retreat => (
            "retreat, or stand",
            format!("The attackers of {region} press on to round {next}. Retreat, or stand? {}", both(next)),
        ),
        battle::Step::SiegeRound => (
            "another round of the siege",
            format!("Reduce an Elite to assault {region} in round {next}, or end the assault? {}", both(next)),
        ),
        battle::Step::Sorcerer { kind, .. } => (
            "draw a card for the Witch-king?",
            format!("The Witch-king fought, and a Combat card was used: draw a {} card?", words::begin(kind.id())),
        ),
        battle::Step::Advance(Decision::Withdrew) => (
            "advance, or stay",
            format!(
                "The defenders withdrew into {region}. If you advance, it is besieged; if nobody advances, they come \
                 out again. {}.",
                stands(fought.attacker)
            ),
        ),
        battle::Step::Advance(_) => {
            ("advance, or stay", format!("Which of the attackers advance into {region}? {}.", stands(fought.attacker)))
        }
        _ => ("answer", "The game waits for your answer.".to_string()),
    }
}

/// 9.16: for the defender, what the attacker has laid: nothing, a card of a deck, or a card that is known to all.
fn laid_against(board: &Board, side: Side) -> String {
    if battle::fought(board).attacker == side {
        return String::new();
    }
    let laid = match board.decks().laid_by(!side) {
        None => "no card".to_string(),
        Some(slot) => match board.decks().face(slot) {
            Some(card) => card.title().to_string(),
            None => format!("a {} card", words::begin(EventDeck::of_slot(slot).kind.id())),
        },
    };
    format!(" {} laid {laid}.", words::subject(!side))
}

/// The choice that a Combat card gives its player.
fn choice(board: &Board, side: Side) -> (&'static str, String) {
    let battle = battle::fought(board);
    let card = battle.played[side.index()].expect("a Combat card asks");
    let title = card.combat();
    let rerolled = |side: Side| plural::counted(battle.reroll_hits[side.index()], "hit");
    let (short, what) = match title {
        CombatTitle::Scouts => ("where the Army goes", "your whole Army leaves before the roll: where to?".to_string()),
        CombatTitle::WordsOfPower => {
            ("silence a Companion", "whose Leadership and abilities do not count in this round?".to_string())
        }
        CombatTitle::DreadAndDespair => (
            "how much Leadership is forfeited",
            "how many points of Nazgûl Leadership do you forfeit? The Free Peoples roll that many fewer dice."
                .to_string(),
        ),
        CombatTitle::RelentlessAssault => (
            "how many hits you take",
            "how many hits do you take on your own Army? Each adds 1 to your dice in the Combat roll.".to_string(),
        ),
        CombatTitle::Onslaught => (
            "how many hits you take",
            "how many hits do you take on your own Army? You roll that many dice; each 4 or more is a hit.".to_string(),
        ),
        CombatTitle::MightyAttack => {
            ("whose Leadership is forfeited", "whose Leadership do you forfeit to turn a miss into a hit?".to_string())
        }
        CombatTitle::Anduril => (
            "how many misses become hits",
            "how many misses become hits, for the Leadership that Aragorn gives up?".to_string(),
        ),
        CombatTitle::HeroicDeath => (
            "sacrifice a figure, or nobody",
            format!(
                "the Shadow scored {}. Do you give up a Leader (1 hit less) or a Companion (up to his Level)?",
                plural::counted(battle.hits[Side::Shadow.index()], "hit")
            ),
        ),
        CombatTitle::BladeOfWesternesse => ("which Minion is slain", "which Minion is slain?".to_string()),
        CombatTitle::FatefulStrike | CombatTitle::BlackBreath => {
            ("which figure is slain", format!("your re-roll scored {}: which figure is slain?", rerolled(side)))
        }
        title => unreachable!("{title:?} leaves nothing to its player"),
    };
    (short, format!("{}: {what}", title.title()))
}

/// A side in the battle, and what it would roll in the round before Combat cards change it.
fn prospects(board: &Board, side: Side, round: u8) -> String {
    let Prospect { dice, needs, leadership } = prospect(board, side, round);
    let least = if needs == 6 { "6" } else { "5+" };
    let (dice, figures) = (words::dice(dice), words::fighters(board, side));
    format!("{}: {figures} ({dice} at {least}, Leadership {leadership})", words::subject(side))
}

fn losses(step: &battle::Step) -> String {
    match step {
        battle::Step::ChooseLosses { hits, place, .. } => {
            format!(
                "Your Army in {} takes {}: which figures are lost?",
                words::place(*place),
                plural::counted(*hits, "hit")
            )
        }
        _ => "Your Army takes hits: which figures are lost?".to_string(),
    }
}
