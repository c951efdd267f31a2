//! Measures whether the time of an answer reveals which addresses are registered. It times sign-ins with a wrong
//! password and requests for a new password. Each pair has a registered and an unregistered e-mail address. All calls
//! go over HTTP, one at a time.
//!
//! Each pair has its own e-mail addresses and each call a random client address, so that no rate limit applies. The
//! order alternates from pair to pair, so that the after-effects of a call affect both sides. The benchmark asserts
//! nothing; it reports.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gateway_acquirers::calls::client_builder;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::passwords;
use gateway_identity::users::{NewSeller, seller_insert};
use ledger_domain::ids::UserId;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::BenchError;
use super::figures::micros_as_millis;
use crate::installation::Installation;

#[derive(Debug, Clone)]
pub struct PairsOptions {
    /// The program to measure.
    pub program: PathBuf,
    /// An empty or missing folder; emptied at the end.
    pub folder: PathBuf,
    pub pairs: u32,
}

/// Pairs that are not counted: the first calls run on cold caches.
const WARM_UP: u32 = 20;
/// The pause after a call, before each check for waiting e-mails.
const PAUSE: Duration = Duration::from_millis(10);

/// The sign-in with a password that is not in its normal form (NFC). Such a password is hashed in both forms.
const SIGN_IN_DECOMPOSED: &str = "sign-in, NFD";

/// Name, path and expected status.
const CALLS: [(&str, &str, StatusCode); 3] = [
    ("sign-in", "/api/auth/sign-in", StatusCode::UNPROCESSABLE_ENTITY),
    (
        SIGN_IN_DECOMPOSED,
        "/api/auth/sign-in",
        StatusCode::UNPROCESSABLE_ENTITY,
    ),
    (
        "forgot-password",
        "/api/auth/forgot-password",
        StatusCode::ACCEPTED,
    ),
];

/// The medians of one kind of call, in microseconds.
#[derive(Debug, Clone, Copy)]
pub struct PairFigures {
    pub name: &'static str,
    pub known: u64,
    pub unknown: u64,
}

impl PairFigures {
    /// The difference between the medians, in hundredths of a percent of the smaller one.
    pub fn difference(&self) -> u64 {
        self.known.abs_diff(self.unknown) * 10_000 / self.known.min(self.unknown).max(1)
    }
}

impl fmt::Display for PairFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = self.difference();
        write!(
            f,
            "{:<16} known {:>8} ms   unknown {:>8} ms   difference {}.{:02} %",
            self.name,
            micros_as_millis(self.known),
            micros_as_millis(self.unknown),
            difference / 100,
            difference % 100
        )
    }
}

pub async fn run(
    options: PairsOptions,
    mut progress: impl FnMut(String),
) -> Result<Vec<PairFigures>, BenchError> {
    progress(format!("a cluster in {}", options.folder.display()));
    let installation = Installation::prepare(&options.folder).await?;
    let all = options.pairs + WARM_UP;
    register(&installation, all).await?;
    let proxies = [("RAZAO_TRUSTED_PROXIES", "127.0.0.1")];
    let gateway = installation.start_with(&options.program, &proxies).await?;
    let requester = Requester {
        http: client_builder().build()?,
        addr: gateway.addr,
        readiness_url: gateway.readiness_url(),
    };
    let mut figures = vec![];
    for (name, path, expected) in CALLS {
        progress(format!("{} pairs of {name}", options.pairs));
        let (mut known, mut unknown) = (vec![], vec![]);
        for pair in 0..all {
            let mut order = [
                (&mut known, known_email(pair)),
                (&mut unknown, unknown_email(pair)),
            ];
            if pair % 2 == 1 {
                order.reverse();
            }
            for (times, email) in order {
                let micros = requester.time((name, path), expected, &email).await?;
                if pair >= WARM_UP {
                    times.push(micros);
                }
                requester.until_quiet().await?;
            }
        }
        figures.push(PairFigures {
            name,
            known: median(known),
            unknown: median(unknown),
        });
    }
    gateway.stop().await?;
    installation.remove()?;
    Ok(figures)
}

fn known_email(number: u32) -> String {
    format!("pessoa-{number:05}@loja.example")
}

/// An address as long as a registered one.
fn unknown_email(number: u32) -> String {
    format!("alguem-{number:05}@loja.example")
}

async fn register(installation: &Installation, users: u32) -> Result<(), BenchError> {
    let (embedded, mut client) = installation.start_database().await?;
    // Hashing is slow on purpose, so all users share one hash.
    let hash = passwords::hash("a senha de todos").map_err(|error| error.to_string())?;
    let transaction = client.transaction().await?;
    for number in 0..users {
        let new = NewSeller {
            id: UserId::from_uuid(Uuid::now_v7()),
            name: "Pessoa",
            email: &known_email(number),
            password_hash: &hash,
            document: "52998224725",
            active: true,
        };
        seller_insert(&transaction, Actor::System, &new).await?;
    }
    transaction.commit().await?;
    drop(client);
    Ok(embedded.stop().await?)
}

struct Requester {
    http: Client,
    addr: SocketAddr,
    readiness_url: String,
}

impl Requester {
    /// Waits until no e-mail is waiting, so that the next call is not measured while one is sent.
    async fn until_quiet(&self) -> Result<(), BenchError> {
        loop {
            tokio::time::sleep(PAUSE).await;
            let readiness: Value = self.http.get(&self.readiness_url).send().await?.json().await?;
            if readiness["emails_waiting"] == 0 {
                return Ok(());
            }
        }
    }

    /// Calls from a random client address.
    async fn time(
        &self,
        (name, path): (&str, &str),
        expected: StatusCode,
        email: &str,
    ) -> Result<u64, BenchError> {
        let form: Value = match name {
            "sign-in" => json!({ "email": email, "password": "uma senha errada" }),
            SIGN_IN_DECOMPOSED => json!({ "email": email, "password": "uma seu\u{301}nha errada" }),
            _ => json!({ "email": email }),
        };
        let address = IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 | (rand::random::<u32>() >> 8)));
        let request = self
            .http
            .post(format!("http://{}{path}", self.addr))
            .header("x-forwarded-for", address.to_string())
            .json(&form);
        let began = Instant::now();
        let answer = request.send().await?;
        let status = answer.status();
        answer.bytes().await?;
        let micros = u64::try_from(began.elapsed().as_micros())?;
        if status == expected {
            Ok(micros)
        } else {
            Err(format!("{path} was answered with {status}").into())
        }
    }
}

fn median(mut micros: Vec<u64>) -> u64 {
    micros.sort_unstable();
    let (upper, lower) = (micros.len() / 2, micros.len().saturating_sub(1) / 2);
    match (micros.get(lower), micros.get(upper)) {
        (Some(lower), Some(upper)) => (lower + upper) / 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![9, 1, 5]), 5);
        assert_eq!(median(vec![9, 1, 5, 7]), 6);
        assert_eq!(median(vec![]), 0);
    }

    #[test]
    fn a_difference_is_in_percent_of_the_smaller_one() {
        let figures = PairFigures {
            name: "sign-in",
            known: 10_250,
            unknown: 10_000,
        };
        assert_eq!(figures.difference(), 250);
        assert!(figures.to_string().ends_with("difference 2.50 %"), "{figures}");
    }
}
