//! The acquirer's side: captures over HTTP/1.1 on connections that stay open. The next request of a connection is sent
//! after the acknowledgment of the last. It uses bare sockets, because it shares the processors with the measured
//! program. Its own processor time is measured separately.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::Utc;
use gateway_platform::providers::{CanonicalNotice, CanonicalSale, sign};
use ledger_domain::BusinessId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::BenchError;
use super::pace::Pace;
use crate::installation::{Installation, PROVIDER_SECRET};

/// The header of an answer that names the positions of its events.
const POSITION: &str = "ledger-position";

/// What a load sends, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    pub connections: usize,
    /// The number of notices in a request. One notice is an object, several are an array.
    pub notices: usize,
    /// All captures are of one company.
    pub hot: bool,
    /// The captures a second of all connections. Without it, each connection sends as fast as it is answered.
    pub per_second: Option<u64>,
}

impl Load {
    pub const fn of(connections: usize) -> Self {
        Self {
            connections,
            notices: 1,
            hot: false,
            per_second: None,
        }
    }
}

/// The acknowledged captures or INSERTs of one round.
#[derive(Debug, Default)]
pub struct Acknowledged {
    pub count: u64,
    pub latencies_micros: Vec<u32>,
    /// When each request was acknowledged, and the shard and the position that its answer named. Answers that name
    /// several shards are left out.
    pub positions: Vec<(Instant, u8, i64)>,
    pub elapsed: Duration,
}

/// When a round ends.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    After(Duration),
    Captures(u64),
}

pub struct NoticeSender {
    addr: SocketAddr,
    businesses: Arc<[BusinessId]>,
    /// The number of the next sale, so that each sale is new.
    next_sale: Arc<AtomicU64>,
}

impl NoticeSender {
    pub fn new(installation: &Installation, addr: SocketAddr) -> Self {
        Self {
            addr,
            businesses: installation.businesses.clone().into(),
            next_sale: Arc::default(),
        }
    }

    /// For an installation that has recorded sales with smaller numbers.
    pub fn numbered_from(installation: &Installation, addr: SocketAddr, next_sale: u64) -> Self {
        let sender = Self::new(installation, addr);
        sender.next_sale.store(next_sale, Ordering::Relaxed);
        sender
    }

    pub async fn send(&self, load: Load, until: Until) -> Result<Acknowledged, BenchError> {
        let mut streams = Vec::new();
        for _ in 0..load.connections {
            let stream = TcpStream::connect(self.addr).await?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let began = Instant::now();
        let first_sale = self.next_sale.load(Ordering::Relaxed);
        let sending = streams.into_iter().enumerate().map(|(number, stream)| {
            let connection = Connection {
                stream,
                load,
                businesses: Arc::clone(&self.businesses),
                next_sale: Arc::clone(&self.next_sale),
                pace: Pace::of(load.per_second, load.notices, load.connections, number, began),
            };
            let end = End {
                began,
                first_sale,
                until,
            };
            tokio::spawn(connection.send_until(end))
        });
        let mut all = Acknowledged::default();
        for sent in futures::future::join_all(sending).await {
            let sent = sent??;
            all.count += sent.count;
            all.latencies_micros.extend(sent.latencies_micros);
            all.positions.extend(sent.positions);
        }
        all.elapsed = began.elapsed();
        Ok(all)
    }

    /// Sends one capture on a new connection.
    pub async fn send_one(&self) -> Result<(), BenchError> {
        self.send(Load::of(1), Until::Captures(1)).await.map(|_| ())
    }
}

struct End {
    began: Instant,
    first_sale: u64,
    until: Until,
}

impl End {
    fn is_reached(&self, next_sale: u64) -> bool {
        match self.until {
            Until::After(duration) => self.began.elapsed() >= duration,
            Until::Captures(count) => next_sale >= self.first_sale + count,
        }
    }
}

struct Connection {
    stream: TcpStream,
    load: Load,
    businesses: Arc<[BusinessId]>,
    next_sale: Arc<AtomicU64>,
    pace: Option<Pace>,
}

impl Connection {
    async fn send_until(mut self, end: End) -> Result<Acknowledged, BenchError> {
        let mut acknowledged = Acknowledged::default();
        let mut answer = Vec::with_capacity(2_048);
        while !end.is_reached(self.next_sale.load(Ordering::Relaxed)) {
            let request = self.request();
            let sent_at = match &mut self.pace {
                Some(pace) => pace.wait().await,
                None => Instant::now(),
            };
            self.stream.write_all(&request).await?;
            let head = read_answer(&mut self.stream, &mut answer).await?;
            let now = Instant::now();
            let micros = (now - sent_at).as_micros();
            acknowledged.count += self.load.notices as u64;
            acknowledged
                .latencies_micros
                .push(u32::try_from(micros).unwrap_or(u32::MAX));
            if head.status != 200 {
                let body = String::from_utf8_lossy(&answer);
                return Err(format!("a capture got the status {}: {body}", head.status).into());
            }
            if let Some((shard, position)) = head.position {
                acknowledged.positions.push((now, shard, position));
            }
        }
        Ok(acknowledged)
    }

    fn request(&self) -> Vec<u8> {
        let count = self.load.notices as u64;
        let first = self.next_sale.fetch_add(count, Ordering::Relaxed);
        let notices: Vec<String> = (first..first + count).map(|number| self.notice(number)).collect();
        let body = match notices.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(",")),
        };
        let signature = sign(
            PROVIDER_SECRET.as_bytes(),
            Utc::now().timestamp(),
            body.as_bytes(),
        );
        format!(
            "POST /api/webhooks/zoop HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             x-signature: {signature}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }

    fn notice(&self, number: u64) -> String {
        let companies = if self.load.hot {
            1
        } else {
            self.businesses.len() as u64
        };
        let company = usize::try_from(number % companies).unwrap_or_default();
        CanonicalNotice {
            id: format!("bench-{number}"),
            r#type: "sale.captured",
            occurred_at: Utc::now(),
            data: CanonicalSale {
                business_id: Some(self.businesses[company].to_string()),
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
        }
        .to_json()
    }
}

/// The part of an answer's head that the benchmark reads.
#[derive(Debug, PartialEq, Eq)]
struct AnswerHead {
    status: u16,
    content_length: usize,
    /// The shard and the position, if the answer names one shard.
    position: Option<(u8, i64)>,
}

/// Reads one whole answer into `answer`.
async fn read_answer(stream: &mut TcpStream, answer: &mut Vec<u8>) -> Result<AnswerHead, BenchError> {
    answer.clear();
    loop {
        if stream.read_buf(answer).await? == 0 {
            return Err("the gateway closed a connection".into());
        }
        let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = read_head(std::str::from_utf8(&answer[..end])?)?;
        if answer.len() >= end + 4 + head.content_length {
            return Ok(head);
        }
    }
}

fn read_head(text: &str) -> Result<AnswerHead, BenchError> {
    let value = |wanted: &str| {
        let headers = text.lines().filter_map(|line| line.split_once(':'));
        let mut values = headers.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        values.next().map(|(_, value)| value.trim())
    };
    let status = text.split(' ').nth(1).ok_or("an answer without a status")?;
    let position = value(POSITION)
        .and_then(|value| value.split_once(':'))
        .and_then(|(shard, position)| Some((shard.parse().ok()?, position.parse().ok()?)));
    Ok(AnswerHead {
        status: status.parse()?,
        content_length: value("content-length").map_or(Ok(0), str::parse)?,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_answer_names_its_position() {
        let read = |text| read_head(text).expect("a head");
        assert_eq!(
            read("HTTP/1.1 200 OK\r\nLedger-Position: 3:17\r\nContent-Length: 12"),
            AnswerHead {
                status: 200,
                content_length: 12,
                position: Some((3, 17)),
            }
        );
        // An array of several companies: no single position.
        assert_eq!(
            read("HTTP/1.1 200 OK\r\nledger-position: 3:17,4:1").position,
            None
        );
    }
}
