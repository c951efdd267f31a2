//! Takes the commands of other processes.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use ledger_store::lane::{Answer, Work};
use ledger_store::peers::PROTOCOL;
use ledger_store::supervisor::{Failure, Pulse, Supervised, Supervisor, Task, spawn_once};
use ledger_store::{Outcome, Writer};
use tokio::io::{AsyncWriteExt, BufReader, BufWriter, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::frames::{Hello, Request, Response, read_frame, text_of, work_of, write_frame};
use crate::identity::Identity;

/// A connection that says nothing for so long at its beginning is closed.
const GREETING_TIMEOUT: Duration = Duration::from_secs(5);
/// The commands of a connection that may be in progress.
const IN_PROGRESS_MAX: usize = 4_096;

/// Records the commands of other processes.
#[async_trait]
pub trait Recorder: Send + Sync + 'static {
    async fn answer_peer(&self, work: Work) -> Answer;
    fn look_for_owners(&self);
}

#[async_trait]
impl Recorder for Writer {
    async fn answer_peer(&self, work: Work) -> Answer {
        Writer::answer_peer(self, work).await
    }

    fn look_for_owners(&self) {
        Writer::look_for_owners(self);
    }
}

/// The listener for other processes. Dropping it closes it; connections end with the program.
pub struct PeerServer {
    pub addr: SocketAddr,
    _task: Supervised,
}

impl PeerServer {
    pub fn start(
        listener: TcpListener,
        identity: &Identity,
        process: &str,
        recorder: Arc<dyn Recorder>,
        supervisor: &Supervisor,
    ) -> io::Result<Self> {
        let addr = listener.local_addr()?;
        let accepting = Accepting {
            listener,
            acceptor: TlsAcceptor::from(Arc::clone(&identity.server)),
            hello: Hello::of(process),
            recorder,
        };
        Ok(Self {
            addr,
            _task: supervisor.start("listener for other processes", accepting),
        })
    }
}

struct Accepting {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    hello: Hello,
    recorder: Arc<dyn Recorder>,
}

#[async_trait]
impl Task for Accepting {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        pulse.beat();
        loop {
            let (stream, from) = self.listener.accept().await?;
            pulse.beat();
            let (acceptor, hello) = (self.acceptor.clone(), self.hello.clone());
            let recorder = Arc::clone(&self.recorder);
            spawn_once("connection of another process", async move {
                if let Err(error) = serve(stream, acceptor, hello, recorder).await {
                    tracing::info!(%from, %error, "the connection of another process ended");
                }
            });
        }
    }
}

async fn serve(
    stream: TcpStream,
    acceptor: TlsAcceptor,
    hello: Hello,
    recorder: Arc<dyn Recorder>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let greeted = timeout(GREETING_TIMEOUT, async {
        let (reading, writing) = split(acceptor.accept(stream).await?);
        let (mut reading, mut writing) = (BufReader::new(reading), BufWriter::new(writing));
        let theirs: Hello = read_frame(&mut reading).await?;
        write_frame(&mut writing, &hello).await?;
        writing.flush().await?;
        Ok::<_, io::Error>((theirs, reading, writing))
    });
    let (theirs, mut reading, mut writing) = greeted.await.map_err(|_| io::ErrorKind::TimedOut)??;
    if theirs.protocol != PROTOCOL {
        return Err(io::Error::other(format!(
            "{} speaks protocol {}, and this process {PROTOCOL}",
            theirs.process, theirs.protocol
        )));
    }
    let (requests, mut received) = mpsc::channel::<Request>(64);
    // A frame is read to its end, so its reader is not cancelled with each answer.
    let read = async move {
        loop {
            let request = read_frame(&mut reading).await?;
            if requests.send(request).await.is_err() {
                return Ok::<(), io::Error>(());
            }
        }
    };
    let answer = async move {
        let mut waiting = VecDeque::new();
        let mut in_progress = FuturesUnordered::new();
        loop {
            while in_progress.len() < IN_PROGRESS_MAX
                && let Some((number, text)) = waiting.pop_front()
            {
                in_progress.push(decide(&*recorder, number, text));
            }
            tokio::select! {
                biased;
                Some(first) = in_progress.next() => {
                    let mut answers = vec![first];
                    while let Some(Some(next)) = futures::FutureExt::now_or_never(in_progress.next()) {
                        answers.push(next);
                    }
                    let answers = answers.into_iter().map(|(number, answer)| (number, text_of(&answer)));
                    write_frame(&mut writing, &Response::Answers(answers.collect())).await?;
                    writing.flush().await?;
                }
                request = received.recv(), if waiting.is_empty() => match request {
                    Some(Request::Commands(commands)) => waiting.extend(commands),
                    Some(Request::Changed) => recorder.look_for_owners(),
                    Some(Request::Ping) => {
                        write_frame(&mut writing, &Response::Pong).await?;
                        writing.flush().await?;
                    }
                    None => return Ok::<(), io::Error>(()),
                },
            }
        }
    };
    tokio::select! {
        ended = read => ended,
        ended = answer => ended,
    }
}

async fn decide(
    recorder: &dyn Recorder,
    number: u64,
    text: Box<serde_json::value::RawValue>,
) -> (u64, Answer) {
    match work_of(&text) {
        Ok(work) => (number, recorder.answer_peer(work).await),
        // Of one protocol, both ends know each command. Nothing was recorded.
        Err(error) => {
            tracing::error!(code = "peer_command_unreadable", %error, "a command of another process cannot be read");
            (number, Answer::Outcome(Outcome::NotOwner))
        }
    }
}
