//! What a running process says of itself.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use gateway_acquirers::calls::client_builder;
use gateway_environment::config::Config;
use serde::Deserialize;

use super::{Finding, Found, Section};

const ANSWER_MAX: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
struct Readiness {
    process: String,
    reasons: Vec<String>,
    alarms: Vec<String>,
}

/// The process at `RAZAO_OPS_ADDR`, if there is one. Without it the database still tells whether somebody records.
pub(super) async fn processes(config: &Config) -> Found {
    let addr = reachable(config.server.ops_addr);
    let client = client_builder().timeout(ANSWER_MAX).build()?;
    let answer = match client.get(format!("http://{addr}/readyz")).send().await {
        Ok(answer) => answer,
        Err(error) if error.is_connect() => {
            let what =
                format!("no process listens at {addr} (RAZAO_OPS_ADDR), so none was asked about itself");
            return Ok(vec![Finding::note(what)]);
        }
        Err(error) if error.is_timeout() => {
            let what = format!(
                "the process at {addr} does not answer within {} s",
                ANSWER_MAX.as_secs()
            );
            return Ok(vec![Finding::wrong(Section::ProgramDown, what)]);
        }
        Err(error) => return Err(error.into()),
    };
    let body = answer.bytes().await?;
    let readiness: Readiness = serde_json::from_slice(&body)
        .map_err(|error| format!("what listens at {addr} (RAZAO_OPS_ADDR) is not this program: {error}"))?;
    let said = readiness.reasons.iter().chain(&readiness.alarms);
    let findings = said.filter(|said| !is_seen_in_database(said)).map(|said| {
        let what = format!("{} says: {said}", readiness.process);
        Finding::wrong(section(said), what)
    });
    Ok(findings.collect())
}

/// A listener on every address is reached on this machine.
fn reachable(addr: SocketAddr) -> SocketAddr {
    match addr.ip() {
        ip if ip.is_unspecified() => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), addr.port()),
        _ => addr,
    }
}

/// Other checks read it from the database itself, with more about it.
fn is_seen_in_database(said: &str) -> bool {
    [
        "stopped: ",
        "the read models lack ",
        "the database's synchronous_commit ",
    ]
    .iter()
    .any(|begin| said.starts_with(begin))
}

/// By the texts of `gateway_http::health::readiness`.
fn section(said: &str) -> Section {
    let sections = [
        ("the database ", Section::DatabaseDown),
        ("the task ", Section::TaskFails),
        ("the log takes no events", Section::LogTakesNoEvents),
        ("commits wait ", Section::LogTakesNoEvents),
        ("this process owns ", Section::TooFewShards),
        ("the machine's clock ", Section::ClockWrong),
        ("the replica ", Section::ReplicaBehind),
        ("stopping", Section::ProgramDown),
        ("there are no panels", Section::ProgramDoesNotStart),
        ("process-", Section::TooFewShards),
    ];
    let found = sections.iter().find(|(begin, _)| said.starts_with(begin));
    found.map_or(Section::RequestsFail, |(_, section)| *section)
}
