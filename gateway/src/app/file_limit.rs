//! Each connection is an open file. Where the system allows the process fewer than the connections that it may have,
//! accepting would fail for everybody.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::config::HttpLimits;

/// For the database, the log, the panels' files and the calls of our own.
const RESERVED: u64 = 256;

/// Takes the system's hard limit, as no part of the program uses `select(2)`, and as many connections as fit.
pub fn within(limits: HttpLimits) -> HttpLimits {
    let files = match raised() {
        Ok(files) => files,
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is unknown");
            return limits;
        }
    };
    let most = files.saturating_sub(RESERVED).max(1);
    if u64::from(limits.connections) <= most {
        return limits;
    }
    let connections = u32::try_from(most).unwrap_or(u32::MAX);
    tracing::warn!(
        connections,
        configured = limits.connections,
        files,
        "fewer connections than configured: the limit of open files (ulimit -n) is in the way"
    );
    HttpLimits {
        connections,
        ..limits
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
