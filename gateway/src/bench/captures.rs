//! The acquirer's side: captures over HTTP/1.1 on connections that stay open, one notice a request, the next one only
//! when the last was acknowledged. Written on the bare socket, because it shares the processors with what it measures.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::BenchError;
use super::figures::Figures;
use super::installation::{Installation, SECRET};
use crate::providers::{CanonicalNotice, CanonicalSale, sign};

pub struct Teller {
    addr: SocketAddr,
    businesses: Arc<[BusinessId]>,
    /// Numbers the sales, so that each is a new one.
    told: Arc<AtomicU64>,
}

impl Teller {
    pub fn new(installation: &Installation, addr: SocketAddr) -> Self {
        Self {
            addr,
            businesses: installation.businesses.clone().into(),
            told: Arc::default(),
        }
    }

    pub async fn round(&mut self, connections: usize, each: Duration) -> Result<Figures, BenchError> {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = TcpStream::connect(self.addr).await?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let began = Instant::now();
        let telling = streams.into_iter().map(|stream| {
            let (businesses, told) = (Arc::clone(&self.businesses), Arc::clone(&self.told));
            tokio::spawn(tell(stream, businesses, told, began, each))
        });
        let mut latencies = Vec::new();
        for told in futures::future::join_all(telling).await {
            latencies.extend(told??);
        }
        Ok(Figures::of(
            latencies,
            u64::try_from(began.elapsed().as_micros())?,
        ))
    }
}

async fn tell(
    mut stream: TcpStream,
    businesses: Arc<[BusinessId]>,
    told: Arc<AtomicU64>,
    began: Instant,
    each: Duration,
) -> Result<Vec<u32>, BenchError> {
    let mut latencies = Vec::new();
    let mut answer = Vec::with_capacity(2_048);
    while began.elapsed() < each {
        let number = told.fetch_add(1, Ordering::Relaxed);
        let business = businesses[usize::try_from(number)? % businesses.len()];
        let request = request(business, number, Utc::now());
        let asked = Instant::now();
        stream.write_all(&request).await?;
        let status = read_answer(&mut stream, &mut answer).await?;
        latencies.push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
        if status != 200 {
            return Err(format!(
                "a capture was answered with {status}: {}",
                String::from_utf8_lossy(&answer)
            )
            .into());
        }
    }
    Ok(latencies)
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
    let signature = sign(SECRET.as_bytes(), now.timestamp(), body.as_bytes());
    format!(
        "POST /api/webhooks/zoop HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-signature: {signature}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Reads one answer whole, and leaves it in `answer`.
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
