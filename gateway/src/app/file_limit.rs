//! Fits the number of connections to the limit of open files, because each connection is an open file.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files for the database, standard error, the panels' files and outgoing calls.
const RESERVED: u32 = 128;
/// Connections of the operators' listener. They are few, and must be accepted even if all public connections are in
/// use.
const OPERATIONS_CONNECTIONS_MAX: u32 = 128;

/// The largest number of connections of each listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    pub public: u32,
    pub operations: u32,
}

/// Raises the soft limit to the hard limit and returns the configured connections, or as many as fit. No part of the
/// program uses `select(2)`, which supports only low file numbers.
pub fn raise_limit_and_share_connections(configured: u32) -> Connections {
    let files = match raise_file_limit() {
        Ok(files) => files,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is unknown");
            u64::MAX
        }
    };
    let connections = split_files(configured, files);
    if connections.public < configured {
        tracing::warn!(
            connections = connections.public,
            configured,
            files,
            "fewer connections than configured: the limit of open files (ulimit -n) is too low"
        );
    }
    connections
}

fn split_files(configured: u32, files: u64) -> Connections {
    let files = u32::try_from(files).unwrap_or(u32::MAX);
    let available = files.saturating_sub(RESERVED).max(2);
    // With few files, each listener gets half of them.
    let operations = configured.min(OPERATIONS_CONNECTIONS_MAX).min(available / 2);
    Connections {
        public: configured.min(available - operations),
        operations,
    }
}

fn raise_file_limit() -> nix::Result<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    if soft >= hard {
        return Ok(soft);
    }
    // If it cannot be raised, the current limit is used.
    Ok(setrlimit(Resource::RLIMIT_NOFILE, hard, hard).map_or(soft, |()| hard))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_listeners_and_the_rest_of_the_program_share_the_files() {
        for (configured, files, public, operations) in [
            (10_000, 1_048_576, 10_000, 128),
            (10_000, u64::MAX, 10_000, 128),
            (10_000, 1_024, 768, 128),
            (100, 1_024, 100, 100),
            (10_000, 256, 64, 64),
            // Too few files: one connection each instead of none.
            (10_000, 64, 1, 1),
        ] {
            let expected = Connections { public, operations };
            assert_eq!(
                split_files(configured, files),
                expected,
                "{configured} of {files}"
            );
        }
    }
}
