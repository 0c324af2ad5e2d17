/*! Keys of domains, looked up before a letter reaches its game: by the thread that brings the letter, all at once,
and within a time limit. So a slow name server holds up the letters of one source, and no game.
*/

use crate::letter::dkim::{KeyRecords, Later};
use net::dns::{Dns, Unanswered};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The longest time for all keys of a letter.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many keys are kept until their letters reach their games; each source brings one letter at a time.
const KEPT_MAX: usize = 200;

impl KeyRecords for Dns {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        Dns::texts(self, name).map_err(|Unanswered(why)| Later(why))
    }
}

/// What was found under a name.
type Found = Result<Vec<String>, Later>;

/// Key records that were looked up ahead; any other is looked up when it is asked for.
pub struct Foreseen {
    names: Arc<dyn KeyRecords>,
    found: Mutex<BTreeMap<String, Found>>,
    patience: Duration,
}

impl Foreseen {
    /// Looks up key records in `names`.
    pub fn new(names: Arc<dyn KeyRecords>) -> Foreseen {
        Foreseen { names, found: Mutex::new(BTreeMap::new()), patience: PATIENCE }
    }

    /// The same, with `patience` for all keys of a letter.
    pub fn with_patience(self, patience: Duration) -> Foreseen {
        Foreseen { patience, ..self }
    }
}

impl KeyRecords for Foreseen {
    fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
        let found = self.found.lock().expect("no thread stops while it holds this").get(name).cloned();
        found.unwrap_or_else(|| self.names.texts(name))
    }

    /// Looks these names up now, and replaces what was found before.
    fn look_up(&self, names: Vec<String>) {
        let (into, from) = mpsc::channel();
        for name in &names {
            let (name, records, into) = (name.clone(), Arc::clone(&self.names), into.clone());
            thread::spawn(move || {
                let found = records.texts(&name);
                let _ = into.send((name, found));
            });
        }
        drop(into);
        let late = |name: &String| (name.clone(), Err(Later(format!("{name}: the name servers are slow"))));
        let mut found: BTreeMap<String, Found> = names.iter().map(late).collect();
        // One time limit for all names: an answer that comes does not extend it.
        let steps = 100;
        let step = self.patience / steps;
        let mut waited = 0;
        let mut answers = 0;
        while answers < names.len() && waited < steps {
            match from.recv_timeout(step) {
                Ok((name, answer)) => {
                    drop(found.insert(name, answer));
                    answers += 1;
                }
                Err(mpsc::RecvTimeoutError::Timeout) => waited += 1,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
        let mut kept = self.found.lock().expect("no thread stops while it holds this");
        if kept.len() + found.len() > KEPT_MAX {
            kept.clear();
        }
        kept.append(&mut found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A name server that knows one name, and is silent about another until it is dropped.
    struct Slow {
        asked: AtomicUsize,
        silence: Mutex<mpsc::Receiver<()>>,
    }

    impl KeyRecords for Slow {
        fn texts(&self, name: &str) -> Result<Vec<String>, Later> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            if name == "silent" {
                let _ = self.silence.lock().unwrap().recv();
            }
            Ok(vec![format!("key of {name}")])
        }
    }

    #[test]
    fn a5_all_keys_of_a_letter_are_asked_for_at_once_and_within_a_time() {
        let (_end, silence) = mpsc::channel();
        let slow = Arc::new(Slow { asked: AtomicUsize::new(0), silence: Mutex::new(silence) });
        let keys = Foreseen::new(Arc::clone(&slow) as Arc<dyn KeyRecords>).with_patience(Duration::from_millis(300));
        keys.look_up(vec!["silent".to_owned(), "known".to_owned()]);
        assert_eq!(keys.texts("known"), Ok(vec!["key of known".to_owned()]));
        assert!(keys.texts("silent").unwrap_err().0.contains("are slow"));
        // Neither was asked for again by the thread of the games.
        assert_eq!(slow.asked.load(Ordering::SeqCst), 2);
        assert_eq!(keys.texts("other"), Ok(vec!["key of other".to_owned()]));
    }
}
