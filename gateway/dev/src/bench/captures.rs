//! The acquirer's side: captures over HTTP/1.1 on connections that stay open. Each request has one notice, and the
//! next one is sent after the acknowledgment of the last. It uses bare sockets and signs all requests before the
//! clock starts, because it shares the processors with the measured program.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, sign};
use ledger_domain::BusinessId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::BenchError;
use super::figures::Figures;
use super::installation::{BenchInstallation, PROVIDER_SECRET};

/// More than two processors can answer, because each request is prepared in advance.
const PER_SECOND_MAX: u64 = 40_000;

pub struct NoticeSender {
    addr: SocketAddr,
    businesses: Vec<BusinessId>,
    /// The number of the next sale, so that each sale is new.
    next_sale: u64,
}

impl NoticeSender {
    pub fn new(installation: &BenchInstallation, addr: SocketAddr) -> Self {
        Self {
            addr,
            businesses: installation.businesses.clone(),
            next_sale: 0,
        }
    }

    pub async fn run_round(&mut self, connections: usize, duration: Duration) -> Result<Figures, BenchError> {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = TcpStream::connect(self.addr).await?;
            stream.set_nodelay(true)?;
            streams.push((stream, self.requests(connections, duration)?));
        }
        let began = Instant::now();
        let sending = streams
            .into_iter()
            .map(|(stream, requests)| tokio::spawn(send_requests(stream, requests, began, duration)));
        let mut latencies = Vec::new();
        for sent in futures::future::join_all(sending).await {
            latencies.extend(sent??);
        }
        Ok(Figures::of(
            latencies,
            u64::try_from(began.elapsed().as_micros())?,
        ))
    }

    /// More requests than one connection can send in the time.
    fn requests(&mut self, connections: usize, duration: Duration) -> Result<Vec<Vec<u8>>, BenchError> {
        let now = Utc::now();
        let count = PER_SECOND_MAX * u64::try_from(duration.as_millis())? / 1_000 / connections as u64;
        let mut requests = Vec::new();
        for number in self.next_sale..self.next_sale + count {
            let business = self.businesses[usize::try_from(number)? % self.businesses.len()];
            requests.push(request(business, number, now));
        }
        self.next_sale += count;
        Ok(requests)
    }
}

async fn send_requests(
    mut stream: TcpStream,
    requests: Vec<Vec<u8>>,
    began: Instant,
    duration: Duration,
) -> Result<Vec<u32>, BenchError> {
    let mut latencies = Vec::with_capacity(requests.len());
    let mut answer = Vec::with_capacity(2_048);
    for request in requests {
        if began.elapsed() >= duration {
            return Ok(latencies);
        }
        let sent_at = Instant::now();
        stream.write_all(&request).await?;
        let status = read_answer(&mut stream, &mut answer).await?;
        latencies.push(u32::try_from(sent_at.elapsed().as_micros()).unwrap_or(u32::MAX));
        if status != 200 {
            return Err(format!(
                "a capture got the status {status}: {}",
                String::from_utf8_lossy(&answer)
            )
            .into());
        }
    }
    Err("the benchmark has too few requests for this gateway".into())
}

fn request(business: BusinessId, number: u64, now: DateTime<Utc>) -> Vec<u8> {
    let notice = CanonicalNotice {
        id: format!("bench-{number}"),
        r#type: "sale.captured",
        occurred_at: now,
        data: CanonicalSale {
            business_id: Some(business.to_string()),
            external_id: format!("bench-{number}"),
            solution: 1,
            payment_type: "credit",
            card_brand: Some("visa".to_owned()),
            installments: 1,
            amount: 10_000,
            card_last_four: Some("4242".to_owned()),
            authorization_code: Some("123456".to_owned()),
            ..CanonicalSale::default()
        },
    };
    let body = notice.to_json();
    let signature = sign(PROVIDER_SECRET.as_bytes(), now.timestamp(), body.as_bytes());
    format!(
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-signature: {signature}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Reads one whole answer into `answer`.
async fn read_answer(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<u16, BenchError> {
    answer.clear();
    loop {
        if stream.read_buf(answer).await? == 0 {
            return Err("the gateway closed a connection".into());
        }
        let Some(head) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let text = std::str::from_utf8(&answer[..head])?;
        let length = text
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .map_or(Ok(0), |(_, length)| length.trim().parse::<usize>())?;
        if answer.len() >= head + 4 + length {
            let status = text.split(' ').nth(1).ok_or("an answer without a status")?;
            return Ok(status.parse()?);
        }
    }
}
