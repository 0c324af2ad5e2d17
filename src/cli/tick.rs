//! `tick`: what happens because time has passed.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use clap::Args;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::desk::outage::{self, Doubt, MachineClock, Outage};
use post::desk::tick::Ticked;
use post::office::notice::Notice;
use post::office::tick::{self, Looked, tick_after};
use post::office::{Office, Sitting};
use serde_json::json;

/// Let time pass: remind players who are late, do what the charters say if they do not answer, and send letters that
/// had to wait.
///
/// Run `ringmail receive` first, so that no player counts as late whose letter has arrived. `ringmail serve` does both
/// by itself; without it, run the two and `ringmail send` regularly, for example every quarter of an hour. If they have
/// not run for much longer than usual, no player is late because of that: a deadline that passed meanwhile is moved to
/// a day from now. Where the clock shows a time days after the last tick, it may be wrong: nothing is done, with exit
/// code 1, until a mail server that has just taken a letter agrees with it (`ringmail receive`), or a relay of the
/// beacon, or an hour has passed.
/// What the host must know (a player is lost, a seat is free) is written to the `host` of the configuration.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail receive ~/Maildir && ringmail tick && ringmail send --to-files letters

From cron:
  */15 * * * *  cd /home/me/ringmail && ringmail receive && ringmail tick; ringmail send")]
pub struct Tick {
    /// Print JSON, an object a game.
    #[arg(long)]
    json: bool,
}

pub fn run(wanted: &Tick, games: &Games) -> Done {
    let office = games.office()?;
    let mut sitting = office.sit();
    let mut failed = None;
    let (outage, at) = attend(&office)?;
    for (game, ticked) in tick_after(&mut sitting, &office.survey()?, outage, at) {
        match ticked {
            Ok(Looked { ticked, notices }) => {
                tell(wanted, &game, &ticked)?;
                if let Some(host) = games.config().and_then(|config| config.host.as_ref()) {
                    write_to(host, &mut sitting, &notices, at)?;
                }
            }
            // A failure in one game does not stop the clocks of the others.
            Err(error) => {
                let failure = Failure::from(error);
                paper::tell(&format!("ringmail: {game}: {}", failure.message));
                failed.get_or_insert(failure.exit);
            }
        }
    }
    failed.map_or(Ok(()), |exit| Err(Failure::silent(exit)))
}

/// Notes that the clock ticks; returns the remembered outage and the time now. A wrong clock must date nothing.
///
/// # Errors
/// The clock is doubted and the beacon does not confirm it.
pub fn attend(office: &Office) -> Result<(Option<Outage>, Stamp), Failure> {
    let (at, home) = (now(), office.home()?);
    let failed = |error| Failure::failed(format!("{}: {error}.", home.path().display()));
    let doubt = match outage::attend(&home, at).map_err(failed)? {
        MachineClock::Goes(outage) => return Ok((outage, at)),
        MachineClock::Jumped(doubt) => doubt,
    };
    match tick::settled(office.beacon(), &home, doubt, at).map_err(failed)? {
        None => Ok((Some(doubt.gap), at)),
        Some(doubt) => Err(Failure::failed(in_words(&doubt, at))),
    }
}

fn in_words(doubt: &Doubt, at: Stamp) -> String {
    let Outage { gone, .. } = doubt.gap;
    match doubt.contradicted {
        Some(_) => format!(
            "The clock last ticked at {gone}, and shows {at}: it is fast. The beacon has no round yet that would be a \
             day old by it. Set the clock right; until then nothing is done."
        ),
        None => format!(
            "The clock last ticked at {gone}, and shows {at}: is it right? It is believed as soon as `ringmail \
             receive` brings a letter that a mail server has dated like this, or at {}. Until then nothing is done.",
            doubt.believed()
        ),
    }
}

/// Puts notices for the host into the outbox, each once.
fn write_to(host: &Mailbox, sitting: &mut Sitting<'_>, notices: &[Notice], at: Stamp) -> Done {
    for notice in notices {
        sitting.at_counter(|counter| notice.post(counter, host, at))?;
    }
    Ok(())
}

fn tell(wanted: &Tick, game: &str, ticked: &Ticked) -> Done {
    if wanted.json {
        let next = ticked.next.map(|next| next.to_string());
        return paper::line(
            &json!({ "game": game, "entries": ticked.entries, "letters": ticked.letters, "next": next }).to_string(),
        );
    }
    let entries: Vec<String> = ticked.entries.iter().map(|seq| format!("#{seq}")).collect();
    if !entries.is_empty() {
        paper::line(&format!("{game}: {}", entries.join(" ")))?;
    }
    for letter in &ticked.letters {
        paper::line(&format!("{game}: letter {letter}"))?;
    }
    match ticked.next {
        Some(next) => paper::line(&paper::styled(paper::QUIET, &format!("{game}: next at {next}"))),
        None => paper::line(&paper::styled(paper::QUIET, &format!("{game}: nothing before the next letter"))),
    }
}
