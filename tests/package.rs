/*! The Debian package and the container image, built by `.dist/deb` and `.dist/image` from the tested program: their
contents, the rights of the files, and what the unit of the service permits.
*/

use crate::needs;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn script(name: &str, out: &Path) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".dist").join(name);
    let mut command = Command::new(script);
    command.arg(env!("CARGO_BIN_EXE_ringmail")).arg(out);
    command.env("SOURCE_DATE_EPOCH", "1700000000").env("DEB_COMPRESSION", "none");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    PathBuf::from(text(output).trim())
}

fn text(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn does(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program} {arguments:?}: {said}{}", String::from_utf8_lossy(&output.stdout));
    text(output)
}

/// The verbs, as `help` lists them.
fn verbs() -> Vec<String> {
    let help = does(env!("CARGO_BIN_EXE_ringmail"), &["help"]);
    let listed = help.lines().take_while(|line| *line != "Options:");
    let first = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut verbs: Vec<String> = first.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    verbs.retain(|verb| verb != "help");
    assert!(verbs.len() > 30, "{help}");
    verbs
}

/// The contents of the package: path, and rights with owner as `ls -l` writes them.
fn contents(package: &str) -> BTreeMap<String, String> {
    let listed = does("dpkg-deb", &["--contents", package]);
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let (rights, owner, path) = (words.next()?, words.next()?, words.nth(3)?);
        Some((path.trim_start_matches('.').to_owned(), format!("{rights} {owner}")))
    };
    listed.lines().filter_map(entry).collect()
}

/// The settings of a unit, each with all its values in order.
fn settings(unit: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut settings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, value) in unit.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('=')) {
        settings.entry(key).or_default().push(value);
    }
    settings
}

#[test]
fn the_package_brings_program_pages_completions_and_service() {
    if !needs::programs(&["dpkg-deb", "dpkg-shlibdeps"]) {
        return;
    }
    let (out, again) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let package = script("deb", out.path());
    assert!(fs::read(&package).unwrap() == fs::read(script("deb", again.path())).unwrap(), "two builds differ");
    let package = package.to_str().unwrap();

    let found = contents(package);
    let has = |path: &str, rights: &str| assert_eq!(found.get(path).map(String::as_str), Some(rights), "{path}");
    has("/usr/bin/ringmail", "-rwxr-xr-x root/root");
    has("/usr/sbin/ringmail-office", "-rwxr-xr-x root/root");
    has("/etc/ringmail/", "drwxr-xr-x root/root");
    let mut files = vec!["/usr/lib/systemd/system/ringmail.service".to_owned()];
    files.push("/usr/share/man/man1/ringmail.1.gz".to_owned());
    files.extend(verbs().iter().map(|verb| format!("/usr/share/man/man1/ringmail-{verb}.1.gz")));
    files.push("/usr/share/man/man8/ringmail-office.8.gz".to_owned());
    files.extend(
        ["bash-completion/completions/ringmail", "zsh/vendor-completions/_ringmail"]
            .map(|path| "/usr/share/".to_owned() + path),
    );
    files.push("/usr/share/fish/vendor_completions.d/ringmail.fish".to_owned());
    let documents = ["copyright", "changelog.gz", "changelog.Debian.gz", "README.md", "README.Debian", "crates.gz"];
    files.extend(documents.map(|name| format!("/usr/share/doc/ringmail/{name}")));
    files.push("/usr/share/doc/ringmail/examples/ringmail.yaml".to_owned());
    for file in &files {
        has(file, "-rw-r--r-- root/root");
    }
    assert_eq!(found.keys().filter(|path| !path.ends_with('/')).count(), files.len() + 2, "{found:#?}");

    let root = out.path().join("root");
    does("dpkg-deb", &["--raw-extract", package, root.to_str().unwrap()]);
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let control = read("DEBIAN/control");
    assert!(control.contains(&format!("Version: {}-1\n", env!("CARGO_PKG_VERSION"))), "{control}");
    assert!(control.contains("Depends: libc6 (>= 2."), "{control}");
    for shell in ["bash-completion/completions/ringmail", "zsh/vendor-completions/_ringmail"] {
        assert!(read(&format!("usr/share/{shell}")).contains("--secret-credential"), "{shell}");
    }
    let example = read("usr/share/doc/ringmail/examples/ringmail.yaml");
    assert!(example.contains("\ngames: /var/lib/ringmail/games\n"), "{example}");
    let crates = does("gzip", &["-dc", root.join("usr/share/doc/ringmail/crates.gz").to_str().unwrap()]);
    assert!(crates.lines().any(|line| line.starts_with("rustls v")), "{crates}");
    for name in ["postinst", "prerm", "postrm"] {
        does("sh", &["-n", root.join("DEBIAN").join(name).to_str().unwrap()]);
    }
    service(&root);
}

/// The unit keeps the program in its own folder, gives it the password, and names only files of the package.
fn service(root: &Path) {
    let file = root.join("usr/lib/systemd/system/ringmail.service");
    let unit = fs::read_to_string(&file).unwrap();
    let settings = settings(&unit);
    let is = |key: &str, value: &str| assert_eq!(settings.get(key).map(Vec::as_slice), Some(&[value][..]), "{key}");
    is("Type", "notify");
    is("WatchdogSec", "5min");
    is("Restart", "always");
    is("RestartPreventExitStatus", "2");
    is("User", "ringmail");
    is("StateDirectory", "ringmail");
    is("LoadCredential", "ringmail.password");
    is("ConditionPathExists", "/etc/ringmail/ringmail.yaml");
    is("NoNewPrivileges", "yes");
    is("ProtectSystem", "strict");
    is("CapabilityBoundingSet", "");
    let start = settings["ExecStart"][0].split(' ').next().unwrap();
    assert!(root.join(start.trim_start_matches('/')).is_file(), "{start}");
    if needs::programs(&["systemd-analyze"]) {
        let unit = file.to_str().unwrap();
        does("systemd-analyze", &["security", "--offline=yes", "--threshold=20", unit]);
        let told = Command::new("systemd-analyze").args(["verify", "--man=no", unit]).output().unwrap();
        // The program is not installed where the unit looks for it; an unknown setting would be another line.
        let told = String::from_utf8_lossy(&told.stderr).into_owned();
        let wrong =
            told.lines().filter(|line| line.contains("ringmail.service") && !line.contains("is not executable"));
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

#[test]
fn a_service_gets_its_password_as_a_credential() {
    let home = TempDir::new().unwrap();
    let ringmail = |arguments: &[&str], credentials: Option<&Path>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringmail"));
        command.args(arguments).current_dir(home.path()).env_remove("CREDENTIALS_DIRECTORY");
        command.env_remove("RINGMAIL_CONFIG").env_remove("RINGMAIL_GAMES");
        command.envs(credentials.map(|folder| ("CREDENTIALS_DIRECTORY", folder)));
        text(command.output().unwrap())
    };
    // Nothing listens on port 1.
    let init = ["init", "--mailbox", "box@play.example", "--smtp", "smtps://box@127.0.0.1:1"];
    ringmail(&init, Some(home.path()));
    let config = home.path().join("ringmail.yaml");
    let written = fs::read_to_string(&config).unwrap();
    assert!(written.contains("secret: { credential: ringmail.password }"), "{written}");
    fs::write(&config, written.replace("dns: system", "dns: off")).unwrap();

    let told = ringmail(&["doctor"], None);
    assert!(told.contains("no credentials were handed over") && told.contains("`LoadCredential=NAME`"), "{told}");
    let told = ringmail(&["doctor"], Some(home.path()));
    assert!(told.contains("ringmail.password cannot be read") && told.contains("/etc/credstore/NAME"), "{told}");
    fs::write(home.path().join("ringmail.password"), "mellon\n").unwrap();
    let told = ringmail(&["doctor"], Some(home.path()));
    assert!(told.contains("no server listens there") && !told.contains("mellon"), "{told}");
}

/// Podman with a separate store.
struct Podman {
    home: TempDir,
}

impl Podman {
    fn run(&self, arguments: &[&str]) -> Output {
        let place = |name: &str| self.home.path().join(name).display().to_string();
        let mut podman = Command::new("podman");
        podman.args(["--root", &place("store"), "--runroot", &place("run"), "--tmpdir", &place("tmp")]);
        podman.args(["--storage-driver", "vfs", "--runtime", "runc", "--cgroup-manager", "cgroupfs"]);
        podman.args(arguments).output().unwrap()
    }

    /// What a container of the image prints; only its volume is kept.
    fn office(&self, arguments: &[&str]) -> String {
        let mut run = vec!["run", "--rm", "--network", "none", "--volume", "games:/var/lib/ringmail"];
        run.extend(["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=512:512"]);
        run.extend(["--secret", "ringmail.password,uid=65532,mode=0400", IMAGE]);
        run.extend(arguments);
        let output = self.run(&run);
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

const IMAGE: &str = concat!("localhost/ringmail:", env!("CARGO_PKG_VERSION"));

#[test]
fn the_image_runs_without_rights_and_keeps_its_folder() {
    if !needs::programs(&["buildah", "podman", "runc"]) || !needs::root("podman") || !needs::containers() {
        return;
    }
    let podman = Podman { home: TempDir::new().unwrap() };
    let path = |name: &str| podman.home.path().join(name);
    let image = script("image", podman.home.path());
    fs::write(path("password"), "mellon").unwrap();
    let ready = [
        podman.run(&["load", "--quiet", "--input", image.to_str().unwrap()]),
        podman.run(&["secret", "create", "ringmail.password", path("password").to_str().unwrap()]),
    ];
    for output in ready {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    let made = podman.office(&["init", "--mailbox", "box@play.example", "--imap", "imaps://box@127.0.0.1"]);
    assert!(made.contains("/var/lib/ringmail/ringmail.yaml is made"), "{made}");
    let config = path("store/volumes/games/_data/ringmail.yaml");
    let about = fs::metadata(&config).unwrap();
    assert_eq!((about.uid(), about.mode() & 0o7777), (65532, 0o600));
    let config = fs::read_to_string(config).unwrap();
    assert!(config.contains("secret: { credential: ringmail.password }"), "{config}");
    // The password is found: only the server is missing.
    let told = podman.office(&["doctor"]);
    assert!(told.contains("/etc/resolv.conf"), "{told}");
    assert!(told.contains("no server listens there") && !told.contains("credential"), "{told}");
}
