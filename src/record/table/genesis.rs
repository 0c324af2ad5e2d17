/*! The first record of a game: what its charter says, and the commitments to its host's secrets. */

use crate::charter::dice::CharterDice;
use crate::charter::plan::FORMAT;
use crate::charter::schedule::{CharterSchedule, known_zone};
use crate::charter::{Charter, CharterError, CharterSeat};
use crate::commit::deck::root_commitment;
use crate::commit::signature::SigningKey;
use crate::entry::body::{Auth, Chosen, DicePlan, Genesis, Mode, Seating, Text};
use crate::entry::receipts::OwnChain;
use crate::file::secrets::{SeatSecrets, Secrets};
use crate::fold::masks::Masks;
use engine::slot::{Deck, Faces};
use engine::title::Titles;

/// The name of this program in the first record.
const ENGINE: &str = concat!("ringmail ", env!("CARGO_PKG_VERSION"));

/// The first record of a game by its charter. `secrets` are new; they receive the addresses that the charter names.
pub(super) fn genesis(
    charter: &Charter,
    secrets: &mut Secrets,
    titles: Titles,
) -> Result<Genesis<'static>, CharterError> {
    charter.check_name()?;
    let title = titles.by_id(&charter.title).ok_or_else(|| CharterError::Title { found: charter.title.clone() })?;
    let setup = charter.setup(title)?;
    if charter.seats.iter().all(|seat| seat.played.is_some()) {
        return Err(CharterError::Unplayable("a program plays every seat, and at least one needs a person".to_owned()));
    }
    (title.begin)(&setup).map_err(|why| CharterError::Unplayable(why.to_string()))?;
    secrets.seats = setup.seats.iter().zip(&charter.seats).map(|(seat, who)| seat_secrets(seat, who)).collect();
    let masks = Masks::new(secrets.game, title, (title.cards.decks)(&setup));
    let decks = (0..masks.printed().len()).map(|index| {
        let deck = Deck(u8::try_from(index).expect("a title has few decks"));
        let (masked, _) = masks.mask(&secrets.root, deck, 0, &masks.whole(deck), &Faces::default());
        masks.record(deck, 0, &masked)
    });
    let seat = |(word, seat): (&String, &CharterSeat)| {
        let zone = seat.zone.as_deref().map(known_zone).transpose().map_err(CharterError::Schedule)?;
        Ok(Seating {
            seat: Text::from(word.clone()),
            player: Text::from(seat.player.clone()),
            host: seat.host || seat.played.is_some(),
            played: seat.played,
            zone: zone.map(|zone| Text::from(zone.name().to_string())),
        })
    };
    let schedule = charter.schedule.as_ref().map(CharterSchedule::recorded).transpose();
    let option =
        |(name, value): &(String, String)| Chosen { name: Text::from(name.clone()), value: Text::from(value.clone()) };
    Ok(Genesis {
        format: FORMAT,
        game: secrets.game,
        name: Text::from(charter.name.clone()),
        title: Text::from(title.id),
        rules: Text::from(setup.edition.clone()),
        engine: Some(charter.engine.clone().map_or(Text::from(ENGINE), Text::from)),
        options: setup.options.iter().map(option).collect(),
        seats: setup.seats.iter().zip(&charter.seats).map(seat).collect::<Result<_, CharterError>>()?,
        dice: dice(charter.dice.as_ref(), secrets)?,
        decks: decks.collect(),
        root: root_commitment(&secrets.game, 0, &secrets.root),
        host_key: secrets.host_key.map(|seed| Text::from(SigningKey::of_seed(&seed).public.to_string())),
        escrow: charter.escrow,
        min_auth: charter.min_auth.filter(|least| *least != Auth::Token),
        schedule: schedule.map_err(CharterError::Schedule)?,
        votes: charter.votes,
        press: charter.press,
        welcome: charter.welcome,
    })
}

/// What feeds the dice.
fn dice(charter: Option<&CharterDice>, secrets: &Secrets) -> Result<DicePlan<'static>, CharterError> {
    let anchor = secrets.host_chain().anchor();
    let (mode, chain) = charter.map_or(Ok((Mode::Chain, None)), CharterDice::understood)?;
    let own = chain.as_ref().filter(|chain| !chain.is_quicknet()).map(|chain| {
        let info = chain.info();
        OwnChain {
            public_key: info.public_key,
            period: info.period,
            genesis_time: info.genesis_time,
            group_hash: info.group_hash,
            beacon_id: Text::from(info.beacon_id.clone()),
        }
    });
    Ok(DicePlan { mode, anchor, chain: chain.map(|chain| chain.hash()), own })
}

fn seat_secrets(seat: &str, who: &CharterSeat) -> SeatSecrets {
    let addresses = who.address.iter().cloned().collect();
    SeatSecrets { seat: seat.to_string(), addresses, ..SeatSecrets::default() }
}
