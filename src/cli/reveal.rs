//! `reveal`: publishes the secrets of a game that is over, and closes its log.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, write_letters};
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use record::fold::Phase;

/// Publish the secrets of a game that is over, and close its log.
///
/// From then on everybody can check that each deck was the printed deck and that no claim about a hidden card was
/// false. With the letters that tell of its end a game is closed by itself, unless an undo is being voted on; this
/// closes it all the same. A game that is not over is only closed with `--abandon` and a reason.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  ringmail reveal shire\n  ringmail reveal shire --abandon \"Bert has moved away\"")]
pub struct Reveal {
    /// The game.
    game: String,
    /// Close a game that was not played to its end, and say why.
    #[arg(long, value_name = "WHY")]
    abandon: Option<String>,
}

pub fn run(reveal: &Reveal, games: &Games) -> Done {
    let mut desk = games.desk(&reveal.game)?;
    let table = &mut desk.table;
    if table.fold().phase() == Phase::Ended {
        let head = table.fold().head();
        return paper::line(&format!("The log is closed already: #{} {}", head.seq, head.hash));
    }
    let over = table.fold().outcome().is_some();
    let why = match (&reveal.abandon, over) {
        (None, false) => {
            let waits = table.fold().waits_for();
            let message = format!(
                "The game is not over: it waits for {waits}. To close it all the same, say why with `--abandon`."
            );
            return Err(Failure::new(Exit::Refused, message));
        }
        (Some(_), true) => return Err(Failure::usage("The game was played to its end; leave `--abandon` out.")),
        (why, _) => why.as_deref().unwrap_or_default(),
    };
    let revealed = table.reveal(now())?;
    let ended = table.end(why, now())?;
    paper::line(&format!("#{} the secrets are published", revealed.seq))?;
    paper::line(&format!("#{} the log is closed: {}", ended.seq, ended.hash))?;
    write_letters(&mut desk)?;
    paper::line(&format!("Next: `ringmail verify {}`.", reveal.game))
}
