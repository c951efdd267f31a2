//! Sends notices. A notice that is neither accepted nor refused is tried again after a pause, up to `TRIES_MAX` tries.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_acquirers::calls::client_builder;
use gateway_environment::config::ProviderSecrets;
use gateway_platform::providers::{CanonicalNotice, SIGNATURE_HEADER, sign};
use ledger_domain::sale::Provider;
use ledger_store::supervisor::spawn_once;
use reqwest::RequestBuilder;
use serde::Serialize;

/// The most deliveries in the list. Older ones are dropped from it.
const KEPT_MAX: usize = 1_000;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const PAUSE_MAX: Duration = Duration::from_secs(600);
/// The pauses between so many tries last 97 minutes in total.
const TRIES_MAX: u32 = 20;
const TIMEOUT: Duration = Duration::from_secs(10);

/// The gateway that receives the notices.
#[derive(Debug, Clone)]
pub struct ReceivingGateway {
    /// For example `http://127.0.0.1:8080`.
    pub url: String,
    pub secrets: ProviderSecrets,
}

/// A notice that is ready to send.
#[derive(Debug, Clone)]
pub struct OutgoingNotice {
    notice_id: String,
    r#type: &'static str,
    external_id: String,
    body: String,
    address: Option<NoticeAddress>,
}

/// Where an acquirer that does not sign sends its notices. The path can hold a secret.
#[derive(Clone)]
pub struct NoticeAddress {
    pub url: String,
    pub content_type: &'static str,
}

impl std::fmt::Debug for NoticeAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NoticeAddress(hidden)")
    }
}

impl OutgoingNotice {
    pub fn about<Data: Serialize>(notice: &CanonicalNotice<Data>, external_id: String) -> Self {
        Self {
            notice_id: notice.id.clone(),
            r#type: notice.r#type,
            external_id,
            body: notice.to_json(),
            address: None,
        }
    }

    /// A notice without a signature.
    pub const fn unsigned(
        notice_id: String,
        r#type: &'static str,
        external_id: String,
        body: String,
        address: NoticeAddress,
    ) -> Self {
        Self {
            notice_id,
            r#type,
            external_id,
            body,
            address: Some(address),
        }
    }
}

/// A notice and the pause before it is sent.
#[derive(Debug, Clone)]
pub struct ScheduledNotice {
    pub outgoing: OutgoingNotice,
    pub after: Duration,
}

/// The timing of the notices of one sale.
#[derive(Debug, Clone, Copy)]
pub struct NoticeTiming {
    /// How many additional times each notice is sent, without a pause.
    pub duplicates: u8,
    pub delay: Duration,
}

impl NoticeTiming {
    /// The time between the events of two successive notices. It is never zero.
    pub fn step(self) -> chrono::Duration {
        let milliseconds = i64::try_from(self.delay.as_millis()).unwrap_or(0);
        chrono::Duration::milliseconds(milliseconds.max(1))
    }

    pub fn of<Data: Serialize>(
        self,
        notices: &[CanonicalNotice<Data>],
        external_id: &str,
    ) -> Vec<ScheduledNotice> {
        let mut scheduled = Vec::new();
        for (place, notice) in notices.iter().enumerate() {
            let outgoing = OutgoingNotice::about(notice, external_id.to_owned());
            for copy in 0..=self.duplicates {
                let waits = place > 0 && copy == 0;
                scheduled.push(ScheduledNotice {
                    outgoing: outgoing.clone(),
                    after: if waits { self.delay } else { Duration::ZERO },
                });
            }
        }
        scheduled
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Delivery {
    pub notice_id: String,
    pub provider: Provider,
    pub r#type: &'static str,
    /// The id of the sale, the charge or the payout.
    pub external_id: String,
    pub status: DeliveryStatus,
    pub tries: u32,
    /// The status of the last try; `None` if there was no response.
    pub http_status: Option<u16>,
    pub last_tried_at: Option<DateTime<Utc>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    Waiting,
    Delivered,
    /// The gateway refused it, and it is not sent again.
    Refused,
    GivenUp,
}

#[derive(Clone)]
pub struct Deliveries {
    gateway: Arc<ReceivingGateway>,
    client: reqwest::Client,
    kept: Arc<Mutex<VecDeque<(u64, Delivery)>>>,
}

impl Deliveries {
    pub fn new(gateway: ReceivingGateway) -> Result<Self, reqwest::Error> {
        let client = client_builder().timeout(TIMEOUT).build()?;
        Ok(Self {
            gateway: Arc::new(gateway),
            client,
            kept: Arc::default(),
        })
    }

    /// The latest deliveries, the newest first.
    pub fn list(&self) -> Vec<Delivery> {
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .rev()
            .map(|(_, kept)| kept.clone())
            .collect()
    }

    /// Sends the notices in order, in the background. The next notice is sent whether or not the previous one was
    /// accepted.
    pub fn send(&self, provider: Provider, notices: Vec<ScheduledNotice>) {
        let deliveries = self.clone();
        spawn_once("sandbox notice", async move {
            for scheduled in notices {
                tokio::time::sleep(scheduled.after).await;
                deliveries.deliver(provider, scheduled.outgoing).await;
            }
        });
    }

    /// Tries once. Retries in the background if the notice was neither accepted nor refused.
    pub async fn deliver(&self, provider: Provider, outgoing: OutgoingNotice) {
        let number = self.keep(provider, &outgoing);
        if self.attempt(provider, number, &outgoing).await == DeliveryStatus::Waiting {
            let later = self.clone();
            spawn_once("sandbox notice", async move {
                later.retry(provider, number, &outgoing).await
            });
        }
    }

    async fn retry(&self, provider: Provider, number: u64, outgoing: &OutgoingNotice) {
        let mut pause = FIRST_PAUSE;
        for _ in 1..TRIES_MAX {
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(PAUSE_MAX);
            if self.attempt(provider, number, outgoing).await != DeliveryStatus::Waiting {
                return;
            }
        }
        self.update(number, |delivery| delivery.status = DeliveryStatus::GivenUp);
    }

    async fn attempt(&self, provider: Provider, number: u64, outgoing: &OutgoingNotice) -> DeliveryStatus {
        let request = match &outgoing.address {
            Some(address) => self
                .client
                .post(&address.url)
                .header("content-type", address.content_type),
            None => self.signed(provider, &outgoing.body),
        };
        let answer = request.body(outgoing.body.clone()).send().await;
        let http_status = answer.as_ref().ok().map(|answer| answer.status().as_u16());
        let status = match http_status {
            Some(200..=299) => DeliveryStatus::Delivered,
            // Not tried again. Any other error can pass: a signature, for example, is valid once the secrets are right.
            Some(400 | 404 | 413 | 422) => DeliveryStatus::Refused,
            _ => DeliveryStatus::Waiting,
        };
        self.update(number, |delivery| {
            delivery.status = status;
            delivery.tries += 1;
            delivery.http_status = http_status;
            delivery.last_tried_at = Some(Utc::now());
        });
        status
    }

    fn signed(&self, provider: Provider, body: &str) -> RequestBuilder {
        let secret = self.gateway.secrets.current(provider).unwrap_or_default();
        let signature = sign(secret, Utc::now().timestamp(), body.as_bytes());
        let url = format!("{}/api/webhooks/{}", self.gateway.url, provider.slug());
        self.client
            .post(url)
            .header(SIGNATURE_HEADER, signature)
            .header("content-type", "application/json")
    }

    fn keep(&self, provider: Provider, outgoing: &OutgoingNotice) -> u64 {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let number = kept.back().map_or(0, |(number, _)| number + 1);
        let delivery = Delivery {
            notice_id: outgoing.notice_id.clone(),
            provider,
            r#type: outgoing.r#type,
            external_id: outgoing.external_id.clone(),
            status: DeliveryStatus::Waiting,
            tries: 0,
            http_status: None,
            last_tried_at: None,
        };
        kept.push_back((number, delivery));
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
        number
    }

    fn update(&self, number: u64, change: impl FnOnce(&mut Delivery)) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(place) = kept.binary_search_by_key(&number, |(number, _)| *number) {
            change(&mut kept[place].1);
        }
    }
}
