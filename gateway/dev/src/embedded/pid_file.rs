//! postmaster.pid: the server's file with its process and port, by which a running server is found. The file can be
//! stale, so `process` checks the process and `server` the port.

use std::fs;
use std::io;

use super::cluster_paths::ClusterPaths;
use super::error::EmbeddedError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PidFile {
    pub pid: i32,
    /// `None` if the file is incomplete. PostgreSQL writes the port together with the process.
    pub port: Option<u16>,
}

impl PidFile {
    pub fn read(paths: &ClusterPaths) -> Result<Option<PidFile>, EmbeddedError> {
        let path = paths.data_dir().join("postmaster.pid");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(PidFile::parse(&text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(EmbeddedError::io("read", &path)(error)),
        }
    }

    pub fn remove(self, paths: &ClusterPaths) -> Result<(), EmbeddedError> {
        let path = paths.data_dir().join("postmaster.pid");
        tracing::warn!(
            "process {} does not serve {}: removing postmaster.pid",
            self.pid,
            paths.data_dir().display()
        );
        fs::remove_file(&path).map_err(EmbeddedError::io("remove", &path))
    }

    /// Line 1 is the process, line 4 the port. A process number below 2 is refused: 1 is init, and a signal to 0 or to
    /// a negative number can reach several processes.
    fn parse(text: &str) -> Option<PidFile> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok().filter(|pid| *pid > 1)?;
        let port = lines.nth(2).and_then(|line| line.trim().parse().ok());
        Some(PidFile { pid, port })
    }
}

#[cfg(test)]
mod tests {
    use super::PidFile;

    #[test]
    fn process_and_port_are_read_from_their_lines() {
        let text = "4711\n/srv/razao/postgres\n1795262400\n40123\n\n127.0.0.1\n  1234567  65537\nready   \n";
        assert_eq!(
            PidFile::parse(text),
            Some(PidFile {
                pid: 4711,
                port: Some(40123)
            })
        );
    }

    #[test]
    fn a_file_without_a_fourth_line_has_no_port() {
        assert_eq!(
            PidFile::parse("4711\n/srv\n1795262400\n"),
            Some(PidFile {
                pid: 4711,
                port: None
            })
        );
    }

    #[test]
    fn a_first_line_that_is_not_a_number_above_1_is_refused() {
        for text in ["", "0\n", "1\n", "-1\n", "-4711\n", "abc\n"] {
            assert_eq!(PidFile::parse(text), None, "{text:?}");
        }
    }
}
