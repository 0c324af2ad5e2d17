/*! The path of the figure when it is revealed (13.14 to 13.17) or declared (13.9), and the Hunt tiles that it costs.

The Free Peoples name the path, since every Shadow Stronghold on it costs a revealed Fellowship a Hunt tile, and Moria
may cost one if Balrog of Moria is on the table (13.12). If they name only its end, they mean the path that costs the
fewest tiles, of these the shortest, of these the first in the order of the map.
*/

use crate::board::Board;
use crate::board::company::TRACK_END;
use crate::board::hunt::Cause;
use crate::cards::reactions;
use crate::region::named::MORIA;
use crate::region::{self, REGIONS, Region, Regions};
use crate::side::Side;
use crate::step::Step as Next;
use crate::{fellowship, hunt};
use engine::chance::Chance;
use engine::menu::policy::{AMONG, TOWARD};
use engine::menu::{Ask, Menu, Phrase, Sample, Stop};
use engine::plural;
use engine::refusal::{Allowed, allowed_if, barred};

/// 13.14: whether the figure can go anywhere. 13.15: with Progress 0 it stays where it is.
pub fn may_go(board: &Board) -> bool {
    let Some(here) = board.company().region() else { return false };
    !Emerging { board, here, purpose: Purpose::Revealed }.ends().is_empty()
}

/// 13.14: the figure may not end in a region with an FP City or Stronghold controlled by the FP.
fn may_end(board: &Board, region: Region) -> Allowed {
    let sheltered = region.side() == Some(Side::Free) && region.is_city_or_stronghold() && board.is_unconquered(region);
    allowed_if(!sheltered, "13.14", || {
        format!("{} is a City or Stronghold of the Free Peoples that they control", region.title())
    })
}

/// 13.16: the Strongholds printed for the Shadow and still controlled by it.
fn dark_strongholds(board: &Board) -> Regions {
    (region::all_strongholds() & region::settlements(Side::Shadow)) - board.captured()
}

/// 13.16: the fewest Shadow Strongholds on a way that the figure could take if it were revealed now, over all regions
/// where it may end. The Free Peoples name the path only in their answer, so no more is known before. `None` on the
/// Mordor Track.
pub fn strongholds_on_the_way(board: &Board) -> Option<u32> {
    let here = board.company().region()?;
    let dark = dark_strongholds(board);
    let on_the_way = |way: &[Region]| {
        let passed: Regions = std::iter::once(here).chain(way.iter().copied()).collect();
        (passed & dark).len()
    };
    let emerging = Emerging { board, here, purpose: Purpose::Revealed };
    let ends = emerging.ends();
    let progress = board.company().progress();
    let ways = ends.iter().map(|to| safest_path(&[dark, Regions::NONE], here, to, progress));
    // 13.15: if it can go nowhere, it stays.
    let stays = (may_end(board, here).is_ok() || ends.is_empty()).then(Vec::new);
    ways.chain(stays).map(|way| on_the_way(&way)).min()
}

/// How the figure moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Go,
    Stay,
}

/// `move to hollin`, `move to moria via fords-of-bruinen, hollin`, `stay`.
pub fn menu(board: &Board, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let here = board.company().region().expect("no way is taken on the Mordor Track");
    if menu.comes_next(TOWARD) {
        return toward(board, here, menu);
    }
    let ways = [("move to|move|go to|go|to", Way::Go), ("stay", Way::Stay)];
    let may = |way: Way| match way {
        Way::Go => Ok(()),
        Way::Stay => may_end(board, here),
    };
    let way = if menu.is_policy(AMONG, "move to") { Way::Go } else { menu.branch(&ways, may)? };
    match way {
        Way::Stay => Ok(stay(board)),
        Way::Go => {
            let path = menu.phrase(&Emerging { board, here, purpose: Purpose::Revealed })?;
            Ok(steps(board, here, &path))
        }
    }
}

/// `toward lorien`: to the region nearest to it where the figure may end; it stays if none is nearer.
fn toward(board: &Board, here: Region, menu: &mut Menu<'_>) -> Ask<Vec<Next>> {
    let goal = menu.silently(|menu| {
        menu.word(TOWARD)?;
        menu.choose("region", Region::all(), |_| Ok(()))
    })?;
    let emerging = Emerging { board, here, purpose: Purpose::Revealed };
    let near = |to: &Region| Region::distance(*to, goal);
    let best = emerging.ends().iter().min_by_key(near);
    let stays = may_end(board, here).is_ok() && best.is_none_or(|best| near(&here) <= near(&best));
    let Some(to) = best.filter(|_| !stays) else {
        menu.comes_to("stay");
        return Ok(stay(board));
    };
    let path = emerging.way(to);
    menu.comes_to("move to");
    menu.comes_to_phrase(&emerging, &path);
    Ok(steps(board, here, &path))
}

/// `lorien`, `lorien via fords-of-bruinen, …`, read after the word `declare`: where the Fellowship is declared, and the
/// question of a card on the table about the path.
pub fn declare(board: &Board, menu: &mut Menu<'_>) -> Ask<(Region, Option<Next>)> {
    let here = board.company().region().expect("nothing is declared on the Mordor Track");
    let path = menu.phrase(&Emerging { board, here, purpose: Purpose::Declared })?;
    let end = path.last().copied().unwrap_or(here);
    Ok((end, reactions::on_the_way(board, std::iter::once(here).chain(path))))
}

/// The steps if the figure stays: a Shadow Stronghold there costs a tile.
pub fn stay(board: &Board) -> Vec<Next> {
    let here = board.company().region().expect("no way is taken on the Mordor Track");
    steps(board, here, &[])
}

/// 13.14, 13.16: the figure moves along the path, Progress becomes 0, then one tile is drawn for every Shadow
/// Stronghold on the path, in its order and once for each Stronghold.
fn steps(board: &Board, here: Region, path: &[Region]) -> Vec<Next> {
    let mut dark = dark_strongholds(board);
    let mut steps: Vec<Next> = path.iter().map(|region| Next::Fellowship(fellowship::Step::GoOn(*region))).collect();
    steps.push(Next::Fellowship(fellowship::Step::Emerged));
    // 14.24: tiles drawn because of cards come before those for Strongholds.
    steps.extend(reactions::on_the_way(board, std::iter::once(here).chain(path.iter().copied())));
    for region in std::iter::once(here).chain(path.iter().copied()) {
        if dark.contains(region) {
            dark.remove(region);
            steps.push(Next::Hunt(hunt::Step::Draw(Cause::Stronghold(region))));
        }
    }
    steps
}

/// Why the figure moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Declared,
    Revealed,
}

/// The path of the figure.
struct Emerging<'a> {
    board: &'a Board,
    here: Region,
    purpose: Purpose,
}

impl Emerging<'_> {
    fn may_end(&self, to: Region) -> Allowed {
        let progress = self.board.company().progress();
        if to == self.here && self.purpose == Purpose::Revealed {
            return barred("13.14", format!("the figure is in {}: say `stay`, or where it goes", to.title()));
        }
        let steps = self.here.distance(to);
        allowed_if(steps <= progress, self.rule(), || {
            let steps = plural::counted(steps, "step");
            format!("{} is {steps} from {}, and Progress is {progress}", to.title(), self.here.title())
        })?;
        match self.purpose {
            Purpose::Declared => Ok(()),
            Purpose::Revealed => may_end(self.board, to),
        }
    }

    fn rule(&self) -> &'static str {
        match self.purpose {
            Purpose::Declared => "13.9",
            Purpose::Revealed => "13.14",
        }
    }

    /// The regions that cost a tile on a path.
    fn dangers(&self) -> [Regions; 2] {
        let dark = match self.purpose {
            Purpose::Declared => Regions::NONE,
            Purpose::Revealed => dark_strongholds(self.board),
        };
        let watched = if reactions::watches_moria(self.board) { Regions::one(MORIA) } else { Regions::NONE };
        [dark, watched]
    }

    /// The path that the player means if he names only its end.
    fn way(&self, to: Region) -> Vec<Region> {
        if to == self.here {
            return Vec::new();
        }
        // The path of a declared Fellowship matters only to Balrog of Moria.
        if self.purpose == Purpose::Declared && !reactions::watches_moria(self.board) {
            return vec![to];
        }
        safest_path(&self.dangers(), self.here, to, self.board.company().progress())
    }

    fn ends(&self) -> Regions {
        Region::all().iter().copied().filter(|to| self.may_end(*to).is_ok()).collect()
    }

    fn read_via(&self, menu: &mut Menu<'_>, to: Region) -> Ask<Vec<Region>> {
        let progress = usize::from(self.board.company().progress());
        let mut path: Vec<Region> = Vec::new();
        loop {
            let last = path.last().copied().unwrap_or(self.here);
            let next = menu.choose("region", Region::all(), |next| {
                allowed_if(last.adjacent(next), "13.2", || format!("{} is not next to {}", next.title(), last.title()))
            })?;
            path.push(next);
            if !(menu.maybe(",")? | menu.maybe("and")?) {
                break;
            }
        }
        let last = path.last().copied().expect("a region was named");
        menu.check(allowed_if(last.adjacent(to), "13.2", || {
            format!("{} is not next to {}: name every region of the way", to.title(), last.title())
        }))?;
        path.push(to);
        menu.check(allowed_if(path.len() <= progress, self.rule(), || {
            format!("the way has {} steps, and Progress is {progress}", path.len())
        }))?;
        Ok(path)
    }
}

impl Phrase for Emerging<'_> {
    type Said = Vec<Region>;

    fn read(&self, menu: &mut Menu<'_>) -> Ask<Vec<Region>> {
        let to = menu.choose("region", Region::all(), |to| self.may_end(to))?;
        if menu.maybe("via|by way of|through")? { self.read_via(menu, to) } else { Ok(self.way(to)) }
    }

    fn roll(&self, chance: &mut dyn Chance) -> Ask<Vec<Region>> {
        let ends = self.ends();
        match ends.len() {
            0 => Err(Stop::DeadEnd),
            count => Ok(self.way(ends.nth(chance.below(count)).expect("one of so many"))),
        }
    }

    /// Lists every end of a path, reached by the safest way.
    fn grow(&self) -> Ask<(Vec<String>, Vec<Region>)> {
        Ok((self.ends().iter().map(|end| end.id().to_string()).collect(), self.list()?.2))
    }

    fn list(&self) -> Ask<Sample<Vec<Region>>> {
        let ends = self.ends();
        let first = ends.iter().next().ok_or(Stop::DeadEnd)?;
        let names = ends.iter().map(|end| end.id().to_string()).collect();
        let (noun, words) = match self.purpose {
            Purpose::Revealed => ("end", "<end> [via <region>, …]"),
            Purpose::Declared if reactions::watches_moria(self.board) => ("region", "<region> [via <region>, …]"),
            Purpose::Declared => ("region", "<region>"),
        };
        Ok((words.to_string(), vec![(noun.to_string(), names)], self.way(first)))
    }

    /// The path of a revealed Fellowship is always printed in full, that of a declared one only if it differs from
    /// the path that its end alone means.
    fn say(&self, path: &Vec<Region>) -> String {
        let Some((to, via)) = path.split_last() else { return self.here.id().to_string() };
        let via = if self.purpose == Purpose::Declared && *path == self.way(*to) { &[] } else { via };
        let via: Vec<&str> = via.iter().map(|region| region.id()).collect();
        if via.is_empty() { to.id().to_string() } else { format!("{} via {}", to.id(), via.join(", ")) }
    }
}

/// The cost if no path is known.
const FAR: u8 = u8::MAX;

/// The regions of a path after `from`: of all paths of at most `progress` steps the one with the fewest dangers, of
/// these the shortest, of these the first in the order of the map. `to` must be within reach.
fn safest_path(dangers: &[Regions; 2], from: Region, to: Region, progress: u8) -> Vec<Region> {
    let cost = |region: Region| dangers.iter().map(|danger| u8::from(danger.contains(region))).sum::<u8>();
    // costs[n][region]: the dangers on the best path of exactly n steps from the region to the end.
    let mut costs = [[FAR; REGIONS]; TRACK_END as usize + 1];
    costs[0][to.index()] = cost(to);
    let most = usize::from(progress);
    for steps in 1..=most {
        for region in Region::all() {
            let best = region.neighbours().iter().map(|next| costs[steps - 1][next.index()]).min().unwrap_or(FAR);
            costs[steps][region.index()] = best.saturating_add(cost(*region));
        }
    }
    let length = (1..=most).min_by_key(|steps| costs[*steps][from.index()]).expect("the end is within reach");
    let mut path = vec![];
    let mut here = from;
    for steps in (0..length).rev() {
        let next = here.neighbours().iter().min_by_key(|next| costs[steps][next.index()]);
        here = next.expect("every region has neighbours");
        path.push(here);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::player::Seating;
    use crate::switches::Switches;
    use engine::need::{Answer, Need};

    fn board(lines: &[(&str, &str)]) -> Board {
        Board::of_facts(Switches::default(), Seating::Two, lines).unwrap().0
    }

    #[track_caller]
    fn case(progress: &str, from: &str, to: &str, expected: &[&str]) {
        let board = board(&[("ring-bearers", from), ("progress", progress)]);
        let at = |id| Region::of_id(id).unwrap();
        let emerging = Emerging { board: &board, here: at(from), purpose: Purpose::Revealed };
        let path: Vec<&str> = emerging.way(at(to)).iter().map(|region| region.id()).collect();
        assert_eq!(path, expected);
    }

    #[test]
    fn a_way_avoids_strongholds_if_it_can() {
        case("1", "hollin", "moria", &["moria"]);
        case("2", "hollin", "dimrill-dale", &["moria", "dimrill-dale"]);
        case("5", "rivendell", "hollin", &["fords-of-bruinen", "hollin"]);
    }

    #[test]
    fn the_strongholds_on_the_way_are_those_that_cannot_be_avoided() {
        let counted = |from: &str, progress: &str| {
            strongholds_on_the_way(&board(&[("ring-bearers", from), ("progress", progress)]))
        };
        assert_eq!(counted("hollin", "2"), Some(0));
        // 13.16: the start of the way counts, and so does a Stronghold in which the figure stays.
        assert_eq!(counted("moria", "2"), Some(1));
        assert_eq!(counted("moria", "0"), Some(1));
        assert_eq!(strongholds_on_the_way(&board(&[("mordor", "2")])), None);
    }

    /// The Fellowship is revealed by a card: nothing else reveals it with Progress 0.
    fn revealed(lines: &[(&str, &str)]) -> Table {
        Table::begin(board(lines), vec![Next::Fellowship(fellowship::Step::Reveal)])
    }

    #[test]
    fn s215_with_progress_0_the_figure_stays() {
        let hollin = revealed(&[("ring-bearers", "hollin")]);
        assert_eq!(hollin.need(), Need::Over);
        assert!(!hollin.board().company().is_hidden());
        // 13.15: even in a City or Stronghold of the Free Peoples.
        let lorien = revealed(&[("ring-bearers", "lorien")]);
        assert_eq!((lorien.need(), lorien.board().company().region()), (Need::Over, Region::of_id("lorien")));
    }

    #[test]
    fn s215_in_moria_it_costs_a_tile() {
        let mut moria = revealed(&[("ring-bearers", "moria")]);
        moria.answer(Answer::Dice(vec![16]));
        // 14.13: an Eye without a Hunt roll counts 0; 14.25: its icon does nothing.
        assert_eq!((moria.need(), moria.board().company().corruption()), (Need::Over, 0));
        assert_eq!(moria.board().pool().drawn().len(), 1);
    }

    #[test]
    fn revealing_a_revealed_fellowship_does_nothing() {
        let moria = revealed(&[("ring-bearers", "moria"), ("progress", "3 revealed")]);
        assert_eq!((moria.need(), moria.told().len()), (Need::Over, 0));
    }

    #[test]
    fn on_the_mordor_track_only_the_counter_turns() {
        let mordor = revealed(&[("mordor", "2")]);
        assert_eq!((mordor.need(), mordor.told().len()), (Need::Over, 1));
    }

    /// 13.14: from every region and with every Progress, the path is asked for exactly if a search step by step finds
    /// a region where the figure may end, and exactly these regions are offered.
    #[test]
    fn where_the_figure_may_go_is_what_a_search_finds() {
        let mut asked = 0;
        for here in Region::all() {
            let mut reached = vec![*here];
            for progress in 1..=TRACK_END {
                let next: Vec<Region> = reached.iter().flat_map(|region| region.neighbours().iter()).collect();
                next.into_iter().for_each(|region| {
                    if !reached.contains(&region) {
                        reached.push(region)
                    }
                });
                let progress = progress.to_string();
                let table = revealed(&[("ring-bearers", here.id()), ("progress", &progress)]);
                let ends = |to: &&Region| *to != here && may_end(table.board(), **to).is_ok();
                let found: Regions = reached.iter().filter(ends).copied().collect();
                let is_asked = matches!(table.need(), Need::Question(question) if question.id == "reveal");
                assert_eq!(is_asked, !found.is_empty(), "{} with Progress {progress}", here.id());
                if is_asked {
                    asked += 1;
                    let (board, purpose) = (table.board(), Purpose::Revealed);
                    let offered = Emerging { board, here: *here, purpose }.ends();
                    assert_eq!(offered, found, "{} with Progress {progress}", here.id());
                }
            }
        }
        assert!(asked > 1_200);
    }
}
