/*! Telling the supervisor of the system how the service is: `sd_notify` of systemd, which is a datagram of lines to the
socket that `NOTIFY_SOCKET` names (sd_notify(3), sd_watchdog_enabled(3)).
*/

use super::Vitals;
use super::trouble::TroubleKind;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How long a message to the supervisor may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where the supervisor listens.
#[derive(Clone, Debug, Default)]
pub struct Supervisor {
    socket: Option<String>,
}

impl Supervisor {
    /// The supervisor at this socket; without a path or an abstract name nobody is told.
    pub fn at(socket: Option<String>) -> Supervisor {
        Supervisor { socket: socket.filter(|socket| socket.starts_with(['/', '@'])) }
    }

    /// Sends it lines such as `READY=1`. If the supervisor does not listen, that is not our trouble.
    pub fn tell(&self, lines: &str) {
        if let Some(socket) = &self.socket {
            let _ = send(socket, lines);
        }
    }

    /// Tells it, in a thread, three times within this time, that the service works, as long as the clock of the games
    /// ticks.
    pub fn watch(&self, vitals: Arc<Vitals>, within: Duration) {
        if self.socket.is_none() || within.is_zero() {
            return;
        }
        let supervisor = self.clone();
        thread::spawn(move || {
            loop {
                if !vitals.troubles().iter().any(|trouble| trouble.kind == TroubleKind::Clock) {
                    supervisor.tell("WATCHDOG=1");
                }
                thread::sleep(within / 3);
            }
        });
    }
}

/// How long the supervisor waits for a sign of life: `WATCHDOG_USEC`, unless `WATCHDOG_PID` names another process.
pub fn patience(microseconds: Option<&str>, process: Option<&str>) -> Option<Duration> {
    let is_ours = process.is_none_or(|process| process.parse() == Ok(std::process::id()));
    let microseconds = microseconds?.parse().ok().filter(|_| is_ours)?;
    Some(Duration::from_micros(microseconds)).filter(|patience| !patience.is_zero())
}

/// An address that begins with `@` is an abstract name of Linux.
#[cfg(target_os = "linux")]
fn send(socket: &str, lines: &str) -> std::io::Result<()> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let address = match socket.strip_prefix('@') {
        Some(name) => SocketAddr::from_abstract_name(name.as_bytes())?,
        None => SocketAddr::from_pathname(socket)?,
    };
    let from = UnixDatagram::unbound()?;
    from.set_write_timeout(Some(PATIENCE))?;
    from.send_to_addr(lines.as_bytes(), &address).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn send(_socket: &str, _lines: &str) -> std::io::Result<()> {
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    fn hears(at: &UnixDatagram, socket: &str) {
        at.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Supervisor::at(Some(socket.to_owned())).tell("READY=1");
        let mut bytes = [0; 64];
        let length = at.recv(&mut bytes).unwrap();
        assert_eq!(&bytes[..length], b"READY=1");
    }

    #[test]
    fn a_supervisor_is_told_at_a_path_and_at_an_abstract_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        hears(&UnixDatagram::bind(&path).unwrap(), path.to_str().unwrap());
        let name = format!("ringmail-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(name.as_bytes()).unwrap();
        hears(&UnixDatagram::bind_addr(&address).unwrap(), &format!("@{name}"));
        // Nobody listens, or nothing is named: nothing happens.
        for socket in [None, Some(String::new()), Some("/no/such/socket".to_owned()), Some("vsock:2:1".to_owned())] {
            Supervisor::at(socket).tell("READY=1");
        }
    }

    #[test]
    fn a_watchdog_is_for_this_process() {
        let own = std::process::id().to_string();
        assert_eq!(patience(Some("30000000"), Some(&own)), Some(Duration::from_secs(30)));
        assert_eq!(patience(Some("30000000"), None), Some(Duration::from_secs(30)));
        assert_eq!(patience(Some("30000000"), Some("1")), None);
        assert_eq!(patience(Some("0"), None), None);
        assert_eq!(patience(Some("soon"), None), None);
        assert_eq!(patience(None, Some(&own)), None);
    }
}
