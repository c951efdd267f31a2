//! The program's log, on stderr: compact text on a terminal, JSON lines elsewhere. `RAZAO_LOG` filters it (`info` by
//! default; for example `debug` or `warn,gateway=debug`).

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

pub fn install() {
    let filter = std::env::var("RAZAO_LOG")
        .ok()
        .and_then(|text| EnvFilter::try_new(text).ok());
    // The line of each request is for machines. On a terminal it is off by default.
    let terminal = io::stderr().is_terminal();
    let default = if terminal {
        "info,gateway_http::edge::observe=warn"
    } else {
        "info"
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter.unwrap_or_else(|| EnvFilter::new(default)))
        .with_writer(io::stderr);
    if terminal {
        builder.compact().with_target(false).init();
    } else {
        builder.json().flatten_event(true).with_span_list(false).init();
    }
}
