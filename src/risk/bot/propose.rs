/*! Sentences that a player of some experience would consider. The menu refuses those that the rules do not allow now,
and they are dropped.
*/

use crate::board::{Board, Holder};
use crate::bot::{front, mission};
use crate::card::{Face, Mission, Power, PowerWindow, Reward, RewardPlace};
use crate::cards::CardStep;
use crate::cards::held::held;
use crate::combat::invasion::{self, enemies};
use crate::fortify::{Company, connected};
use crate::lands::Lands;
use crate::reinforcements::{must_trade, to_place};
use crate::step::Step;
use crate::territory::{Bridge, Territory, same_range};
use engine::name::Named;
use engine::seat::Seat;
use engine::slot::Faces;

/// The most territories considered for one purpose.
const PLACES_MAX: usize = 14;
/// The most territories considered for the battalions of a Mission.
const MISSION_PLACES_MAX: usize = 3;
/// The most invasions under the mountains considered at once.
const WAYS_MAX: usize = 4;
/// The most invasions considered at once.
const INVASIONS_MAX: usize = 22;

/// The candidates for a question.
pub fn propose(board: &Board, step: &Step, seat: Seat, faces: &Faces) -> Vec<String> {
    let position = Position::of(board, seat, faces);
    match step {
        Step::Claim => board.unclaimed().iter().map(|territory| format!("claim {}", id(territory))).collect(),
        Step::Garrison => position.garrisons(),
        Step::PlaceLeader(_) | Step::ReplaceLeader | Step::Card(CardStep::AppointLeader(_)) => {
            position.places().into_iter().map(|territory| format!("leader {}", id(territory))).collect()
        }
        Step::TurnStart | Step::Reinforce | Step::TradeDown => position.reinforcements(step),
        Step::Combat => position.combat(),
        Step::GoOn => position.go_on(),
        Step::Advance { source, moved, .. } => position.advances(*source, *moved),
        Step::Fortify => position.moves(),
        Step::OfferMission => position.missions().into_iter().chain(["pass".to_string()]).collect(),
        Step::KeepHandLimit(_) => {
            held(board, seat, faces).iter().map(|card| format!("discard {}", card.name().id())).collect()
        }
        Step::Defend(_) => vec!["defend with 2".to_string(), "defend with 1".to_string()],
        Step::Card(CardStep::Window { window, .. }) => {
            position.cards(*window).into_iter().chain(["pass".to_string()]).collect()
        }
        _ => Vec::new(),
    }
}

fn id(territory: Territory) -> &'static str {
    territory.name().id()
}

/// The asked seat, and what it knows.
struct Position<'a> {
    board: &'a Board,
    seat: Seat,
    faces: &'a Faces,
    /// The sites of the Missions in its hand.
    sites: Lands,
}

impl Position<'_> {
    fn of<'a>(board: &'a Board, seat: Seat, faces: &'a Faces) -> Position<'a> {
        let missions = held(board, seat, faces).into_iter().filter_map(|card| card.mission());
        let sites = missions.filter_map(|mission| mission::site(board, mission)).collect();
        Position { board, seat, faces, sites }
    }

    /// Up to [`PLACES_MAX`] territories on the front, the most promising first.
    fn places(&self) -> Vec<Territory> {
        let front = front(self.board, self.seat);
        let mut places: Vec<(u32, Territory)> = front.iter().map(|place| (self.promise(place), place)).collect();
        places.sort_by(|one, other| other.cmp(one));
        places.truncate(PLACES_MAX);
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// How promising a territory is for more battalions: its best target, its own worth, and the battalions in it.
    fn promise(&self, place: Territory) -> u32 {
        let targets = Lands::next_to(place).and(enemies(self.board, self.seat));
        let best = targets.iter().map(|target| self.prize(target)).max().unwrap_or(0);
        best + self.prize(place) / 2 + 2 * self.board.battalions(place).min(10)
    }

    /// How much a territory is worth having: a stronghold, a site, a region nearly complete, a region of an enemy.
    fn prize(&self, territory: Territory) -> u32 {
        let board = self.board;
        let region = territory.region();
        let (all, bonus) = (Lands::of(region), region.bonus());
        let share = all.and(board.lands(self.seat)).len() * 10 / all.len();
        let breaks = board
            .seats()
            .any(|other| board.may_invade(self.seat, Holder::Seat(other)) && board.controls_region(other, region));
        let features = 6 * u32::from(board.has_stronghold(territory)) + 3 * u32::from(board.has_site(territory));
        let mission = if self.sites.contains(territory) { 8 } else { 0 };
        bonus * share * share / 20 + features + mission + if breaks { 5 * bonus } else { 0 }
    }

    fn garrisons(&self) -> Vec<String> {
        let stock = u32::from(self.board.player(self.seat).stock);
        let places = self.places();
        let mut lines = vec!["place evenly".to_string()];
        for part in [stock, stock / 2, stock / 4].into_iter().filter(|part| *part > 0) {
            lines.extend(places.iter().map(|place| format!("place {part} {} then evenly", id(*place))));
        }
        for (index, one) in places.iter().take(5).enumerate() {
            for other in places.iter().take(5).skip(index + 1) {
                let half = stock / 2;
                lines.push(format!("place {half} {}, {} {}", id(*one), stock - half, id(*other)));
            }
        }
        let thirds: Vec<&Territory> = places.iter().take(3).collect();
        if let [one, two, three] = thirds.as_slice() {
            let third = stock / 3;
            let rest = stock - 2 * third;
            lines.push(format!("place {rest} {}, {third} {}, {third} {}", id(**one), id(**two), id(**three)));
        }
        lines
    }

    fn reinforcements(&self, step: &Step) -> Vec<String> {
        let mut lines = self.trades();
        if *step == Step::TurnStart {
            lines.extend(self.cards(PowerWindow::TurnStart));
        }
        lines.extend(self.missions());
        if must_trade(self.board, self.seat) {
            return lines;
        }
        let number = to_place(self.board, step);
        let places = self.places();
        lines.extend(places.iter().map(|place| format!("place {number} {}", id(*place))));
        for (index, one) in places.iter().take(4).enumerate() {
            for other in places.iter().take(5).skip(index + 1).filter(|_| number > 1) {
                let half = number / 2;
                lines.push(format!("place {} {}, {half} {}", number - half, id(*one), id(*other)));
            }
        }
        lines
    }

    /// Every three of the Territory cards; the menu refuses those that are no set.
    fn trades(&self) -> Vec<String> {
        let cards: Vec<&str> = self
            .board
            .territory_cards(self.seat)
            .iter()
            .filter_map(|slot| self.faces.get(*slot).map(|card| Face::of(card).name().id()))
            .collect();
        let mut lines = Vec::new();
        for (first, one) in cards.iter().enumerate() {
            for (second, two) in cards.iter().enumerate().skip(first + 1) {
                for three in cards.iter().skip(second + 1) {
                    lines.push(format!("trade {one}, {two}, {three}"));
                }
            }
        }
        lines
    }

    /// Every Mission in hand, with its battalions on its site, or on one of the best places where they may go.
    fn missions(&self) -> Vec<String> {
        let missions = held(self.board, self.seat, self.faces).into_iter().filter_map(|card| card.mission());
        missions.flat_map(|mission| self.mission(mission)).collect()
    }

    fn mission(&self, mission: Mission) -> Vec<String> {
        let line = format!("complete {}", mission.name().id());
        let mut lines = vec![line.clone()];
        if let Reward::Battalions(battalions) = mission.reward()
            && battalions.place != RewardPlace::Territory
        {
            let number = battalions.number(self.board.side(self.seat));
            let places = self.places().into_iter().filter(|place| {
                battalions.place == RewardPlace::Anywhere || place.region() == mission.territory().region()
            });
            lines.extend(places.take(MISSION_PLACES_MAX).map(|place| format!("{line} placing {number} {}", id(place))));
        }
        lines
    }

    /// Every Power in hand that is played in this window, with its choices.
    fn cards(&self, window: PowerWindow) -> Vec<String> {
        let powers = held(self.board, self.seat, self.faces).into_iter().filter_map(|card| card.power());
        powers.filter(|power| power.window() == window).flat_map(|power| self.card(power)).collect()
    }

    fn card(&self, power: Power) -> Vec<String> {
        let board = self.board;
        let name = power.name().id();
        match power {
            Power::YouShallNotPass => {
                let own = |bridge: &Bridge| bridge.ends().iter().any(|end| board.controls(self.seat, *end));
                Bridge::ALL
                    .into_iter()
                    .filter(own)
                    .map(|bridge| format!("play {name} on {}", bridge.name().id()))
                    .collect()
            }
            Power::BorneToAnotherPlace => {
                let places = self.places();
                let leaders: Vec<Territory> = board.leaders(self.seat).collect();
                let ways = leaders.iter().flat_map(|from| places.iter().map(move |to| (*from, *to)));
                ways.map(|(from, to)| format!("play {name} from {} to {}", id(from), id(to))).collect()
            }
            Power::StrategicWithdrawal => {
                let target = board.invasion().map(|invasion| invasion.target);
                let goals =
                    target.into_iter().flat_map(|target| Lands::next_to(target).and(board.lands(self.seat)).iter());
                goals
                    .flat_map(|goal| ["", " and leader"].map(|leader| format!("play {name} to {}{leader}", id(goal))))
                    .collect()
            }
            Power::FaramirFindsTheRingbearer => {
                vec![format!("play {name} adding 2"), format!("play {name} taking 2")]
            }
            _ => vec![format!("play {name}")],
        }
    }

    fn combat(&self) -> Vec<String> {
        let mut lines = vec!["done".to_string()];
        lines.extend(self.missions());
        let board = self.board;
        let mut invasions: Vec<(i64, Territory, Territory)> = Vec::new();
        for source in invasion::able_sources(board, self.seat).iter() {
            for target in Lands::next_to(source).and(enemies(board, self.seat)).iter() {
                let more = i64::from(board.battalions(source)) - i64::from(board.battalions(target));
                invasions.push((i64::from(self.prize(target)) + 3 * more.min(10), source, target));
            }
        }
        invasions.sort_by(|one, other| other.cmp(one));
        invasions.truncate(INVASIONS_MAX);
        let helps = self.helps();
        for (index, (_, source, target)) in invasions.iter().enumerate() {
            let line = format!("attack {} from {}", id(*target), id(*source));
            let own = board.battalions(*source);
            lines.push(format!("{line} until {} left", if own > 6 { 3 } else { 1 }));
            if index < 6 && board.holding(*source).leader {
                lines.push(format!("{line} without leader until 1 left"));
            }
            if index < 6 && own > 9 {
                lines.push(format!("{line} until {} left", own / 2));
            }
            if index < 6 {
                lines.extend(helps.iter().map(|power| format!("{line} playing {} until 1 left", power.name().id())));
            }
        }
        if helps.contains(&Power::TheWayIsUnderTheMountains) {
            lines.extend(self.under_the_mountains());
        }
        lines
    }

    /// The best invasions of targets that can be reached only under the mountains.
    fn under_the_mountains(&self) -> Vec<String> {
        let board = self.board;
        let mut ways: Vec<(u32, Territory, Territory)> = Vec::new();
        for source in invasion::able_sources(board, self.seat).iter() {
            let far = enemies(board, self.seat).without(Lands::next_to(source));
            let targets = far.iter().filter(|target| same_range(source, *target));
            ways.extend(targets.map(|target| (self.prize(target) + board.battalions(source), source, target)));
        }
        ways.sort_by(|one, other| other.cmp(one));
        let name = Power::TheWayIsUnderTheMountains.name().id();
        let line = |source, target| format!("attack {} from {} playing {name} until 1 left", id(target), id(source));
        ways.into_iter().take(WAYS_MAX).map(|(_, source, target)| line(source, target)).collect()
    }

    /// The cards in hand that are played with the declaration of an invasion.
    fn helps(&self) -> Vec<Power> {
        let powers = held(self.board, self.seat, self.faces).into_iter().filter_map(|card| card.power());
        let window = |power: &Power| {
            matches!(
                power.window(),
                PowerWindow::BeforeInvasion
                    | PowerWindow::BeforeStrongholdInvasion
                    | PowerWindow::InvasionDeclared
                    | PowerWindow::SeaborneInvasionDeclared
            )
        };
        powers.filter(window).collect()
    }

    fn go_on(&self) -> Vec<String> {
        let mut lines = vec!["call off".to_string(), "again".to_string(), "again until 1 left".to_string()];
        let board = self.board;
        lines.push("again until 3 left".to_string());
        for source in invasion::other_sources(board).iter() {
            lines.push(format!("from {} until 1 left", id(source)));
        }
        lines.extend(self.missions());
        lines
    }

    fn advances(&self, source: Territory, moved: u32) -> Vec<String> {
        let there = self.board.battalions(source);
        let mut stay = vec![1, 2, 3, there / 2, there - 2];
        stay.sort_unstable();
        stay.dedup();
        let leaders = if self.board.holding(source).leader { &["", " and leader"][..] } else { &[""][..] };
        let stays = stay.into_iter().filter(|stay| *stay > 0 && *stay < there);
        let mut lines: Vec<String> = stays
            .flat_map(|stay| leaders.iter().map(move |leader| format!("advance all but {stay}{leader}")))
            .collect();
        lines.push(format!("advance {moved}"));
        lines
    }

    fn moves(&self) -> Vec<String> {
        let board = self.board;
        let mut lines = vec!["done".to_string()];
        lines.extend(self.missions());
        lines.extend(self.cards(PowerWindow::AfterLastInvasion));
        let mut goals: Vec<Territory> = self.sites.and(board.lands(self.seat)).iter().collect();
        goals.extend(self.places().into_iter().filter(|place| !self.sites.contains(*place)));
        let mut sources: Vec<Territory> =
            board.lands(self.seat).iter().filter(|from| board.battalions(*from) > 1).collect();
        sources.sort_by_key(|from| std::cmp::Reverse(board.battalions(*from)));
        for from in sources.into_iter().take(6) {
            let reach = connected(board, self.seat, from, Company::Alone);
            let most = board.battalions(from) - 1;
            for to in goals.iter().filter(|to| **to != from && reach.contains(**to)).take(8) {
                let line = format!("fortify {} from {} with", id(*to), id(from));
                lines.push(format!("{line} {most}"));
                if board.holding(from).leader {
                    lines.push(format!("{line} {most} and leader"));
                }
                if most > 5 {
                    lines.push(format!("{line} {}", most / 2));
                }
            }
        }
        lines
    }
}
