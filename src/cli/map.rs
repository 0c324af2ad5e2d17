//! `map`: the table as a picture.

use crate::cli::exit::{Done, Failure};
use crate::cli::games::{Games, seat};
use crate::cli::paper;
use crate::cli::reader::up_to;
use clap::{Args, ValueEnum};
use ground::disk::place::write_over;
use record::fold::Fold;
use report::picture::png::png;
use report::picture::{Atlas, Picture};
use report::{from_log, map};
use serde_json::Value;
use std::path::PathBuf;

/// Draw the map as everybody or one seat sees it, at any entry of the log.
///
/// Without `--around` or `--question` the whole map is drawn. A PNG goes to a file (`--out`) or through a pipe. Nothing
/// is drawn that the seat may not know.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  ringmail map shire > shire.svg\n  ringmail map shire --as red --at 57 --since 40 --out \
                  shire.png\n  ringmail map shire --question --out battle.png\n  ringmail map shire --around \
                  \"minas tirith\" --out gondor.svg"
)]
pub struct Map {
    /// The game, its log, or `-` for standard input.
    game: String,
    /// The seat whose view is drawn; without it, that of the public.
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The entry after which the map is drawn; the last if left out.
    #[arg(long, value_name = "SEQ")]
    at: Option<u64>,
    /// The entry up to which the seat knows what happened; what has changed since is marked.
    #[arg(long, value_name = "SEQ")]
    since: Option<u64>,
    /// Draw only the part of the map around this region or territory; may be given several times.
    #[arg(long, value_name = "PLACE")]
    around: Vec<String>,
    /// Draw only the part of the map that the open question is about, if it is about a part.
    #[arg(long, conflicts_with = "around")]
    question: bool,
    /// SVG or PNG; without it, as the name of the file ends, or SVG.
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// How many pixels wide the picture is, from 64 to 8000; without it, as wide as can be read well.
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=8000))]
    width: Option<u32>,
    /// The file to write; without it, standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
}

pub fn run(wanted: &Map, games: &Games) -> Done {
    let format = wanted.format();
    if format == Format::Png && wanted.out.is_none() && paper::is_terminal() {
        return Err(Failure::usage("A PNG cannot be printed on a terminal; name a file with `--out`."));
    }
    let (fold, before) = read(wanted, games)?;
    let title = fold.plan().title;
    let atlas = map::atlas(title).ok_or_else(|| Failure::failed(format!("{} has no map.", title.name)))?;
    let view = view(wanted, &fold)?;
    let around = if wanted.question {
        map::of_question(atlas, &view)
    } else {
        wanted.around.iter().map(|text| place(atlas, text)).collect::<Result<_, _>>()?
    };
    let picture = map::picture(atlas, &view, before.as_ref(), &around, wanted.width);
    write(wanted, format, &picture)
}

impl Map {
    fn format(&self) -> Format {
        let by_name = self.out.as_ref().and_then(|out| out.extension()).is_some_and(|ending| ending == "png");
        self.format.unwrap_or(if by_name { Format::Png } else { Format::Svg })
    }
}

/// The game at entry `at`, and what its reader saw at entry `since`.
fn read(wanted: &Map, games: &Games) -> Result<(Fold, Option<Value>), Failure> {
    let mut before = None;
    let fold = up_to(games, &wanted.game, wanted.at, |followed, _| {
        if Some(followed.entry.seq) == wanted.since {
            before = Some(view(wanted, followed.fold));
        }
    })?;
    match (wanted.since, before.transpose()?) {
        (Some(since), None) => {
            let last = fold.head().seq;
            Err(Failure::usage(format!("There is no entry {since} up to the one that is drawn, {last}.")))
        }
        (_, before) => Ok((fold, before)),
    }
}

fn view(wanted: &Map, fold: &Fold) -> Result<Value, Failure> {
    let reader = wanted.seat.as_deref().map(|word| seat(fold.plan(), word)).transpose()?;
    Ok(from_log::look(fold, reader).view)
}

fn place(atlas: &Atlas, text: &str) -> Result<usize, Failure> {
    map::place(atlas, text).map_err(|meant| match meant.as_slice() {
        [] => Failure::usage(format!("`{text}` is no place on this map.")),
        some => Failure::usage(format!("`{text}` is no single place on this map. Did you mean {}?", some.join(" or "))),
    })
}

fn write(wanted: &Map, format: Format, picture: &Picture) -> Done {
    let bytes = match format {
        Format::Svg => picture.svg.clone().into_bytes(),
        Format::Png => png(picture),
    };
    match &wanted.out {
        Some(file) => write_over(file, &bytes)
            .map_err(|error| Failure::failed(format!("{} cannot be written: {error}.", file.display()))),
        None => paper::bytes(&bytes),
    }
}
