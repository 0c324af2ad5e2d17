//! How letters go out, from the command line or the configuration.

use crate::cli::exit::Failure;
use crate::cli::games::{Games, sentence};
use clap::Args;
use ground::disk::place::read_text;
use ground::secret::Source;
use mail::wire::carrier::{Carrier, EmlFolder};
use mail::wire::sendmail::Sendmail;
use mail::wire::server::{Account, Address, Login, Protocol, Way};
use mail::wire::smtp::Smtp;
use post::office::config::SendBy;
use std::path::{Path, PathBuf};

/// The environment variable with the password of a server named on the command line.
const PASSWORD: &str = "RINGMAIL_SMTP_PASSWORD";

/// A way out named on the command line.
#[derive(Args, Debug)]
pub struct WayOut {
    /// Write each letter into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "smtp")]
    to_files: Option<PathBuf>,
    /// The server that takes the letters.
    #[arg(long, value_name = "URL", env = "RINGMAIL_SMTP")]
    smtp: Option<String>,
    /// A file of further certificates to trust, in PEM, for your own server.
    #[arg(long, value_name = "FILE", requires = "smtp")]
    trust: Option<PathBuf>,
}

impl WayOut {
    /// The carrier from the command line, or else from the configuration.
    pub fn carrier(&self, games: &Games) -> Result<Box<dyn Carrier + Send>, Failure> {
        if let Some(folder) = &self.to_files {
            return eml_folder(folder);
        }
        if let Some(url) = &self.smtp {
            return Ok(Box::new(Smtp::new(self.account(url)?, &games.mailbox()?.host)));
        }
        let settled = games.config().and_then(|config| config.send.as_ref());
        let way = settled.ok_or_else(|| {
            Failure::usage(
                "Nothing says how letters are sent: add --to-files FOLDER or --smtp URL, or write it under `send` in a \
                 configuration (`ringmail init`).",
            )
        })?;
        carrier(way, &games.mailbox()?.host)
    }

    /// The account on the server of a URL; its password comes from the environment.
    fn account(&self, url: &str) -> Result<Account, Failure> {
        let server =
            Address::read(url, Protocol::Smtp).map_err(|error| Failure::usage(sentence(&error.to_string())))?;
        let trusted = self.trust.as_ref().map(|file| {
            let read = read_text(file);
            read.map_err(|error| Failure::failed(format!("{} cannot be read: {error}.", file.display())))
        });
        let secret = Source::Environment(PASSWORD.to_owned());
        let login = server.user.clone().map(|user| Login { user, way: Way::Password, secret });
        Ok(Account { server, login, trusted: trusted.transpose()? })
    }
}

/// The carrier of the configuration.
pub fn carrier(way: &SendBy, hello: &str) -> Result<Box<dyn Carrier + Send>, Failure> {
    match way {
        SendBy::Smtp(account, return_path) => {
            Ok(Box::new(Smtp::new(account.clone(), hello).returning_to(*return_path)))
        }
        SendBy::Sendmail { program, arguments } => Ok(Box::new(Sendmail::new(program, arguments))),
        SendBy::Files(folder) => eml_folder(folder),
    }
}

fn eml_folder(folder: &Path) -> Result<Box<dyn Carrier + Send>, Failure> {
    let opened = EmlFolder::open(folder);
    let failed = |error| format!("The folder for letters, {}, cannot be made: {error}.", folder.display());
    let opened = opened.map_err(|error| Failure::failed(failed(error)))?;
    Ok(Box::new(opened))
}
