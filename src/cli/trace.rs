/*! The log of `serve`: each event of `tracing` as a line of text or as JSON.

A line of text has a time, a level, the game (`-` if the event concerns none) and the words, which name the letter. A
JSON object has the same under `at`, `level`, `game`, `letter` and `told`, and further facts beside them. The
dialogues with servers are events of the level `trace`, without secrets ([`net::transcript`]); they go to standard
error, everything else to standard output.
*/

use crate::cli::now::now;
use clap::ValueEnum;
use serde_json::{Map, Value, json};
use std::fmt;
use std::io::{self, Write};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, MakeWriter};
use tracing_subscriber::registry::LookupSpan;

/// What the log is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Lines for people.
    #[default]
    Text,
    /// An object a line.
    Json,
}

/// An event for the log.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    pub level: Level,
    pub game: Option<&'a str>,
    pub letter: Option<&'a str>,
    /// The words for people; they may be styled.
    pub words: String,
    /// Further facts for programs.
    pub facts: Value,
}

/// Starts the log, with events down to this level.
pub fn begin(form: Form, level: Level) {
    let lines = tracing_subscriber::fmt().with_max_level(level).event_format(Lines { form });
    // In a test several verbs may run in one process: the first one sets the log.
    let _ = lines.with_writer(Paper).try_init();
}

impl Line<'_> {
    /// Writes the event to the log.
    pub fn tell(&self) {
        let Line { game, letter, words, .. } = self;
        let facts = self.facts.to_string();
        match self.level {
            Level::ERROR => tracing::error!(game, letter, facts, "{words}"),
            Level::WARN => tracing::warn!(game, letter, facts, "{words}"),
            Level::INFO => tracing::info!(game, letter, facts, "{words}"),
            Level::DEBUG => tracing::debug!(game, letter, facts, "{words}"),
            Level::TRACE => tracing::trace!(game, letter, facts, "{words}"),
        }
    }
}

/// Standard output for events, standard error for dialogues with servers.
struct Paper;

impl<'a> MakeWriter<'a> for Paper {
    type Writer = Box<dyn Write>;

    fn make_writer(&'a self) -> Box<dyn Write> {
        Box::new(anstream::stdout())
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Box<dyn Write> {
        match *about.level() {
            Level::TRACE => Box::new(anstream::stderr()),
            _ => Box::new(Flushed),
        }
    }
}

/// Standard output, flushed after every line: people read a log while it is written.
struct Flushed;

impl Write for Flushed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

struct Lines {
    form: Form,
}

impl<S, N> FormatEvent<S, N> for Lines
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let (at, level) = (now(), event.metadata().level());
        match self.form {
            Form::Text => {
                let game = fields.game.as_deref().unwrap_or("-");
                // A line of a letter and the advice on an error are printed on lines of their own.
                fields.message.lines().try_for_each(|line| writeln!(writer, "{at} {level:<5} {game} {line}"))
            }
            Form::Json => {
                let mut object = Map::new();
                object.insert("at".to_owned(), json!(at));
                object.insert("level".to_owned(), json!(level.to_string().to_lowercase()));
                object.insert("game".to_owned(), json!(fields.game));
                object.insert("letter".to_owned(), json!(fields.letter));
                object.insert("told".to_owned(), json!(anstream::adapter::strip_str(&fields.message).to_string()));
                let facts = fields.facts.as_deref().and_then(|facts| serde_json::from_str::<Value>(facts).ok());
                if let Some(Value::Object(facts)) = facts {
                    object.extend(facts);
                }
                writeln!(writer, "{}", Value::Object(object))
            }
        }
    }
}

/// The fields of an event.
#[derive(Default)]
struct Fields {
    message: String,
    game: Option<String>,
    letter: Option<String>,
    facts: Option<String>,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "game" => self.game = Some(value.to_owned()),
            "letter" => self.letter = Some(value.to_owned()),
            "facts" => self.facts = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Only the message is recorded this way; the other fields are strings.
        if field.name() == "message" {
            self.message = format!("{value:?}");
        }
    }
}
