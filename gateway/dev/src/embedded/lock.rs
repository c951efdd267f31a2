//! A lock on a data directory: the program that holds it runs the server. The kernel releases it even after `kill -9`,
//! so a leftover file is not a lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};

use super::cluster_paths::ClusterPaths;
use super::error::EmbeddedError;

/// The lock, held until it is dropped. The descriptor is closed on exec, so that PostgreSQL cannot inherit the lock and
/// keep it after this program ends.
#[derive(Debug)]
pub struct ClusterLock {
    file: File,
}

impl ClusterLock {
    pub fn take(paths: &ClusterPaths) -> Result<ClusterLock, EmbeddedError> {
        let path = paths.lock_file();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(EmbeddedError::io("open the lock", &path))?;

        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // The process number only improves the message. The lock itself has decided.
                let _ = file.read_to_string(&mut holder);
                return Err(EmbeddedError::AlreadyRunning {
                    data_dir: paths.data_dir().to_owned(),
                    holder: holder.trim().parse().ok(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(EmbeddedError::io("lock", &path)(source)),
        }

        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(EmbeddedError::io("write", &path))?;
        Ok(ClusterLock { file })
    }
}

/// Closing the file is not enough, because the lock lasts as long as any copy of the descriptor. A process that another
/// thread has just forked has a copy until it executes its program.
impl Drop for ClusterLock {
    fn drop(&mut self) {
        // If it fails, the lock ends with the last copy of the descriptor.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;
    use crate::embedded::throwaway::ThrowawayDir;
    use crate::embedded::user::ServerUser;

    #[test]
    fn a_dropped_lock_is_free_while_another_process_has_its_descriptor() -> Result<(), Box<dyn Error>> {
        let dir = ThrowawayDir::create()?;
        let user = ServerUser::choose(&dir.data_dir())?;
        let paths = ClusterPaths::locate(&dir.data_dir(), &user)?;
        let lock = ClusterLock::take(&paths)?;
        let _of_a_forked_process = lock.file.try_clone()?;
        drop(lock);
        assert!(ClusterLock::take(&paths).is_ok());
        Ok(())
    }
}
