//! Postfix on the loopback address, as the mail server that takes letters and delivers them to Dovecot.

use super::{Process, greets_as, needs, shout, until};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

pub struct Postfix {
    folder: TempDir,
    _process: Process,
}

impl Drop for Postfix {
    fn drop(&mut self) {
        // The process that we started only waits for the master.
        drop(Command::new("postfix").arg("-c").arg(self.folder.path().join("config")).arg("stop").output());
    }
}

impl Postfix {
    /// Starts it; letters to both domains go to an LMTP server, but those to the post office go to another mail
    /// server if `office` names one. It needs root; `None` without.
    pub fn start(smtp: u16, lmtp: u16, office: Option<u16>) -> Option<Postfix> {
        if !needs::programs(&["postfix"]) || !needs::root("Postfix") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        configure(folder.path(), smtp, lmtp, office);
        let config = folder.path().join("config");
        // `start-fg` runs the master as our child; it makes its queue first.
        let process = shout(Command::new("postfix").arg("-c").arg(&config).arg("start-fg"));
        until("Postfix greets", || greets_as(smtp, "220 mx.play.example"));
        Some(Postfix { folder, _process: process })
    }
}

fn configure(folder: &Path, smtp: u16, lmtp: u16, office: Option<u16>) {
    let path = folder.display();
    for part in ["config", "queue", "data"] {
        fs::create_dir(folder.join(part)).unwrap();
    }
    let owned = Command::new("chown").arg("postfix").arg(folder.join("data")).status().unwrap();
    assert!(owned.success());
    let office = office
        .map_or(String::new(), |port| format!("transport_maps = inline:{{play.example=smtp:[127.0.0.1]:{port}}}\n"));
    let main = format!(
        "compatibility_level = 3.6\nqueue_directory = {path}/queue\ndata_directory = {path}/data\n\
         command_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\nmail_owner = postfix\n\
         setgid_group = postdrop\nmyhostname = mx.play.example\nmydestination =\nmynetworks = 127.0.0.0/8\n\
         inet_interfaces = loopback-only\ninet_protocols = ipv4\nrecipient_delimiter = +\n\
         virtual_mailbox_domains = play.example, shire.example\nvirtual_transport = lmtp:inet:127.0.0.1:{lmtp}\n\
         default_transport = error:no mail leaves this machine\n\
         smtpd_recipient_restrictions = permit_mynetworks, reject\n\
         smtpd_peername_lookup = no\nsmtp_dns_support_level = disabled\nmaillog_file = {path}/log\n\
         maillog_file_prefixes = {path}\nlocal_recipient_maps =\nin_flow_delay = 0\n{office}"
    );
    fs::write(folder.join("config/main.cf"), main).unwrap();
    let master = format!(
        "127.0.0.1:{smtp} inet n - n - - smtpd\n\
         pickup unix n - n 60 1 pickup\ncleanup unix n - n - 0 cleanup\nqmgr unix n - n 300 1 qmgr\n\
         tlsmgr unix - - n 1000? 1 tlsmgr\nrewrite unix - - n - - trivial-rewrite\nbounce unix - - n - 0 bounce\n\
         defer unix - - n - 0 bounce\ntrace unix - - n - 0 bounce\nverify unix - - n - 1 verify\n\
         flush unix n - n 1000? 0 flush\nproxymap unix - - n - - proxymap\nsmtp unix - - n - - smtp\n\
         error unix - - n - - error\nretry unix - - n - - error\ndiscard unix - - n - - discard\n\
         lmtp unix - - n - - lmtp\nanvil unix - - n - 1 anvil\nscache unix - - n - 1 scache\n\
         postlog unix-dgram n - n - 1 postlogd\n"
    );
    fs::write(folder.join("config/master.cf"), master).unwrap();
}
