//! `time --tick`: what happens because time has passed.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use ground::stamp::Stamp;
use mail::letter::mailbox::Mailbox;
use post::desk::outage::{self, Doubt, MachineClock, Outage};
use post::desk::tick::Ticked;
use post::office::notice::Notice;
use post::office::tick::{self, Looked, tick_after};
use post::office::{Office, Sitting};
use serde_json::json;

pub fn run(json: bool, games: &Games) -> Done {
    let office = games.office()?;
    let mut sitting = office.sit();
    let mut failed = None;
    let (outage, at) = attend(&office)?;
    for (game, ticked) in tick_after(&mut sitting, &office.survey()?, outage, at) {
        match ticked {
            Ok(Looked { ticked, notices }) => {
                tell(json, &game, &ticked)?;
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

fn tell(as_json: bool, game: &str, ticked: &Ticked) -> Done {
    if as_json {
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
