//! The program's log, on stderr: compact text on a terminal, JSON lines elsewhere. `RAZAO_LOG` filters it, for
//! example `debug` or `warn,gateway=debug`.

use std::io::{self, IsTerminal, Stderr, Write};

use gateway_environment::config::ConfigFaults;
use tracing_subscriber::EnvFilter;

/// Its faults are those of `RAZAO_LOG`.
pub fn install() -> Result<(), ConfigFaults> {
    let given = std::env::var("RAZAO_LOG")
        .ok()
        .filter(|text| !text.trim().is_empty());
    let filter = given.map(EnvFilter::try_new).transpose();
    let filter = filter.map_err(|error| {
        ConfigFaults(vec![format!(
            "RAZAO_LOG is not a filter such as debug or warn,gateway=debug: {error}"
        )])
    })?;
    // The line of each request is for machines. By default it is off on a terminal.
    let terminal = io::stderr().is_terminal();
    let default = if terminal {
        "info,gateway_http::edge::observe=warn"
    } else {
        "info"
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter.unwrap_or_else(|| EnvFilter::new(default)))
        .with_writer(|| CountingStderr(io::stderr()))
        // The library would report a lost line by a second one, and panic because that one cannot be written either.
        .log_internal_errors(false);
    if terminal {
        builder.compact().with_target(false).init();
    } else {
        builder.json().flatten_event(true).with_span_list(false).init();
    }
    Ok(())
}

/// Counts the lines that cannot be written, such as on a full disk. A lost line must not fail the work that it reports.
struct CountingStderr(Stderr);

impl Write for CountingStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    /// The library writes each line by one call of this.
    fn write_all(&mut self, line: &[u8]) -> io::Result<()> {
        self.0
            .write_all(line)
            .inspect_err(|_| metrics::counter!("razao_log_lines_lost_total").increment(1))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
