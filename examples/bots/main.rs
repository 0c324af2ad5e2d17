/*! Programs against one another, for either title: how often each wins, how games end, and how long they think.

`cargo run --release --example bots -- --help` explains its use. [`policy`] has players that follow one fixed plan, to
see whether a program finds an answer to it.
*/

#![expect(clippy::disallowed_types, reason = "how long a program thinks is no fact of a game")]

mod policy;
mod tally;

use clap::Parser;
use engine::bot::Level;
use engine::chance::Practice;
use engine::need::{Need, Question};
use engine::outcome::Outcome;
use engine::practice::Table;
use engine::title::{Setup, Title};
use policy::Policy;
use ringmail::titles;
use std::time::{Duration, Instant};

/// The sentences after which a game is stopped and counts for nobody.
const SENTENCES_MAX: u32 = 20_000;

/// Let programs play against one another, and count who wins.
#[derive(Parser)]
#[command(
    name = "bots",
    after_help = "\
Levels:
  random          says anything that is allowed
  easy            looks once at a few sentences, and overlooks most of what it should consider
  fair            thinks up to about 10 ms about a sentence
  strong          thinks up to about a second
  policy:hunt     War of the Ring, Shadow: as many dice for the Hunt as allowed, else as easy
  policy:ring     War of the Ring, Free Peoples: the Fellowship moves with every die, else as easy
  policy:gondor   War of the Ring, Shadow: all Armies march on Gondor and attack it, else as easy

Every game has a number, which decides its chance: the same numbers give the same games.
In Risk the levels move on by one seat from game to game: each plays each seat equally often if the number of games is \
a multiple of the number of seats. In War of the Ring the first level is that of the Free Peoples, the second that of \
the Shadow.

Examples:
  bots --title risk --seats fair,easy --games 100
  bots --title risk --seats fair,easy,fair,easy --option variant=team --games 100
  bots --title wotr --seats fair,policy:hunt --games 50 --first 1000
  bots --title wotr --seats easy,fair --games 1 --show"
)]
struct Args {
    /// Which title: `risk` or `wotr`.
    #[arg(long, default_value = "wotr")]
    title: String,
    /// How many seats; as many as there are levels, unless said. Levels are then repeated in their order.
    #[arg(long)]
    players: Option<usize>,
    /// The level of each seat, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "fair,easy")]
    seats: Vec<String>,
    /// How many games.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The number of the first game.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many games at the same time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    threads: u64,
    /// A switch of the title, such as `variant=team`; may be said several times.
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Print every sentence as it is said.
    #[arg(long)]
    show: bool,
}

/// What answers for a seat.
#[derive(Clone, Copy)]
enum Player {
    Random,
    Program(Level),
    Policy(Policy),
}

impl Player {
    fn of(word: &str) -> Result<Player, String> {
        match word.split_once(':').unwrap_or((word, "")) {
            ("random", "") => Ok(Player::Random),
            ("easy", "") => Ok(Player::Program(Level::Easy)),
            ("fair", "") => Ok(Player::Program(Level::Fair)),
            ("strong", "") => Ok(Player::Program(Level::Strong)),
            ("policy", name) => Policy::of(name).map(Player::Policy).ok_or(format!("there is no policy `{name}`")),
            _ => Err(format!("there is no level `{word}`; there are random, easy, fair, strong and policy:NAME")),
        }
    }
}

/// A match: all its games have the same set-up.
struct Match {
    title: &'static Title,
    setup: Setup,
    /// The levels as given on the command line, one a seat.
    levels: Vec<String>,
    players: Vec<Player>,
    show: bool,
}

/// The result of a game.
struct Played {
    /// The index of the level that each seat had.
    seated: Vec<usize>,
    outcome: Option<Outcome>,
    turn: u32,
    /// For every sentence, the level and its thinking time.
    thoughts: Vec<(usize, Duration)>,
}

impl Match {
    fn of(args: &Args) -> Result<Match, String> {
        let title = titles::ALL
            .by_id(&args.title)
            .ok_or(format!("there is no title `{}`; there are risk, wotr", args.title))?;
        let count = args.players.unwrap_or(args.seats.len());
        let levels: Vec<String> = args.seats.iter().cycle().take(count).cloned().collect();
        let seats = title.seats(count).map_err(|why| why.to_string())?;
        let mut options = Vec::new();
        for option in &args.options {
            let (name, value) = option.split_once('=').ok_or(format!("`{option}` is not NAME=VALUE"))?;
            options.push((name.to_string(), value.to_string()));
        }
        let seats: Vec<String> = seats.into_iter().map(str::to_string).collect();
        let setup = Setup { edition: title.editions[0].to_string(), seats, options };
        (title.begin)(&setup).map_err(|why| why.to_string())?;
        let players = levels.iter().map(|level| Player::of(level)).collect::<Result<Vec<Player>, String>>()?;
        for player in &players {
            if matches!(player, Player::Policy(_)) && title.id != "wotr" {
                return Err("policies are for War of the Ring".to_string());
            }
        }
        Ok(Match { title, setup, levels, players, show: args.show })
    }

    /// Whether all seats are equal, so that levels can change seats.
    fn rotates(&self) -> bool {
        self.title.id == "risk"
    }

    fn play(&self, number: u64) -> Played {
        let count = self.players.len();
        let moved = if self.rotates() { usize::try_from(number % count as u64).expect("a few seats") } else { 0 };
        let seated: Vec<usize> = (0..count).map(|seat| (seat + moved) % count).collect();
        let mut chance = Practice::new(number);
        let mut table = Table::new(self.title, &self.setup, &mut chance).expect("the setup has been tried");
        let mut thoughts = Vec::new();
        let mut turn = 0;
        for _ in 0..SENTENCES_MAX {
            let Need::Question(Question { seat, id }) = table.game.need() else { break };
            let own = table.faces.of(&table.game.seen(seat));
            table.game.forget_news();
            turn = number_in(&table.game.turn()).unwrap_or(turn);
            let moment = table.game.moment();
            let begun = Instant::now();
            let level = seated[seat.index()];
            let said = match self.players[level] {
                Player::Random => table.game.say_anything(&mut chance, &own),
                Player::Program(level) => self.title.bot.say(table.game.as_mut(), level, &mut chance, &own),
                Player::Policy(policy) => policy.say(table.game.as_mut(), seat, &own, &mut chance),
            };
            thoughts.push((level, begun.elapsed()));
            if self.show {
                println!("{moment:28} {:7} {id:18} {}", self.setup.seats[seat.index()], said.sentence);
            }
            table.deal(&mut chance);
        }
        Played { seated, outcome: table.game.outcome(), turn, thoughts }
    }
}

/// The number in words such as `turn 5`.
fn number_in(words: &str) -> Option<u32> {
    words.split(' ').find_map(|word| word.parse().ok())
}

fn main() {
    let args = Args::parse();
    let game = Match::of(&args).unwrap_or_else(|why| {
        eprintln!("{why}");
        std::process::exit(2);
    });
    let numbers = args.first..args.first + args.games;
    let played: Vec<Played> = std::thread::scope(|scope| {
        let some = |thread: u64| numbers.clone().filter(move |number| number % args.threads == thread);
        let all: Vec<_> = (0..args.threads)
            .map(|thread| (thread, &game))
            .map(|(thread, game)| scope.spawn(move || some(thread).map(|number| game.play(number)).collect::<Vec<_>>()))
            .collect();
        all.into_iter().flat_map(|thread| thread.join().expect("a game")).collect()
    });
    tally::print(&game, &played);
}
