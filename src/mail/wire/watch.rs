/*! Waits for something to come into a folder: until a time is over, or until the system reports it, if it can.

Linux reports it by inotify(7), for folders on its own disks. Elsewhere, or on a disk of another machine, nothing is
reported, and the waiting program looks again when its time is over.
*/

use std::path::{Path, PathBuf};
use std::time::Duration;

/// Watches a folder.
#[derive(Debug)]
pub struct Watch {
    folder: PathBuf,
    #[cfg(target_os = "linux")]
    told: Option<std::os::fd::OwnedFd>,
}

impl Watch {
    /// A watch of a folder, which need not be there yet.
    pub fn of(folder: &Path) -> Watch {
        let mut watch = Watch {
            folder: folder.to_owned(),
            #[cfg(target_os = "linux")]
            told: None,
        };
        watch.begin();
        watch
    }
}

#[cfg(target_os = "linux")]
mod by_inotify {
    use super::{Duration, Path, Watch};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use std::mem::MaybeUninit;
    use std::os::fd::{AsFd, OwnedFd};
    use std::thread;

    /// Room for events with the longest names.
    const ROOM: usize = 4096;

    impl Watch {
        /// Starts the inotify watch, unless it runs already or cannot be had.
        pub(super) fn begin(&mut self) {
            if self.told.is_none() {
                self.told = told_of(&self.folder).ok();
            }
        }

        /// Waits for `patience`, or until something has come since the last call; whether something has.
        pub fn wait(&mut self, patience: Duration) -> bool {
            self.begin();
            let Some(told) = &self.told else {
                thread::sleep(patience);
                return false;
            };
            let until = Timespec::try_from(patience).ok();
            let ready = poll(&mut [PollFd::new(told, PollFlags::IN)], until.as_ref());
            match ready {
                Ok(0) => false,
                Ok(_) => {
                    if !is_there_still(told) {
                        self.told = None;
                    }
                    true
                }
                // A signal, or something that the system cannot do: nothing has come.
                Err(_) => {
                    thread::sleep(patience);
                    false
                }
            }
        }
    }

    fn told_of(folder: &Path) -> rustix::io::Result<OwnedFd> {
        let told = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        // Not CREATE: a file that is being copied in is still empty then.
        let comes = WatchFlags::MOVED_TO | WatchFlags::CLOSE_WRITE;
        inotify::add_watch(&told, folder, comes | WatchFlags::MOVE_SELF | WatchFlags::ONLYDIR)?;
        Ok(told)
    }

    /// Reads all pending events. Whether the watch is still on the folder of that name.
    fn is_there_still(told: &OwnedFd) -> bool {
        let mut room = [MaybeUninit::uninit(); ROOM];
        let mut events = Reader::new(told.as_fd(), &mut room);
        let mut is_there = true;
        while let Ok(event) = events.next() {
            is_there &= !event.events().intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF);
        }
        is_there
    }
}

#[cfg(not(target_os = "linux"))]
impl Watch {
    fn begin(&mut self) {}

    /// Waits for `patience`. Nothing reports what comes: always `false`.
    pub fn wait(&mut self, patience: Duration) -> bool {
        std::thread::sleep(patience);
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(1);

    #[test]
    fn what_came_while_nobody_waited_is_told_once() {
        let home = tempfile::tempdir().unwrap();
        let mut watch = Watch::of(home.path());
        assert!(!watch.wait(SHORT));
        fs::write(home.path().join("one"), b"").unwrap();
        fs::write(home.path().join("two"), b"").unwrap();
        assert!(watch.wait(LONG));
        assert!(!watch.wait(SHORT));
        fs::remove_file(home.path().join("one")).unwrap();
        assert!(!watch.wait(SHORT), "what goes away is no news");
    }

    #[test]
    fn a_folder_that_was_made_anew_is_watched_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("new");
        let mut watch = Watch::of(&folder);
        for moved in [false, true] {
            assert!(!watch.wait(SHORT), "there is no folder");
            fs::create_dir(&folder).unwrap();
            assert!(!watch.wait(SHORT));
            fs::write(folder.join("letter"), b"").unwrap();
            assert!(watch.wait(LONG));
            if !moved {
                fs::remove_dir_all(&folder).unwrap()
            } else {
                fs::rename(&folder, home.path().join("old")).unwrap()
            }
            assert!(watch.wait(LONG), "it is gone");
        }
    }
}
