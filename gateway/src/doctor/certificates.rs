//! When the certificates of the connections to the database end. Connections between processes have keys that do not, and
//! the certificates of providers are theirs.

use chrono::{TimeDelta, Utc};
use gateway_environment::config::Config;
use ledger_store::connector::{CertificateEnd, CertificateHolder};

use super::{Finding, Found, Section, counted};

/// Time to get another one.
const SOON: TimeDelta = TimeDelta::days(30);

pub(super) async fn certificates(config: &Config) -> Found {
    let mut findings = vec![];
    let database = &config.database;
    for (of, server) in [("database", &database.server), ("replica", &database.replica)] {
        for certificate in ends_of(server.as_ref()).await? {
            findings.extend(finding(of, &certificate));
        }
    }
    Ok(findings)
}

async fn ends_of(server: Option<&ledger_store::Connector>) -> Result<Vec<CertificateEnd>, super::BoxError> {
    match server {
        Some(server) => Ok(server.certificates().await?),
        None => Ok(vec![]),
    }
}

fn finding(of: &str, certificate: &CertificateEnd) -> Option<Finding> {
    let CertificateEnd { holder, subject, at } = certificate;
    let left = *at - Utc::now();
    let state = match left.num_days() {
        _ if left <= TimeDelta::zero() => "has ended".to_owned(),
        0 => format!("ends today, at {} UTC", at.format("%H:%M")),
        days if left < SOON => format!("ends in {}, on {}", counted(days, "day"), at.format("%Y-%m-%d")),
        _ => return None,
    };
    let whose = match holder {
        CertificateHolder::Client => format!("with which the program signs in at the {of}"),
        CertificateHolder::Server => format!("of the {of}'s server"),
        CertificateHolder::Authority => format!("of the authority of the {of}'s server"),
    };
    let finding = Finding::wrong(
        Section::CertificateEnds,
        format!("the certificate {whose} ({subject}) {state}"),
    );
    Some(if left <= TimeDelta::zero() {
        finding.since(*at)
    } else {
        finding
    })
}
