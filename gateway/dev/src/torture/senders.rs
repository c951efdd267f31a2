//! Acquirers that repeat each notice until it is acknowledged, as real ones do. So after a fault it is certain which
//! sales must be in the log: all of them, once.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use chrono::Utc;
use gateway_acquirers::calls::client_builder;
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, SIGNATURE_HEADER, sign};
use ledger_domain::BusinessId;
use ledger_model::SplitMix64;
use ledger_store::supervisor::spawn_once;
use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;
use tokio::task::JoinHandle;

use crate::installation::{BoxError, Installation, PROVIDER_SECRET};

const SENDERS: u64 = 12;
/// Longer than any answer of a healthy program takes. A stopped process does not answer at all.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
const BEFORE_REPEAT: Duration = Duration::from_millis(20);
/// The longest wait of a trial. After it the trial fails.
const RECOVERY_MAX: Duration = Duration::from_secs(90);
/// About one request in four is an array of so many notices.
const NOTICES_PER_ARRAY: u64 = 5;

/// The flags and counters that all senders share.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    acknowledged: AtomicU64,
    unavailable: AtomicU64,
    /// 503 answers that do not say why, such as while the database is down.
    unexplained: AtomicU64,
    /// Requests without an answer.
    unanswered: AtomicU64,
    /// Why the first sender failed.
    failure: OnceLock<String>,
    pauses: Mutex<Pauses>,
}

/// The longest time without an acknowledgment.
#[derive(Default)]
struct Pauses {
    last: Option<Instant>,
    longest: Duration,
}

impl Shared {
    fn acknowledge(&self, count: u64) {
        self.acknowledged.fetch_add(count, Ordering::Relaxed);
        let mut pauses = self.pauses();
        let now = Instant::now();
        if let Some(last) = pauses.last.replace(now) {
            pauses.longest = pauses.longest.max(now.duration_since(last));
        }
    }

    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The acknowledged sales of a sender; `None` if it panicked.
type Acknowledged = Option<Result<Vec<String>, BoxError>>;

/// Running senders.
pub struct Senders {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<Acknowledged>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub acknowledged: u64,
    pub unavailable: u64,
    pub unexplained: u64,
    pub unanswered: u64,
}

impl Senders {
    /// Sends each notice to one of these addresses, and its repetitions to them in turns. `name` makes the ids of this
    /// load's sales unique.
    pub fn start(installation: &Installation, addresses: &[SocketAddr], name: &str, seed: u64) -> Self {
        let shared = Arc::new(Shared::default());
        let tasks = (0..SENDERS).map(|number| {
            let sender = Sender {
                shared: Arc::clone(&shared),
                addresses: addresses.to_vec(),
                businesses: installation.businesses.clone(),
                name: format!("{name}-{number}"),
                random: SplitMix64::of(seed ^ (number << 32)),
            };
            spawn_once("an acquirer", sender.run())
        });
        Self {
            tasks: tasks.collect(),
            shared,
        }
    }

    pub fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            acknowledged: read(&self.shared.acknowledged),
            unavailable: read(&self.shared.unavailable),
            unexplained: read(&self.shared.unexplained),
            unanswered: read(&self.shared.unanswered),
        }
    }

    /// The longest time between two acknowledgments, of all that were given so far.
    pub fn longest_pause(&self) -> Duration {
        self.shared.pauses().longest
    }

    /// Waits until so many more captures are acknowledged, and returns the time until the first of them.
    pub async fn wait_for_more(&self, more: u64) -> Result<Duration, BoxError> {
        let before = self.counts().acknowledged;
        let first = self
            .wait_until("capture", |counts| counts.acknowledged > before)
            .await?;
        self.wait_until("captures", |counts| counts.acknowledged >= before + more)
            .await?;
        Ok(first)
    }

    /// Waits until the counts are as wanted, and returns how long that took.
    pub async fn wait_until(
        &self,
        what: &str,
        mut holds: impl FnMut(Counts) -> bool,
    ) -> Result<Duration, BoxError> {
        let began = Instant::now();
        while !holds(self.counts()) {
            if began.elapsed() > RECOVERY_MAX {
                return Err(format!("no {what} within {RECOVERY_MAX:?}: {:?}", self.counts()).into());
            }
            self.check()?;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(began.elapsed())
    }

    /// Fails if a sender failed or panicked.
    pub fn check(&self) -> Result<(), BoxError> {
        if let Some(failure) = self.shared.failure.get() {
            return Err(failure.clone().into());
        }
        if self.tasks.iter().any(JoinHandle::is_finished) {
            return Err("a sender panicked".into());
        }
        Ok(())
    }

    /// Lets each sender finish its notice, and returns the ids of all acknowledged sales.
    pub async fn stop(self) -> Result<Vec<String>, BoxError> {
        self.shared.stop.store(true, Ordering::Relaxed);
        let mut acknowledged = Vec::new();
        for task in self.tasks {
            acknowledged.extend(task.await?.ok_or("a sender panicked")??);
        }
        Ok(acknowledged)
    }
}

/// Whether an answer says why a notice, or which of an array, was not recorded. The connection to a killed process may
/// end within the answer.
fn has_reason(body: &str) -> bool {
    let Ok(answer) = serde_json::from_str::<serde_json::Value>(body) else {
        return false;
    };
    answer["type"].as_str().is_some_and(|kind| kind != "about:blank")
        || answer["results"]
            .as_array()
            .is_some_and(|results| results.iter().any(|result| result["result"] == "unavailable"))
}

struct Sender {
    shared: Arc<Shared>,
    addresses: Vec<SocketAddr>,
    businesses: Vec<BusinessId>,
    name: String,
    random: SplitMix64,
}

impl Sender {
    async fn run(self) -> Result<Vec<String>, BoxError> {
        let shared = Arc::clone(&self.shared);
        let sent = self.send().await;
        if let Err(failure) = &sent {
            // Only the first one is reported.
            let _ = shared.failure.set(failure.to_string());
        }
        sent
    }

    async fn send(mut self) -> Result<Vec<String>, BoxError> {
        let client = client_builder().timeout(ANSWER_TIMEOUT).build()?;
        let mut acknowledged: Vec<String> = Vec::new();
        let mut last_body = None;
        let mut number = 0;
        while !self.shared.stop.load(Ordering::Relaxed) {
            let count = if self.random.below(4) == 0 {
                NOTICES_PER_ARRAY
            } else {
                1
            };
            let ids: Vec<String> = (number..number + count)
                .map(|number| format!("{}-{number}", self.name))
                .collect();
            number += count;
            let body = self.body(&ids);
            self.send_until_acknowledged(&client, &body).await?;
            self.shared.acknowledge(count);
            acknowledged.extend(ids);
            // Acquirers also repeat what was acknowledged.
            if let Some(earlier) = last_body.replace(body)
                && self.random.below(8) == 0
            {
                self.send_until_acknowledged(&client, &earlier).await?;
            }
        }
        Ok(acknowledged)
    }

    async fn send_until_acknowledged(
        &mut self,
        client: &reqwest::Client,
        body: &str,
    ) -> Result<(), BoxError> {
        let began = Instant::now();
        let mut turn = self.random.below(self.addresses.len() as u64);
        while began.elapsed() < RECOVERY_MAX {
            let address = self.addresses[usize::try_from(turn)? % self.addresses.len()];
            turn += 1;
            let signature = sign(
                PROVIDER_SECRET.as_bytes(),
                Utc::now().timestamp(),
                body.as_bytes(),
            );
            let request = client
                .post(format!("http://{address}/api/webhooks/zoop"))
                .header(SIGNATURE_HEADER, signature)
                .body(body.to_owned());
            match request.send().await {
                Ok(answer) if answer.status() == StatusCode::OK => return Ok(()),
                Ok(answer) if answer.status() == StatusCode::SERVICE_UNAVAILABLE => {
                    if !answer.headers().contains_key(RETRY_AFTER) {
                        return Err("a 503 without Retry-After".into());
                    }
                    let text = answer.text().await.unwrap_or_default();
                    if !has_reason(&text) {
                        self.shared.unexplained.fetch_add(1, Ordering::Relaxed);
                    }
                    self.shared.unavailable.fetch_add(1, Ordering::Relaxed);
                }
                Ok(answer) => {
                    let (status, text) = (answer.status(), answer.text().await.unwrap_or_default());
                    return Err(format!("a notice got {status}: {text}").into());
                }
                // The process was killed, or does not answer: the notice may be recorded or not.
                Err(_) => {
                    self.shared.unanswered.fetch_add(1, Ordering::Relaxed);
                }
            }
            tokio::time::sleep(BEFORE_REPEAT).await;
        }
        Err(format!("a notice was not acknowledged within {RECOVERY_MAX:?}").into())
    }

    fn body(&mut self, ids: &[String]) -> String {
        let notices: Vec<String> = ids.iter().map(|id| self.notice(id)).collect();
        match notices.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(",")),
        }
    }

    fn notice(&mut self, id: &str) -> String {
        let company = self.random.below(self.businesses.len() as u64);
        let business = self.businesses[usize::try_from(company).unwrap_or_default()];
        CanonicalNotice {
            id: format!("evt-{id}"),
            r#type: "sale.captured",
            occurred_at: Utc::now(),
            data: CanonicalSale {
                business_id: Some(business.to_string()),
                external_id: id.to_owned(),
                solution: 1,
                payment_type: "credit",
                card_brand: Some("visa".to_owned()),
                installments: 1,
                amount: 10_000,
                card_last_four: Some("4242".to_owned()),
                authorization_code: Some("123456".to_owned()),
                ..CanonicalSale::default()
            },
        }
        .to_json()
    }
}
