//! A small SMTP server that accepts e-mails, or refuses their recipients with the test's reply.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub struct SmtpServer {
    pub addr: SocketAddr,
    accepted: Arc<Mutex<Vec<String>>>,
    serving: JoinHandle<()>,
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl SmtpServer {
    pub async fn start(addr: SocketAddr, reply_to_recipient: &'static str) -> Self {
        let listener = TcpListener::bind(addr).await.expect("a free address");
        let addr = listener.local_addr().expect("its address");
        let accepted: Arc<Mutex<Vec<String>>> = Arc::default();
        let all = Arc::clone(&accepted);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, reply_to_recipient, Arc::clone(&all)));
            }
        });
        Self {
            addr,
            accepted,
            serving,
        }
    }

    /// The received e-mails as they were sent, each after its RCPT line.
    pub fn accepted(&self) -> Vec<String> {
        self.accepted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

async fn serve(stream: TcpStream, reply_to_recipient: &'static str, accepted: Arc<Mutex<Vec<String>>>) {
    let (reading, mut writing) = stream.into_split();
    let mut lines = BufReader::new(reading).lines();
    let mut received = String::new();
    let mut reply = "220 test ready";
    loop {
        let written = writing.write_all(format!("{reply}\r\n").as_bytes()).await;
        let Ok(Some(line)) = lines.next_line().await else {
            return;
        };
        if written.is_err() {
            return;
        }
        reply = match line.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250 test",
            "MAIL" => "250 go on",
            "RCPT" => {
                received = format!("{line}\n");
                reply_to_recipient
            }
            "DATA" => {
                let _ = writing.write_all(b"354 write\r\n").await;
                while let Ok(Some(line)) = lines.next_line().await {
                    if line == "." {
                        break;
                    }
                    received.push_str(line.strip_prefix('.').unwrap_or(&line));
                    received.push('\n');
                }
                accepted
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(std::mem::take(&mut received));
                "250 accepted"
            }
            _ => "221 bye",
        };
    }
}
