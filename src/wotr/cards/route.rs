//! The way of an Army moved by a card, in words: `3 regular umbar to pelargir`, with `via` for the regions between.

use crate::board::Board;
use crate::cards::march::{self, Orders, RANGE_MAX, Route, Way};
use crate::cards::wards;
use crate::part;
use crate::region::{Region, Regions};
use engine::chance::Chance;
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::refusal::{Allowed, Barred, allowed_if, barred};

/// Every way that the orders allow.
pub struct Routes<'a> {
    pub board: &'a Board,
    pub orders: &'a Orders,
}

impl Routes<'_> {
    fn may_leave(&self, from: Region) -> Allowed {
        let (board, orders) = (self.board, self.orders);
        let (name, side) = (from.title(), orders.side());
        if !orders.starts(board).contains(from) {
            let title = orders.card.title();
            return if !orders.from.contains(from) {
                barred("5.9", format!("{title} moves no Army from {name}"))
            } else if board.garrison(from).units(side) > 0 {
                barred("7.19", format!("the Army in {name} is besieged and may only sortie"))
            } else {
                barred("7.11", format!("no Army of yours that can move is in {name}"))
            };
        }
        let (place, force, moved) = orders.army(board, from);
        if let Some((rule, why)) = board.not_his(side, place, false) {
            return barred(rule, why);
        }
        allowed_if((force - moved).units(side) > 0, "7.9", || format!("every unit in {name} has moved"))
    }

    fn may_enter(&self, region: Region) -> Allowed {
        let (board, side) = (self.board, self.orders.side());
        wards::may_enter(board, side, region)?;
        allowed_if(self.orders.is_open(board, region), "7.28", || format!("an enemy Army is in {}", region.title()))
    }

    /// The regions between, read after `via`.
    fn read_via(&self, menu: &mut Menu<'_>, from: Region, to: Region) -> Ask<Vec<Region>> {
        let mut regions: Vec<Region> = Vec::new();
        loop {
            let last = regions.last().copied().unwrap_or(from);
            let next = menu.choose("region", Region::all(), |next| {
                allowed_if(last.adjacent(next), "7.14", || {
                    format!("{} is not next to {}", next.title(), last.title())
                })?;
                self.may_enter(next)
            })?;
            regions.push(next);
            if !(menu.maybe(",")? | menu.maybe("and")?) {
                break;
            }
        }
        let last = regions.last().copied().unwrap_or(from);
        menu.check(allowed_if(last.adjacent(to), "7.14", || {
            format!("{} is not next to {}: name every region of the way", to.title(), last.title())
        }))?;
        regions.push(to);
        let range = usize::from(self.orders.range).min(RANGE_MAX);
        menu.check(allowed_if(regions.len() <= range, "7.27", || {
            format!("the way has {} regions, and {} allows {range}", regions.len(), self.orders.card.title())
        }))?;
        Ok(regions)
    }

    fn route(&self, from: Region, way: Way, figures: crate::figures::Figures) -> Route {
        let (place, _, _) = self.orders.army(self.board, from);
        Route { side: self.orders.side(), figures, from: place, way }
    }

    /// The way that is meant if none is named: of the shortest ways for the most figures, one that changes nothing
    /// between its ends (7.29). If each changes something, and not all the same, the player must name one.
    fn meant(&self, routes: &[Route]) -> Result<Route, Barred> {
        if let [only] = routes {
            return Ok(*only);
        }
        let figures = |route: &Route| route.figures.iter().map(|(_, number)| u32::from(number)).sum::<u32>();
        let most = routes.iter().map(figures).max();
        let fullest = || routes.iter().filter(|route| Some(figures(route)) == most);
        let shortest = fullest().map(|route| route.way.regions().len()).min();
        let mut differing: Vec<(&Route, Board)> = Vec::new();
        for route in fullest().filter(|route| Some(route.way.regions().len()) == shortest) {
            let after = march::gone(self.board, *route);
            if after == march::gone(self.board, Route { way: Way::of(&[route.way.end()]), ..*route }) {
                return Ok(*route);
            }
            if !differing.iter().any(|(_, known)| *known == after) {
                differing.push((route, after));
            }
        }
        if let [(only, _)] = differing.as_slice() {
            return Ok(**only);
        }
        let ways: Vec<String> = differing.iter().map(|(route, _)| format!("`{}`", via(&route.way))).collect();
        let (first, _) = differing.first().expect("there is a way");
        let to = first.way.end().title();
        let why =
            format!("each of the shortest ways to {to} takes or rouses something: name one, {}", ways.join(" or "));
        Err(Barred { rule: "7.29", why })
    }

    /// A start and its ways, chosen at random.
    fn roll_way(&self, chance: &mut dyn Chance) -> Ask<(Region, Way)> {
        let starts = self.orders.starts(self.board);
        let first = chance.below(starts.len().max(1)) as usize;
        for from in starts.iter().skip(first).chain(starts.iter().take(first)) {
            let ways = self.orders.ways(self.board, from);
            if !ways.is_empty() {
                let index = chance.below(u32::try_from(ways.len()).expect("a few hundred ways"));
                return Ok((from, ways[index as usize]));
            }
        }
        Err(Stop::DeadEnd)
    }
}

/// The most parts of an Army listed for a way, besides the greatest.
const PARTS_GROWN: usize = 12;

impl Phrase for Routes<'_> {
    type Said = Route;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Route> {
        let (board, orders) = (self.board, self.orders);
        let spoken = part::read(menu)?;
        menu.maybe("from|in|at|of")?;
        let from = menu.choose("region", Region::all(), |from| self.may_leave(from))?;
        menu.word("to|into")?;
        let all = orders.ways(board, from);
        let reached: Regions = all.iter().map(Way::end).collect();
        let to = menu.choose("region", Region::all(), |to| {
            orders.may_end(board, from, to)?;
            self.may_enter(to)?;
            allowed_if(reached.contains(to), "7.28", || {
                let title = orders.card.title();
                format!("no part of the Army in {} can come to {} by {title}", from.title(), to.title())
            })
        })?;
        let (_, force, moved) = orders.army(board, from);
        let via = if menu.maybe("via|by way of|through")? { Some(self.read_via(menu, from, to)?) } else { None };
        let ways: Vec<Vec<Region>> = match via {
            Some(way) => vec![way],
            None => all.iter().filter(|way| way.end() == to).map(|way| way.regions().to_vec()).collect(),
        };
        // `all` means all that may go the way. If the player names other figures, the refusal says why they may not go.
        let rested = force - moved;
        let part_of = |way: &[Region]| {
            let movable = orders.movable(board, from, way);
            spoken.of(&movable, "7.6").or_else(|_| spoken.of(&rested, "7.6"))
        };
        let mut routes: Vec<Route> = Vec::new();
        for way in &ways {
            let part = part_of(way).map_err(|wrong| part::refused(menu, wrong))?;
            if orders.may_go(board, from, way, &part).is_ok() {
                routes.push(self.route(from, Way::of(way), part));
            }
        }
        let Some(first) = routes.first() else {
            let part = part_of(&ways[0]).map_err(|wrong| part::refused(menu, wrong))?;
            let wrong = orders.may_go(board, from, &ways[0], &part).expect_err("no way is open to the Army");
            return Err(part::refused(menu, wrong));
        };
        let first = *first;
        self.meant(&routes).map_or_else(
            |wrong| {
                menu.check(Err(wrong))?;
                Ok(first)
            },
            Ok,
        )
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Route> {
        let (from, way) = self.roll_way(chance)?;
        let movable = self.orders.movable(self.board, from, way.regions());
        for _ in 0..3 {
            let figures = part::roll(chance, &movable);
            if self.orders.may_go(self.board, from, way.regions(), &figures).is_ok() {
                return Ok(self.route(from, way, figures));
            }
        }
        let most = self.orders.most(self.board, from, way.regions()).expect("some part may go this way");
        Ok(self.route(from, way, most))
    }

    /// For every Army and every way: the greatest part that may go, and a few others.
    fn grow(&self) -> Ask<(Vec<String>, Route)> {
        let mut rows = Vec::new();
        for from in self.orders.starts(self.board).iter() {
            for way in self.orders.ways(self.board, from) {
                let regions = way.regions();
                let most = self.orders.most(self.board, from, regions);
                let parts = part::parts(&self.orders.movable(self.board, from, regions), PARTS_GROWN);
                let open = parts.into_iter().filter(|part| self.orders.may_go(self.board, from, regions, part).is_ok());
                rows.extend(most.into_iter().chain(open).map(|figures| self.say(&self.route(from, way, figures))));
            }
        }
        Ok((rows, self.list()?.2))
    }

    fn list(&self) -> Ask<Sample<Route>> {
        let starts = self.orders.starts(self.board);
        let mut open: Vec<(Region, Vec<Way>)> =
            starts.iter().map(|from| (from, self.orders.ways(self.board, from))).collect();
        open.retain(|(_, ways)| !ways.is_empty());
        let (from, ways) = open.first().ok_or(Stop::DeadEnd)?;
        let most = self.orders.most(self.board, *from, ways[0].regions()).expect("some part may go this way");
        let goals = |(from, ways): &(Region, Vec<Way>)| {
            let mut ends: Vec<&str> = Vec::new();
            for end in ways.iter().map(|way| way.end().id()) {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
            format!("{} to {}", from.id(), ends.join("|"))
        };
        let nouns = vec![("move".to_string(), open.iter().map(goals).collect())];
        Ok(("<figures> <move>".to_string(), nouns, self.route(*from, ways[0], most)))
    }

    fn say(&self, said: &Route) -> String {
        let from = said.from.region().expect("an Army stands on the map");
        let (_, force, moved) = self.orders.army(self.board, from);
        let figures = part::say(&said.figures, &(force - moved));
        let via = match via(&said.way) {
            via if via.is_empty() => via,
            via => format!(" {via}"),
        };
        format!("{figures} {} to {}{via}", from.id(), said.way.end().id())
    }
}

/// The regions between the ends of a way, in words; empty if there are none.
fn via(way: &Way) -> String {
    let (_, between) = way.regions().split_last().expect("an Army enters a region");
    let between: Vec<&str> = between.iter().map(|region| region.id()).collect();
    if between.is_empty() { String::new() } else { format!("via {}", between.join(", ")) }
}
