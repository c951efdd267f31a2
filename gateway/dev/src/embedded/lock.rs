//! One program at a time on one data directory, for as long as that program lives.
//! The kernel gives the lock back even after `kill -9`, so a leftover file never blocks a start.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};

use super::error::EmbeddedError;
use super::place::Place;

/// Held until dropped. The descriptor is closed on exec, so PostgreSQL does not inherit the lock and outlive us with it.
#[derive(Debug)]
pub struct ClusterLock {
    _file: File,
}

impl ClusterLock {
    pub fn take(place: &Place) -> Result<ClusterLock, EmbeddedError> {
        let path = place.lock_file();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(EmbeddedError::io("opening the lock", &path))?;

        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // The number only makes the message better; the lock itself has already spoken.
                let _ = file.read_to_string(&mut holder);
                return Err(EmbeddedError::AlreadyRunning {
                    data_dir: place.data_dir().to_owned(),
                    holder: holder.trim().parse().ok(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(EmbeddedError::io("locking", &path)(source)),
        }

        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(EmbeddedError::io("writing", &path))?;
        Ok(ClusterLock { _file: file })
    }
}
