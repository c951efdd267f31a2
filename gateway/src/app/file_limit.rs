//! Each connection is an open file. Where the system allows the process fewer than the connections that it may have,
//! accepting would fail for everybody.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// For the database, the log, the panels' files and the calls of our own.
const RESERVED: u32 = 128;
/// For the operators' listener. They are few, and must be let in when the public's connections are all taken.
const OPERATORS: u32 = 128;

/// How many connections each listener may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    pub public: u32,
    pub operations: u32,
}

/// Takes the system's hard limit, as no part of the program uses `select(2)`, and as many connections as fit.
pub fn within(configured: u32) -> Connections {
    let files = match raised() {
        Ok(files) => files,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is unknown");
            u64::MAX
        }
    };
    let connections = fitting(configured, files);
    if connections.public < configured {
        tracing::warn!(
            connections = connections.public,
            configured,
            files,
            "fewer connections than configured: the limit of open files (ulimit -n) is in the way"
        );
    }
    connections
}

fn fitting(configured: u32, files: u64) -> Connections {
    let files = u32::try_from(files).unwrap_or(u32::MAX);
    let operations = configured.min(OPERATORS);
    let most = files.saturating_sub(RESERVED + operations).max(1);
    Connections {
        public: configured.min(most),
        operations,
    }
}

fn raised() -> nix::Result<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    if soft >= hard {
        return Ok(soft);
    }
    // Where it can't be raised, what there is has to do.
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
            // Too few for anybody: one caller at a time rather than none.
            (10_000, 64, 1, 128),
        ] {
            let expected = Connections { public, operations };
            assert_eq!(fitting(configured, files), expected, "{configured} of {files}");
        }
    }
}
