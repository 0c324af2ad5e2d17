//! `init`: the configuration of a post office, one commented file.

use crate::cli::exit::{Done, Exit, Failure};
use crate::cli::games::{Games, sentence};
use crate::cli::paper;
use clap::Args;
use ground::disk::place::make_folder;
use ground::secret::{CREDENTIALS, Source};
use mail::letter::mailbox::Mailbox;
use mail::wire::providers;
use mail::wire::server::{Address, Protocol};
use post::office::config::Config;
use post::office::config_error::ConfigError;
use post::office::database::{Database, names_a_password};
use post::office::new_config::NewConfig;
use post::office::{COUNTER, Mailroom};
use std::io;
use std::net::SocketAddr;

/// The usual name of the credential with the password.
const CREDENTIAL: &str = "ringmail.password";

/// Make the configuration of a post office: one commented file.
///
/// For the well-known providers the servers are filled in. The file holds no password; it says where to ask for one.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ringmail init --mailbox ringmail@example.org --host me@example.org
  ringmail init --mailbox me@gmail.com --shared --secret-command \"pass show mail/gmail\"
  ringmail --config /etc/ringmail.yaml init --mailbox box@play.example --imap imaps://box@mail.play.example
  ringmail init --mailbox box@play.example --lmtp 127.0.0.1:2424 --smtp smtp+plain://127.0.0.1")]
pub struct Init {
    /// The mailbox of the post office.
    #[arg(long, value_name = "ADDRESS")]
    mailbox: Option<String>,
    /// The address that is written to when something needs a person.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<String>,
    /// The mailbox is used for other mail as well: letters that name no game are left alone.
    #[arg(long)]
    shared: bool,
    /// The server with the mailbox.
    #[arg(long, value_name = "URL")]
    imap: Option<String>,
    /// The server that takes the letters.
    #[arg(long, value_name = "URL")]
    smtp: Option<String>,
    /// Where a mail server on this machine will hand letters over by LMTP, like 127.0.0.1:2424.
    #[arg(long, value_name = "ADDRESS:PORT")]
    lmtp: Option<SocketAddr>,
    /// Keep the games in a database that several machines share, and not in a folder: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// A command that prints the password.
    #[arg(long, value_name = "COMMAND", group = "secret")]
    secret_command: Option<String>,
    /// The service under which the keyring of the system has the password.
    #[arg(long, value_name = "SERVICE", group = "secret")]
    secret_keyring: Option<String>,
    /// The environment variable with the password.
    #[arg(long, value_name = "VARIABLE", group = "secret")]
    secret_environment: Option<String>,
    /// The credential with the password, as systemd hands it over (`LoadCredential=`); if there are credentials and no
    /// other secret is named, `ringmail.password`.
    #[arg(long, value_name = "NAME", group = "secret")]
    secret_credential: Option<String>,
}

pub fn run(init: &Init, games: &Games) -> Done {
    let address = |written: &String| {
        Mailbox::read(written).ok_or_else(|| Failure::usage(format!("`{written}` is not a mail address.")))
    };
    let mailbox = init.mailbox.as_ref().map_or_else(|| games.mailbox(), address)?;
    let host = init.host.as_ref().map(address);
    let provider = providers::of(&mailbox);
    let user = mailbox.to_string();
    let known = |url: Option<&str>| url.map(|url| url.replacen("://", &format!("://{user}@"), 1));
    let handed = std::env::var_os(CREDENTIALS).filter(|folder| !folder.is_empty());
    let secret = [
        init.secret_command.clone().map(Source::Command),
        init.secret_keyring.clone().map(Source::Keyring),
        init.secret_environment.clone().map(Source::Environment),
        init.secret_credential.clone().map(Source::Credential),
        handed.map(|_| Source::Credential(CREDENTIAL.to_owned())),
    ];
    let draft = NewConfig {
        mailroom: if init.shared { Mailroom::Shared } else { Mailroom::Own },
        host: host.transpose()?,
        games: games.root().display().to_string(),
        store: init.store.clone(),
        imap: init.imap.clone().or_else(|| known(provider.map(|provider| provider.imap))),
        smtp: init.smtp.clone().or_else(|| known(provider.map(|provider| provider.smtp))),
        lmtp: init.lmtp.map(|place| place.to_string()),
        secret: secret.into_iter().flatten().next(),
        mailbox,
    };
    // A password in the URL would be stored in the file.
    for (url, protocol) in [(&draft.imap, Protocol::Imap), (&draft.smtp, Protocol::Smtp)] {
        let read = url.as_ref().map(|url| Address::read(url, protocol)).transpose();
        read.map_err(|error| Failure::usage(sentence(&error.to_string())))?;
    }
    if draft.store.as_deref().is_some_and(names_a_password) {
        let why = "--store: the configuration holds no password: leave it out, and name where it is kept with `secret` \
                   below `store` in the file.";
        return Err(Failure::usage(why));
    }
    let file = games.config_file();
    draft.create(file).map_err(|error| match error {
        ConfigError::AlreadyThere { .. } => Failure::new(Exit::Refused, sentence(&error.to_string())),
        error => Failure::failed(sentence(&error.to_string())),
    })?;
    paper::line(&format!("{} is made; look through it in an editor.", file.display()))?;
    let config = Config::read(file).map_err(|error| Failure::failed(sentence(&error.to_string())))?;
    match &config.store {
        Some(database) => in_database(database)?,
        None => {
            let folder = &config.games;
            // This folder marks the place as a folder of games; without it, the disk would be taken for one that is
            // not mounted.
            let made = make_folder(&folder.join(COUNTER));
            made.map_err(|error| Failure::failed(format!("{} cannot be made: {error}.", folder.display())))?;
        }
    }
    if let Some(provider) = provider {
        paper::line(&format!("{}: {}", provider.name, provider.password))?;
    }
    paper::line("Next: `ringmail doctor` tries everything out, `ringmail serve` starts the service.")
}

/// Makes the key of an office, and the office in its database. If the database cannot be reached yet, `doctor` makes
/// the office later.
fn in_database(database: &Database) -> Done {
    let failed = |error: io::Error| Failure::failed(sentence(&error.to_string()));
    if let Some(key) = database.make_key().map_err(failed)? {
        let file = key.display();
        paper::line(&format!(
            "{file} is the key of the office: every machine of it needs it, and a backup without it is of no use.\n\
             Keep a copy where the database is not."
        ))?;
    }
    match database.open().and_then(|store| store.drawer(COUNTER).make()) {
        Ok(()) => Ok(()),
        Err(error) => {
            paper::line(&format!("The office is not in its database yet: {error}. `ringmail doctor` makes it."))
        }
    }
}
