/*! The configuration of a post office: one commented file, made by `ringmail init` and changed by its host. It names
servers and where their secrets are kept, and holds no secret itself (requirement S6).
*/

use super::config_error::ConfigError;
use super::counter::Quota;
use super::database::{Database, WrittenStore};
use super::{COUNTER, Mailroom};
use ground::disk::place::read_text;
use ground::secret::Source;
use ground::yaml;
use mail::letter::mailbox::Mailbox;
use mail::wire;
use mail::wire::imap_intake::{Filing, ImapIntake};
use mail::wire::server::{Account, Address, Login, Protocol, Way};
use mail::wire::smtp::ReturnPath;
use net::beacon::Relay;
use report::html::Form;
use serde::Deserialize;
use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use store::Store;

/// The usual name of the file.
pub const CONFIG: &str = "ringmail.yaml";

/// A configuration, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub mailbox: Mailbox,
    pub mailroom: Mailroom,
    pub host: Option<Mailbox>,
    pub games: PathBuf,
    /// The database with the games, if they are not in a folder.
    pub store: Option<Database>,
    /// The form of letters to players who have not chosen one.
    pub letters: Form,
    pub imap: Option<ImapFolder>,
    pub maildir: Option<PathBuf>,
    /// `127.0.0.1:2424`.
    pub lmtp: Option<String>,
    pub send: Option<SendBy>,
    /// Which DNS server is asked for the keys with which providers sign letters.
    pub names: Names,
    /// The name under which our own mail server reports its checks of a letter (RFC 8601).
    pub authserv_id: Option<String>,
    /// The relays from which rounds of the public beacon are fetched, in order of preference.
    pub beacon: Vec<Relay>,
    /// Where `serve` answers monitors over HTTP.
    pub health: Option<SocketAddr>,
    /// The folder of the public pages.
    pub page: Option<PathBuf>,
    /// Whether the log of `serve` is JSON.
    pub logs_json: bool,
    /// The way by which the host hears of trouble with the mailbox or the way out.
    pub alerts: Option<Alerts>,
    /// How much is kept of letters that belong to no game.
    pub strangers: Quota,
}

/// Letters to the host about the service itself, sent by another way than all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alerts {
    pub to: Mailbox,
    /// The sender; the account of that way may allow no other.
    pub from: Mailbox,
    pub send: SendBy,
}

/// Which DNS is asked for the keys of DKIM signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// No DNS: no letter is judged by its signature.
    Off,
    /// The resolver of the system.
    System,
    Server(SocketAddr),
}

/// A folder on an IMAP server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapFolder {
    /// The URL as it was written: it identifies the mailbox.
    pub url: String,
    pub account: Account,
    pub folder: String,
    pub filing: Filing,
}

impl ImapFolder {
    /// The folder as a source of letters; its cursor is kept in the drawer of the counter.
    pub fn intake(&self, store: &Store) -> ImapIntake {
        ImapIntake::new(store.drawer(COUNTER), &self.url, &self.folder, self.filing.clone())
    }
}

/// How letters go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendBy {
    Smtp(Account, ReturnPath),
    Sendmail { program: PathBuf, arguments: Vec<String> },
    Files(PathBuf),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    mailbox: String,
    #[serde(default)]
    shared: bool,
    host: Option<String>,
    #[serde(default = "usual_games")]
    games: PathBuf,
    store: Option<WrittenStore>,
    #[serde(default)]
    letters: WrittenForm,
    receive: Option<WrittenReceive>,
    send: Option<WrittenSend>,
    #[serde(default = "usual_names")]
    dns: String,
    #[serde(rename = "authserv-id")]
    authserv_id: Option<String>,
    #[serde(default)]
    beacon: Vec<String>,
    health: Option<WrittenHealth>,
    alerts: Option<WrittenAlerts>,
    #[serde(default)]
    log: WrittenLog,
    page: Option<PathBuf>,
    #[serde(default)]
    strangers: Quota,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenLog {
    #[default]
    Text,
    Json,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "to, from and a way out, each in a line of its own")]
struct WrittenAlerts {
    to: Option<String>,
    from: Option<String>,
    smtp: Option<WrittenSmtp>,
    sendmail: Option<WrittenSendmail>,
    files: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "health: an address like 127.0.0.1:9797, or { listen: ADDRESS, for-others: true }")]
enum WrittenHealth {
    Place(String),
    Open(WrittenOpen),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenOpen {
    listen: String,
    #[serde(default)]
    for_others: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenForm {
    Text,
    #[default]
    Html,
}

fn usual_names() -> String {
    "off".to_owned()
}

fn usual_games() -> PathBuf {
    PathBuf::from("games")
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "imap, maildir and lmtp, each in a line of its own")]
struct WrittenReceive {
    imap: Option<WrittenImap>,
    maildir: Option<PathBuf>,
    lmtp: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "server, secret and the rest, each in a line of its own")]
struct WrittenImap {
    server: String,
    secret: Option<serde_yaml::Value>,
    #[serde(default)]
    login: WrittenLogin,
    trust: Option<PathBuf>,
    #[serde(default = "usual_folder")]
    folder: String,
    processed: Option<String>,
    rejected: Option<String>,
}

fn usual_folder() -> String {
    "INBOX".to_owned()
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenLogin {
    #[default]
    Password,
    Xoauth2,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "smtp, sendmail or files in a line of its own")]
struct WrittenSend {
    smtp: Option<WrittenSmtp>,
    sendmail: Option<WrittenSendmail>,
    files: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "server, secret and the rest, each in a line of its own")]
struct WrittenSmtp {
    server: String,
    secret: Option<serde_yaml::Value>,
    #[serde(default)]
    login: WrittenLogin,
    trust: Option<PathBuf>,
    #[serde(default, rename = "return-path")]
    return_path: ReturnPath,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "program and arguments")]
struct WrittenSendmail {
    program: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
}

/// The login to a server as it is written, with the names of its keys.
struct WrittenAccount {
    key: &'static str,
    secret_key: &'static str,
    trust_key: &'static str,
    protocol: Protocol,
    url: String,
    secret: Option<serde_yaml::Value>,
    login: WrittenLogin,
    trust: Option<PathBuf>,
}

impl Config {
    /// Reads a configuration.
    pub fn read(file: &Path) -> Result<Config, ConfigError> {
        let read = |error| ConfigError::Read { file: file.to_owned(), error };
        let text = read_text(file).map_err(read)?;
        Config::parse(&text, file)
    }

    /// Reads the text of a configuration; an error has the line and the column of its key.
    fn parse(text: &str, file: &Path) -> Result<Config, ConfigError> {
        Config::checked(text, file).map_err(|error| error.placed(text))
    }

    /// This configuration, with those values of a new one that can change while the service runs; and the keys whose
    /// changes need a restart.
    pub fn changed_to(&self, new: &Config) -> (Config, Vec<&'static str>) {
        let Config { host, letters, send, authserv_id, beacon, .. } = new.clone();
        let changed = Config { host, letters, send, authserv_id, beacon, ..self.clone() };
        let kept = [
            ("mailbox", self.mailbox == new.mailbox),
            ("shared", self.mailroom == new.mailroom),
            ("games", self.games == new.games),
            ("store", self.store == new.store),
            ("receive", (&self.imap, &self.maildir, &self.lmtp) == (&new.imap, &new.maildir, &new.lmtp)),
            ("dns", self.names == new.names),
            ("health", self.health == new.health),
            ("alerts", self.alerts == new.alerts),
            ("log", self.logs_json == new.logs_json),
            ("page", self.page == new.page),
            ("strangers", self.strangers == new.strangers),
        ];
        (changed, kept.into_iter().filter(|(_, is_same)| !is_same).map(|(key, _)| key).collect())
    }

    fn checked(text: &str, file: &Path) -> Result<Config, ConfigError> {
        let written: Written = yaml::read(text)
            .map_err(|error| ConfigError::NotUnderstood { file: file.to_owned(), error: error.to_string() })?;
        let home = file.parent().unwrap_or(Path::new(""));
        let address = |key, written: String| {
            let read = Mailbox::read(&written);
            read.ok_or(ConfigError::NotAnAddress { file: file.to_owned(), key, written })
        };
        let receive = written.receive.unwrap_or_default();
        if let Some(place) = receive.lmtp.as_ref().filter(|place| place.parse::<SocketAddr>().is_err()) {
            return Err(ConfigError::Port { file: file.to_owned(), written: place.clone() });
        }
        let mailbox = address("mailbox", written.mailbox)?.base();
        let host = written.host.map(|host| address("host", host)).transpose()?;
        let send = way_out(written.send.unwrap_or_default(), &SEND, file)?;
        let alerts = written.alerts.map(|alerts| {
            let to = alerts.to.map(|to| address("alerts.to", to)).transpose()?.or_else(|| host.clone());
            let from = alerts.from.map(|from| address("alerts.from", from)).transpose()?;
            let to = to.ok_or(ConfigError::NoReader { file: file.to_owned() })?;
            let way = WrittenSend { smtp: alerts.smtp, sendmail: alerts.sendmail, files: alerts.files };
            let way = way_out(way, &ALERTS, file)?.ok_or(ConfigError::NoWayOut { file: file.to_owned() })?;
            if send.as_ref() == Some(&way) {
                Err(ConfigError::SameWay { file: file.to_owned() })
            } else {
                Ok(Alerts { to, from: from.unwrap_or_else(|| mailbox.clone()), send: way })
            }
        });
        Ok(Config {
            alerts: alerts.transpose()?,
            mailbox,
            mailroom: if written.shared { Mailroom::Shared } else { Mailroom::Own },
            host,
            games: home.join(written.games),
            store: written
                .store
                .map(|store| store.checked(file, &|value, key| source(value, key, file)))
                .transpose()?,
            letters: if written.letters == WrittenForm::Text { Form::Text } else { Form::Html },
            imap: receive.imap.map(|imap| imap_folder(imap, file)).transpose()?,
            maildir: receive.maildir.map(|maildir| home.join(maildir)),
            lmtp: receive.lmtp,
            send,
            names: names(written.dns, file)?,
            authserv_id: written.authserv_id,
            beacon: relays(&written.beacon, file)?,
            page: written.page.map(|page| home.join(page)),
            logs_json: written.log == WrittenLog::Json,
            health: written.health.map(|health| listens(health, file)).transpose()?,
            strangers: written.strangers,
        })
    }
}

/// The keys of a way out, as errors name them.
struct WayKeys {
    way: &'static str,
    server: &'static str,
    secret: &'static str,
    trust: &'static str,
}

const SEND: WayKeys =
    WayKeys { way: "send", server: "send.smtp.server", secret: "send.smtp.secret", trust: "send.smtp.trust" };
const ALERTS: WayKeys =
    WayKeys { way: "alerts", server: "alerts.smtp.server", secret: "alerts.smtp.secret", trust: "alerts.smtp.trust" };

fn listens(written: WrittenHealth, file: &Path) -> Result<SocketAddr, ConfigError> {
    let (place, for_others) = match written {
        WrittenHealth::Place(place) => (place, false),
        WrittenHealth::Open(open) => (open.listen, open.for_others),
    };
    let address: SocketAddr =
        place.parse().map_err(|_| ConfigError::Health { file: file.to_owned(), written: place.clone() })?;
    if for_others || address.ip().to_canonical().is_loopback() {
        Ok(address)
    } else {
        Err(ConfigError::NotLoopback { file: file.to_owned(), address })
    }
}

fn relays(written: &[String], file: &Path) -> Result<Vec<Relay>, ConfigError> {
    let relay = |url: &String| Relay::read(url).map_err(|error| ConfigError::Beacon { file: file.to_owned(), error });
    written.iter().map(relay).collect()
}

fn names(written: String, file: &Path) -> Result<Names, ConfigError> {
    match written.as_str() {
        "off" => Ok(Names::Off),
        "system" => Ok(Names::System),
        place => {
            let port_missing = || place.parse::<IpAddr>().map(|address| SocketAddr::new(address, 53));
            let read = place.parse().or_else(|_| port_missing());
            read.map(Names::Server).map_err(|_| ConfigError::Names { file: file.to_owned(), written: written.clone() })
        }
    }
}

fn imap_folder(imap: WrittenImap, file: &Path) -> Result<ImapFolder, ConfigError> {
    let account = account(
        WrittenAccount {
            key: "receive.imap.server",
            secret_key: "receive.imap.secret",
            trust_key: "receive.imap.trust",
            protocol: Protocol::Imap,
            url: imap.server.clone(),
            secret: imap.secret,
            login: imap.login,
            trust: imap.trust,
        },
        file,
    )?;
    let filing = match (imap.processed, imap.rejected) {
        (None, None) => Filing::Flags,
        (Some(one), None) | (None, Some(one)) => Filing::Folders { processed: one.clone(), rejected: one },
        (Some(processed), Some(rejected)) => Filing::Folders { processed, rejected },
    };
    Ok(ImapFolder { url: imap.server, account, folder: imap.folder, filing })
}

fn way_out(send: WrittenSend, keys: &WayKeys, file: &Path) -> Result<Option<SendBy>, ConfigError> {
    let home = file.parent().unwrap_or(Path::new(""));
    match (send.smtp, send.sendmail, send.files) {
        (None, None, None) => Ok(None),
        (Some(smtp), None, None) => {
            let written = WrittenAccount {
                key: keys.server,
                secret_key: keys.secret,
                trust_key: keys.trust,
                protocol: Protocol::Smtp,
                url: smtp.server,
                secret: smtp.secret,
                login: smtp.login,
                trust: smtp.trust,
            };
            Ok(Some(SendBy::Smtp(account(written, file)?, smtp.return_path)))
        }
        (None, Some(sendmail), None) => {
            Ok(Some(SendBy::Sendmail { program: sendmail.program, arguments: sendmail.arguments }))
        }
        (None, None, Some(files)) => Ok(Some(SendBy::Files(home.join(files)))),
        _ => Err(ConfigError::SeveralWaysOut { file: file.to_owned(), key: keys.way }),
    }
}

fn account(written: WrittenAccount, file: &Path) -> Result<Account, ConfigError> {
    let WrittenAccount { key, secret_key, trust_key, protocol, url, .. } = written;
    let server = Address::read(&url, protocol);
    let server = server.map_err(|error| ConfigError::Server { file: file.to_owned(), key, error })?;
    let secret = written.secret.map(|secret| source(&secret, secret_key, file)).transpose()?;
    let way = match written.login {
        WrittenLogin::Password => Way::Password,
        WrittenLogin::Xoauth2 => Way::Xoauth2,
    };
    let login = match (server.user.clone(), secret) {
        (None, None) => None,
        (Some(user), Some(secret)) => Some(Login { user, way, secret }),
        (None, Some(_)) => return Err(ConfigError::NoUser { file: file.to_owned(), key, url }),
        (Some(user), None) => return Err(ConfigError::NoSecret { file: file.to_owned(), key, user }),
    };
    let home = file.parent().unwrap_or(Path::new(""));
    let trusted = written.trust.map(|trusted| certificates(&home.join(trusted), trust_key, file));
    Ok(Account { server, login, trusted: trusted.transpose()? })
}

/// The certificates that the host trusts besides the usual ones.
fn certificates(trusted: &Path, key: &'static str, file: &Path) -> Result<String, ConfigError> {
    let (file, trusted) = (file.to_owned(), trusted.to_owned());
    match read_text(&trusted) {
        Ok(pem) => match wire::trusting(Some(&pem)) {
            Ok(_) if pem.contains("-----BEGIN CERTIFICATE-----") => Ok(pem),
            Ok(_) => Err(ConfigError::NoCertificate { file, key, trusted, why: "none begins in it".to_owned() }),
            Err(error) => Err(ConfigError::NoCertificate { file, key, trusted, why: error.to_string() }),
        },
        Err(error) => Err(ConfigError::Trust { file, key, trusted, error }),
    }
}

/// An error never shows what was written: it may be the secret itself.
fn source(secret: &serde_yaml::Value, key: &'static str, file: &Path) -> Result<Source, ConfigError> {
    let Some(written) = secret.as_mapping() else {
        return Err(ConfigError::SecretInClear { file: file.to_owned(), key });
    };
    let words: Vec<(&str, &str)> =
        written.iter().filter_map(|(name, value)| Some((name.as_str()?, value.as_str()?))).collect();
    match (words.as_slice(), written.len()) {
        ([("command", line)], 1) => Ok(Source::Command((*line).to_owned())),
        ([("keyring", service)], 1) => Ok(Source::Keyring((*service).to_owned())),
        ([("environment", variable)], 1) => Ok(Source::Environment((*variable).to_owned())),
        // Only a name may be written: the service manager decides on the folder.
        ([("credential", name)], 1) if Path::new(name).file_name() == Some(OsStr::new(name)) => {
            Ok(Source::Credential((*name).to_owned()))
        }
        _ => Err(ConfigError::Secret { file: file.to_owned(), key }),
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
