//! Secrets that nobody can guess and that are the same in every run.

use ground::hash::{Hex, sha256};
use record::file::secrets::Secrets;

/// The secrets of the usual game; its host signs no checkpoints.
pub fn usual() -> Secrets {
    derived(7, "")
}

/// The secrets of a host who signs checkpoints.
pub fn with_key() -> Secrets {
    Secrets { host_key: Some(sha256(b"host key")), ..usual() }
}

/// Others for each seed.
pub fn of_seed(seed: u8) -> Secrets {
    derived(seed, &format!(" {seed}"))
}

fn derived(game: u8, seed: &str) -> Secrets {
    let hash = |what: &str| sha256(format!("{what}{seed}").as_bytes());
    Secrets {
        format: 2,
        game: Hex([game; 16]),
        root: hash("root"),
        host_key: None,
        token_key: hash("token"),
        adopter: None,
        seats: Vec::new(),
        orders: Vec::new(),
        lines: Vec::new(),
        stopped: Vec::new(),
    }
}
