//! `backup`: everything of an office in one file.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::Games;
use crate::cli::now::now;
use crate::cli::paper;
use crate::titles;
use clap::Args;
use engine::plural;
use ground::disk::place::Placing;
use post::keeping::backup::{self, Office};
use post::keeping::check::{Checked, check};
use post::keeping::container::NotABackup;
use report::columns::ruly;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Put everything of the office into one file: logs, secrets, books, letters, the counter, the configuration.
///
/// It can be done while `serve` runs: each game is locked for a moment. The file is a compressed tar, for its owner
/// only; it holds the secrets of all games and the addresses of all players. After writing it is read back: every hash
/// must hold, and every log verify. One that is there is never replaced.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail backup /backup/ringmail-2026-11-24.tar.gz
  ringmail backup --check /backup/ringmail-2026-11-24.tar.gz")]
pub struct Backup {
    /// The file.
    file: PathBuf,
    /// Write nothing; read a backup and say whether it is sound.
    #[arg(long)]
    check: bool,
}

pub fn run(wanted: &Backup, games: &Games) -> Done {
    if wanted.check {
        let checked = check(&wanted.file, titles::ALL).map_err(|why| unusable(&wanted.file, &why))?;
        return tell(&wanted.file, &checked);
    }
    let all = games.office()?;
    all.home()?;
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format!("{}: {error}.", wanted.file.display())),
        io::ErrorKind::ResourceBusy => Failure::new(Exit::Busy, format!("{}: {error}.", wanted.file.display())),
        _ => Failure::failed(format!("{} cannot be written: {error}.", wanted.file.display())),
    };
    let placing = Placing::begin(&wanted.file).map_err(failed)?;
    let config = games.config().map(|_| games.config_file());
    let office = Office { office: &all, config, patience: games.patience() };
    let written = backup::write(&office, BufWriter::with_capacity(1 << 18, placing), now())?;
    let placing = written.out.into_inner().map_err(|error| failed(error.into_error()))?;
    placing.sync().map_err(failed)?;
    // If the backup cannot be read back, it is not kept.
    let checked = check(placing.aside(), titles::ALL).map_err(|why| unusable(&wanted.file, &why))?;
    placing.place().map_err(failed)?;
    for left in &written.left_out {
        let left = ruly(&left.display().to_string());
        paper::tell(&format!("ringmail: {left} is a link, or has a name that other systems do not take: left out."));
    }
    tell(&wanted.file, &checked)
}

/// Why a file cannot be used as a backup.
pub fn unusable(file: &Path, why: &NotABackup) -> Failure {
    let exit = match why {
        NotABackup::File(_) => Exit::Failed,
        NotABackup::Other | NotABackup::Newer { .. } | NotABackup::Damaged { .. } | NotABackup::Foreign { .. } => {
            Exit::Malformed
        }
    };
    Failure::new(exit, format!("{}: {}.", file.display(), ruly(&why.to_string())))
}

fn tell(file: &Path, checked: &Checked) -> Done {
    let games = plural::counted(checked.manifest.games.len(), "game");
    let files = plural::counted(checked.manifest.files.len(), "file");
    let bytes: u64 = checked.manifest.files.iter().map(|file| file.bytes).sum();
    let (file, at) = (file.display(), checked.label.at);
    paper::line(&format!("{file}: a backup of {at}; {games}, {files}, {bytes} bytes. Every hash holds."))?;
    let Some(worst) = checked.unsound.first() else {
        return paper::line(
            "Every log verifies. The file holds the secrets of the games: keep it where you alone can read it.",
        );
    };
    for unsound in &checked.unsound {
        paper::line(&format!("{} {}: {}", paper::styled(paper::BAD, "FAIL"), unsound.game, ruly(&unsound.verdict)))?;
    }
    let help = "is kept as it was found: `ringmail verify` says more.";
    Err(Failure::new(Exit::of_code(worst.code), format!("The log of {} does not verify; it {help}", worst.game)))
}
