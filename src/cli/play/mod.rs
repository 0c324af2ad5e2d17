/*! `play`: a game at the terminal against the program, with the sentences of the letters.

A typed sentence is tried at once, and sent as soon as dice, a card or another seat come next; until then it can be
taken back. In reading order: this file makes the game and leads it; [`draft`] holds the unsent sentences; [`prompt`]
reads lines; [`screen`] shows the map.
*/

mod draft;
mod prompt;
mod screen;

use self::draft::{Draft, Then};
use self::prompt::{Prompt, Typed};
use crate::cli::card::{self, Card};
use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, seat, sentence, tell_set_aside};
use crate::cli::new::programs_chair;
use crate::cli::now::now;
use crate::cli::paper;
use crate::cli::rule::{self, Rule};
use crate::cli::say::{is_order, told};
use crate::titles;
use clap::{Args, ValueEnum};
use engine::game::Game;
use engine::need::Need;
use engine::seat::Seat;
use engine::title::Title;
use ground::files::LOG;
use post::desk::Desk;
use record::charter::{Charter, CharterOption, CharterSeat};
use record::entry::Body;
use record::entry::body::{Auth, Played, Via};
use record::file::secrets::Secrets;
use record::fold::Phase;
use record::table::Table;
use record::table::table_error::TableError;
use report::occasion::{EntryNews, known_to};
use report::picture::png::png;
use report::{from_log, from_table, gazette, map, terminal};
use std::io;
use std::ops::ControlFlow;

/// Play a game at the terminal against the program.
///
/// The same sentences are typed as in letters. What you type is done when dice, a card or another seat come next;
/// until then `undo` takes it back. The game is kept as any other: leave it with `quit`, and the same command goes on.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail play --title wotr --as free
  ringmail play --title wotr --as shadow --level strong
  ringmail play --title wotr --players 4 --as rohan
  ringmail play --title risk --players 3 --as yellow
  ringmail play wotr-1
  ringmail play --title risk --as red < sentences.txt")]
pub struct Play {
    /// The game to go on with, or the name of a new one; without it, the newest of its title that is not over.
    name: Option<String>,
    /// The kind of game.
    #[arg(long, default_value = "wotr")]
    title: String,
    /// The seat that you play; without it, the first. The program plays all others.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// How well the program plays in a new game.
    #[arg(long, value_enum, default_value_t = Strength::Fair)]
    level: Strength,
    /// How many seats a new game has; without it, the fewest with which it has the seat that you play.
    #[arg(long)]
    players: Option<usize>,
    /// A switch of the rules of a new game that differs from its default.
    #[arg(long = "option", value_name = "SWITCH=VALUE")]
    options: Vec<String>,
    /// Begin a new game, even if one is not over.
    #[arg(long, conflicts_with = "name")]
    new: bool,
}

/// How well the program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Strength {
    /// For beginners.
    Easy,
    /// It considers what a player would, and answers at once.
    Fair,
    /// It thinks up to a second about an answer.
    Strong,
}

impl Strength {
    fn played(self) -> Played {
        match self {
            Strength::Easy => Played::Easy,
            Strength::Fair => Played::Program,
            Strength::Strong => Played::Strong,
        }
    }
}

/// The least and greatest number of seats in a game.
const SEATS_LEAST: usize = 2;
const SEATS_MOST: usize = 4;

/// What may be typed in addition to the sentences of the game.
const REQUESTS: [&str; 15] = [
    "help", "menu", "table", "map", "undo", "send", "unsent", "orders", "cancel", "card", "rule", "why", "log",
    "concede", "quit",
];

const HELP: &str = "\
Type what you would write in a letter: one sentence a line. The Tab key
completes a word, the arrow keys bring lines back.

  menu           what you may say now
  table          the whole table, with your hand
  map            the map; `map gondor` a part of it
  undo           takes the last line back, if it is not sent
  unsent         the lines that can be taken back
  send           sends them now
  when asked …   leaves a standing order; `orders` lists them,
                 `cancel 2` cancels one
  card NAME      what a card does
  rule NUMBER    a rule, or every rule with some words
  why            what the program thought to gain by its last answers
  log            where the log is, and how to check it
  concede now    gives the game up; its log is closed, and shows what
                 was hidden
  quit           leaves the game; what was sent is kept
";

/// The reason in the log when a game is closed before its end.
const GIVEN_UP: &str = "the only player has given the game up";

/// The file beside the log that remembers the typed lines.
const TYPED: &str = "typed";

/// A game that is being played.
struct Session<'a> {
    games: &'a Games,
    name: String,
    desk: Desk,
    seat: Seat,
    draft: Draft,
    prompt: Prompt,
    /// The newest record that the player has seen, and the turn in which he last saw the table.
    shown: u64,
    turn: String,
}

pub fn run(play: &Play, games: &Games) -> Done {
    let games = &games.in_folder();
    let name = match (&play.name, play.new) {
        (Some(name), _) => name.clone(),
        (None, true) => free_name(play, games),
        (None, false) => unfinished(play, games).unwrap_or_else(|| free_name(play, games)),
    };
    let is_new = !games.folder(&name).join(LOG).exists();
    if is_new {
        begin(play, &name, games)?;
    }
    let desk = games.desk(&name)?;
    let seat = seat_of(play, &desk.table)?;
    let prompt = Prompt::new(&games.folder(&name).join(TYPED), &REQUESTS).map_err(unreadable)?;
    let shown = if is_new { 0 } else { desk.table.fold().head().seq };
    let turn = String::new();
    let mut session = Session { games, name, desk, seat, draft: Draft::default(), prompt, shown, turn };
    session.greet()?;
    session.lead()
}

/// The newest unfinished game of the title that a person plays here.
fn unfinished(play: &Play, games: &Games) -> Option<String> {
    let is_open = |name: &String| {
        let fold = games.read(name, |_| ControlFlow::Continue(())).ok()?;
        let is_here =
            fold.plan().min_auth == Auth::Keyboard && fold.plan().seats.iter().any(|seat| seat.program.is_some());
        let is_open = is_here && fold.plan().title.id == play.title && fold.phase() == Phase::Playing;
        let is_mine = play.seat.as_deref().is_none_or(|word| {
            fold.plan().seat(word).is_some_and(|seat| fold.plan().seats[seat.index()].program.is_none())
        });
        (is_open && is_mine).then_some(())
    };
    (1..=NAMES_MAX)
        .map(|number| numbered(play, number))
        .take_while(|name| games.folder(name).exists())
        .filter(|name| is_open(name).is_some())
        .last()
}

/// The most games that are searched for an unfinished one.
const NAMES_MAX: u32 = 1_000;

fn numbered(play: &Play, number: u32) -> String {
    format!("{}-{number}", play.title)
}

fn free_name(play: &Play, games: &Games) -> String {
    let mut names = (1..).map(|number| numbered(play, number));
    names.find(|name| !games.folder(name).exists()).expect("numbers do not end")
}

/// Makes a game with the program on all seats but one, and starts it.
fn begin(play: &Play, name: &str, games: &Games) -> Done {
    let title = titles::ALL.by_id(&play.title).ok_or_else(|| {
        let known: Vec<&str> = titles::ALL.all().iter().map(|title| title.id).collect();
        Failure::usage(format!("There is no title `{}`; there are: {}.", play.title, known.join(", ")))
    })?;
    let players = play.players.unwrap_or_else(|| fewest(title, play.seat.as_deref()));
    let words = title.seats(players).map_err(|error| Failure::usage(sentence(&error.to_string())))?;
    let mine = play.seat.as_deref().unwrap_or(words[0]);
    if !words.contains(&mine) {
        return Err(Failure::usage(format!("There is no seat `{mine}`; there are: {}.", words.join(", "))));
    }
    let chair = |word: &&str| {
        if *word == mine {
            CharterSeat {
                seat: Some(mine.to_string()),
                player: "You".to_string(),
                host: true,
                ..CharterSeat::default()
            }
        } else {
            programs_chair(Some((*word).to_string()), play.level.played())
        }
    };
    let charter = Charter {
        name: name.to_string(),
        title: play.title.clone(),
        options: play
            .options
            .iter()
            .map(|option| CharterOption::read(option))
            .collect::<Result<_, _>>()
            .map_err(Failure::usage)?,
        seats: words.iter().map(chair).collect(),
        min_auth: Some(Auth::Keyboard),
        ..Charter::default()
    };
    let secrets =
        Secrets::random().map_err(|error| Failure::failed(format!("The system gives no random bytes: {error}.")))?;
    let mut table = Table::create(&games.folder(name), &charter, secrets, now(), titles::ALL)?;
    table.join_hosted(now())?;
    table.start(now())?;
    Ok(())
}

/// The least number of players with which a title has this seat; two, if it never has it.
fn fewest(title: &Title, seat: Option<&str>) -> usize {
    let has = |players: &usize| title.seats(*players).is_ok_and(|words| seat.is_none_or(|seat| words.contains(&seat)));
    (SEATS_LEAST..=SEATS_MOST).find(has).unwrap_or(SEATS_LEAST)
}

/// The seat that the player has in this game.
fn seat_of(play: &Play, table: &Table) -> Result<Seat, Failure> {
    let plan = table.fold().plan();
    if let Some(word) = &play.seat {
        let seat = seat(plan, word)?;
        return match (plan.seats[seat.index()].program.is_some(), table.fold().may_type(seat)) {
            (true, _) => Err(Failure::new(Exit::Refused, format!("In {} the program plays {word}.", plan.name))),
            (false, false) => Err(Failure::new(Exit::Refused, format!("In {} {word} is played by letter.", plan.name))),
            (false, true) => Ok(seat),
        };
    }
    let mut seats = (0..plan.seats.len()).map(Seat::at);
    seats
        .find(|seat| plan.seats[seat.index()].program.is_none() && table.fold().may_type(*seat))
        .ok_or_else(|| Failure::new(Exit::Refused, format!("No seat of {} is played at the terminal.", plan.name)))
}

fn unreadable(error: io::Error) -> Failure {
    Failure::failed(format!("What is typed cannot be read: {error}."))
}

impl Session<'_> {
    fn greet(&self) -> Done {
        let plan = self.desk.table.fold().plan();
        let others = plan.seats.iter().filter(|seat| seat.program.is_some()).map(|seat| seat.word.as_str());
        paper::line(&paper::styled(paper::HEADING, plan.title.name))?;
        paper::line(&format!(
            "You play {}; the program plays {}. The game is called {}, and kept in {}.",
            plan.word(self.seat),
            others.collect::<Vec<&str>>().join(", "),
            self.name,
            self.games.folder(&self.name).display()
        ))?;
        paper::line("`help` tells what can be typed, `quit` leaves.\n")
    }

    /// Plays until the game is over or the player leaves.
    fn lead(&mut self) -> Done {
        loop {
            let before = self.desk.table.fold().head().seq;
            // This answers for the program's seats, and closes a game that is over.
            self.desk.report(now())?;
            tell_set_aside(self.desk.table.set_aside());
            self.show()?;
            if self.is_alone() {
                self.desk.table.reveal(now())?;
                self.desk.table.end(GIVEN_UP, now())?;
                return self.over();
            }
            let fold = self.desk.table.fold();
            match fold.need() {
                Need::Question(question) if question.seat == self.seat && fold.phase() == Phase::Playing => {}
                _ if fold.outcome().is_some() || fold.phase() == Phase::Ended => return self.over(),
                // The program answers some hundred questions in one `report`, and none while the game is paused or
                // waits for a round of the beacon.
                Need::Question(_) if fold.head().seq > before => continue,
                _ => return paper::line(&format!("The game waits for {}.", fold.waits_for())),
            }
            if self.asks()?.is_break() {
                return self.leave();
            }
        }
    }

    /// Whether the player has given up and only programs are left: they do not continue alone.
    fn is_alone(&self) -> bool {
        let fold = self.desk.table.fold();
        fold.phase() == Phase::Playing
            && fold.council().has_conceded(self.seat)
            && (0..fold.plan().seats.len()).map(Seat::at).all(|seat| fold.is_played_by_program(seat))
    }

    /// Reads lines until sentences are sent.
    fn asks(&mut self) -> Result<ControlFlow<()>, Failure> {
        loop {
            let fold = self.desk.table.fold();
            let game = self.draft.game(fold);
            let faces = known_to(Some(self.seat), game, fold.faces());
            self.prompt.asks(game.copy(), self.seat, faces);
            let Need::Question(question) = game.need() else { return Ok(ControlFlow::Continue(())) };
            let unsent = match self.draft.lines().len() {
                0 => String::new(),
                count => format!(", {count} unsent"),
            };
            let line = match self.prompt.line(&format!("{} ({}{unsent})> ", fold.plan().word(self.seat), question.id)) {
                Ok(Typed::Line(line)) => line,
                Ok(Typed::Nothing) => continue,
                Ok(Typed::End) => return Ok(ControlFlow::Break(())),
                Err(error) => return Err(unreadable(error)),
            };
            let line = line.split(" #").next().unwrap_or_default().trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
            match word.to_lowercase().as_str() {
                "quit" | "exit" => return Ok(ControlFlow::Break(())),
                "concede" if rest == "now" => {
                    self.draft.take();
                    self.desk.table.concede(self.seat, None, Some(Via::keyboard()), now())?;
                    return Ok(ControlFlow::Continue(()));
                }
                "send" if !self.draft.lines().is_empty() => {
                    self.send();
                    return Ok(ControlFlow::Continue(()));
                }
                request if REQUESTS.contains(&request) => self.requested(request, rest)?,
                _ if is_order(line) => self.order(line)?,
                _ => {
                    if self.said(line)? == Then::Sends {
                        self.send();
                        return Ok(ControlFlow::Continue(()));
                    }
                }
            }
        }
    }

    /// Tries a sentence. If it is refused, prints the refusal; the player is asked again.
    fn said(&mut self, line: &str) -> Result<Then, Failure> {
        let fold = self.desk.table.fold();
        match self.draft.add(fold, self.seat, line) {
            Ok(Then::AsksAgain) => {
                self.look_at_draft(terminal::menu)?;
                Ok(Then::AsksAgain)
            }
            Ok(Then::Sends) => Ok(Then::Sends),
            Err(refusal) => {
                let title = fold.plan().title;
                paper::tell(&told(TableError::Refused(refusal), line, title).message);
                Ok(Then::AsksAgain)
            }
        }
    }

    /// Says the typed sentences to the table. A refused sentence stops the rest.
    fn send(&mut self) {
        for line in self.draft.take() {
            if let Err(error) = self.desk.table.say(self.seat, &line, Some(Via::keyboard()), now()) {
                let title = self.desk.table.fold().plan().title;
                return paper::tell(&told(error, &line, title).message);
            }
        }
    }

    /// Leaves a standing order; it applies from now on.
    fn order(&mut self, line: &str) -> Done {
        if !self.draft.lines().is_empty() {
            return paper::line("Lines are unsent; `send` or `undo` them first.");
        }
        let table = &mut self.desk.table;
        let left = table.leave_order(self.seat, line, Some(Via::keyboard()), now());
        match left {
            Ok(_) => self.orders(),
            Err(error) => {
                paper::tell(&told(error, line, table.fold().plan().title).message);
                Ok(())
            }
        }
    }

    fn orders(&self) -> Done {
        let orders = self.desk.table.orders(self.seat);
        if orders.is_empty() {
            return paper::line("You have left no standing orders.");
        }
        orders.iter().try_for_each(|(number, order)| paper::line(&format!("{number:>4}  {order}")))
    }

    fn requested(&mut self, request: &str, rest: &str) -> Done {
        let title = self.desk.table.fold().plan().title.id;
        let told = match request {
            "help" => paper::print(HELP),
            "menu" => self.look_at_draft(terminal::menu),
            "table" => self.look_at_draft(terminal::show),
            "map" => self.map(rest),
            "undo" => self.undo(),
            "unsent" if self.draft.lines().is_empty() => paper::line("Nothing is unsent."),
            "unsent" => self.draft.lines().iter().try_for_each(|line| paper::line(&format!("  {line}"))),
            "send" => paper::line("Nothing is unsent."),
            "orders" => self.orders(),
            "concede" => paper::line("To give the game up, type `concede now`."),
            "cancel" if !self.draft.lines().is_empty() => paper::line("Lines are unsent; `send` or `undo` them first."),
            "cancel" => self.cancel(rest),
            "card" => card::run(&Card::called(rest, title)),
            "rule" => rule::run(&Rule::of(rest, title)),
            "why" => self.why(),
            _ => {
                let (name, file) = (&self.name, self.games.folder(&self.name).join(LOG));
                paper::line(&format!("The log is {}; `ringmail verify {name}` checks it.", file.display()))
            }
        };
        match told {
            Err(failure) if failure.exit == Exit::Usage => {
                paper::tell(&failure.message);
                Ok(())
            }
            told => told,
        }
    }

    /// Prints for each answer of the program since the player's last answer what it hoped to gain.
    fn why(&self) -> Done {
        let mut mine = 0;
        self.games.read(&self.name, |followed| {
            if matches!(followed.entry.body, Body::Say(_))
                && followed.entry.via.as_ref().is_none_or(|via| via.by.is_none())
            {
                mine = followed.entry.seq;
            }
            ControlFlow::Continue(())
        })?;
        let mut before: Option<Box<dyn Game>> = None;
        let mut told = Vec::new();
        self.games.read(&self.name, |followed| {
            if let (true, Some(before), Body::Say(say)) = (followed.entry.seq > mine, &before, &followed.entry.body) {
                let thought = from_log::thought(followed, before.as_ref());
                told.extend(thought.map(|thought| format!("{}: {}\n    {thought}", followed.entry.seat, say.said)));
            }
            if followed.entry.seq >= mine {
                before = Some(followed.fold.game().copy());
            }
            ControlFlow::Continue(())
        })?;
        if told.is_empty() {
            return paper::line("The program has given no answer since your last.");
        }
        told.iter().try_for_each(|line| paper::line(line))
    }

    fn undo(&mut self) -> Done {
        match self.draft.take_back(self.desk.table.fold(), self.seat) {
            Some(line) => {
                paper::line(&format!("Taken back: {line}"))?;
                self.look_at_draft(terminal::menu)
            }
            None => paper::line("Nothing is unsent: what has met dice, a card or another seat is played."),
        }
    }

    fn cancel(&mut self, number: &str) -> Done {
        let Ok(number) = number.parse() else { return Err(Failure::usage("Say which: `cancel 2`.")) };
        match self.desk.table.cancel_order(self.seat, number, Some(Via::keyboard()), now()) {
            Ok(_) => self.orders(),
            Err(error) => Err(Failure::usage(Failure::from(error).message)),
        }
    }

    /// Shows the table as it is after the unsent lines.
    fn look_at_draft(&self, page: impl Fn(&report::occasion::Occasion, usize) -> String) -> Done {
        let fold = self.desk.table.fold();
        let occasion = from_log::look_at(fold, self.draft.game(fold), Some(self.seat));
        paper::print(&page(&occasion, paper::columns()))
    }

    fn map(&self, part: &str) -> Done {
        let fold = self.desk.table.fold();
        let title = fold.plan().title;
        let atlas = map::atlas(title).ok_or_else(|| Failure::usage(format!("{} has no map.", title.name)))?;
        let view = from_log::look_at(fold, self.draft.game(fold), Some(self.seat)).view;
        let around = match part {
            "" => Vec::new(),
            part => map::part(atlas, &view, part)
                .map_err(|_| Failure::usage(format!("`{part}` is no single part of this map.")))?,
        };
        let picture = map::picture(atlas, &view, None, &around, None);
        screen::show(&png(&picture), &self.games.folder(&self.name).join("map.png"))
    }

    /// Shows what has happened since the player last saw the table, and the table now.
    fn show(&mut self) -> Done {
        let (seat, shown) = (self.seat, self.shown);
        let mut news: Vec<EntryNews> = Vec::new();
        self.games.read(&self.name, |followed| {
            if followed.entry.seq > shown {
                news.push(gazette::told(followed, Some(seat)));
            }
            ControlFlow::Continue(())
        })?;
        news.retain(|news| !news.told.is_empty());
        let table = &self.desk.table;
        let mut occasion = from_table::occasion(table, Some(seat), news);
        if occasion.turn == self.turn {
            let before = table.fold().game_after(shown);
            let before = before.map(|game| from_log::view_of(table.fold(), &*game, Some(seat)));
            let atlas = map::atlas(occasion.title);
            occasion.brief = atlas.map(|atlas| map::around_question(atlas, &occasion.view, before.as_ref()));
        }
        self.shown = table.fold().head().seq;
        self.turn.clone_from(&occasion.turn);
        paper::print(&terminal::turn(&occasion, paper::columns()))?;
        paper::line("")
    }

    fn over(&self) -> Done {
        paper::line(&format!(
            "The game is over. `ringmail verify {0}` checks its log, `ringmail page {0}` makes a page of it.",
            self.name
        ))
    }

    fn leave(&self) -> Done {
        let unsent = self.draft.lines();
        if !unsent.is_empty() {
            paper::line(&format!("Not sent, and dropped: {}", unsent.join("; ")))?;
        }
        paper::line(&format!("\nThe game is kept; `ringmail play {}` goes on.", self.name))
    }
}
