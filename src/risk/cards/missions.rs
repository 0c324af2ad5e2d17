//! Completing a Mission in the player's own turn, and its reward (8.3).

use crate::Play;
use crate::board::Board;
use crate::card::{Face, Mission, Reward, RewardPlace};
use crate::cards::CardStep;
use crate::cards::held::{Held, any, held, unlocked};
use crate::event::{Cause, Event};
use crate::step::Step;
use crate::territory::Territory;
use engine::menu::{Ask, Menu};
use engine::name::Named;
use engine::refusal::{Allowed, allowed_if, barred};
use engine::seat::Seat;
use engine::slot::{Faces, Slot};

/// Whether the seat might complete a Mission now, by public knowledge: one of its Leaders is on a site, and it holds
/// cards.
pub fn may_complete(board: &Board, seat: Seat) -> bool {
    let holds = !board.is_locked(seat) && !board.adventure_cards(seat).is_empty();
    let could = |mission: &&Mission| {
        stands_on_site(board, seat, **mission).is_ok() && board.may_be_hidden(Face::Mission(**mission))
    };
    holds && Mission::ALL.iter().any(|mission| could(&mission))
}

/// Whether the seat is known to hold a Mission that it can complete now, and if not, why.
pub fn can_complete(board: &Board, seat: Seat, faces: &Faces) -> Allowed {
    unlocked(board, seat)?;
    any(&held(board, seat, faces), "you hold no Mission", |card| allowed(board, seat, card))
}

/// Which Mission is completed, and where its battalions go, read after the word `complete`. Battalions that are not
/// placed by name go to the territory of the site.
pub fn complete(board: &Board, seat: Seat, faces: &Faces, menu: &mut Menu<'_>) -> Ask<Vec<Step>> {
    let card = menu.choose("mission", &held(board, seat, faces), |card| allowed(board, seat, card))?;
    let mission = card.mission().expect("only Missions are allowed");
    menu.show(card.slot, card.face.card());
    let places = match mission.reward() {
        Reward::Battalions(battalions) => {
            let number = battalions.number(board.side(seat));
            places(board, seat, mission, battalions.place, number, menu)?
        }
        Reward::TerritoryCard => Vec::new(),
    };
    Ok(vec![Step::Card(CardStep::Complete { seat, slot: card.slot, mission, places })])
}

fn places(
    board: &Board,
    seat: Seat,
    mission: Mission,
    place: RewardPlace,
    number: u32,
    menu: &mut Menu<'_>,
) -> Ask<Vec<(u32, Territory)>> {
    let site = mission.territory();
    let free = place != RewardPlace::Territory;
    let said = free && menu.branch(&[("placing", true), ("", false)], |_| Ok(()))?;
    if !said {
        return Ok(vec![(number, site)]);
    }
    let mut places = menu.split("territory", number, &Territory::ALL, "8.3", |territory| {
        may_place(board, seat, mission, place, territory)
    })?;
    let rest = number - places.iter().map(|(part, _)| part).sum::<u32>();
    if rest > 0 {
        places.push((rest, site));
    }
    Ok(places)
}

fn may_place(board: &Board, seat: Seat, mission: Mission, place: RewardPlace, territory: Territory) -> Allowed {
    if !board.controls(seat, territory) {
        return barred("8.3", format!("you do not control {}", territory.name().title()));
    }
    let region = mission.territory().region();
    let inside = place != RewardPlace::Region || territory.region() == region;
    allowed_if(inside, "8.3", || {
        format!("the reward is placed in {}, and {} is not there", region.name().title(), territory.name().title())
    })
}

fn allowed(board: &Board, seat: Seat, card: Held) -> Allowed {
    let Some(mission) = card.mission() else {
        return barred("8.3", "it is no Mission");
    };
    stands_on_site(board, seat, mission)
}

fn stands_on_site(board: &Board, seat: Seat, mission: Mission) -> Allowed {
    let site = mission.territory();
    if !board.has_site(site) || !board.controls(seat, site) || !board.holding(site).leader {
        return barred("8.3", format!("no Leader of yours is in {}", site.name().title()));
    }
    // ▲22: with `mission_if_already_there = false` the Leader must have entered in this turn.
    let counts = board.switches().mission_if_already_there || board.turn().leaders_entered.contains(site);
    allowed_if(counts, "8.3", || format!("your Leader did not enter {} in this turn", site.name().title()))
}

/// The Mission stays face up for its points (8.1); its reward is taken at once, an extra card in step 4 (10.1).
pub fn perform(play: &mut Play, seat: Seat, slot: Slot, mission: Mission, places: &[(u32, Territory)]) {
    play.tell(Event::MissionCompleted { seat, slot, mission });
    match mission.reward() {
        Reward::Battalions(_) => {
            for (battalions, territory) in places {
                let (battalions, territory) = (*battalions, *territory);
                play.tell(Event::BattalionsAdded { territory, battalions, cause: Cause::Mission(mission) });
            }
        }
        Reward::TerritoryCard => play.tell(Event::ExtraCardEarned { seat }),
    }
}
