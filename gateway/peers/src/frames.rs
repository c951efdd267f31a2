//! What travels on a connection: frames of JSON, each with its length before it. Both ends begin with [`Hello`].

use std::io;

use ledger_store::lane::{Answer, Work};
use ledger_store::peers::PROTOCOL;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The largest frame. A settlement of many sales is the largest command, of some megabytes.
const FRAME_MAX: u32 = 64 << 20;

/// Processes of different protocols do not talk: a field that one of them does not know would be lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub process: String,
}

impl Hello {
    pub fn of(process: &str) -> Self {
        Self {
            protocol: PROTOCOL,
            process: process.to_owned(),
        }
    }
}

/// From the process that sends commands. The number of a command is repeated with its answer.
#[derive(Serialize, Deserialize)]
pub enum Request {
    Commands(Vec<(u64, Box<RawValue>)>),
    /// Processes or owners of shards changed.
    Changed,
    /// Answered by `Pong`, so that a connection whose other end hangs is noticed.
    Ping,
}

#[derive(Serialize, Deserialize)]
pub enum Response {
    Answers(Vec<(u64, Box<RawValue>)>),
    Pong,
}

/// A command or an answer as its text, so that one that cannot be read does not spoil the others of its frame.
pub fn text_of(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).expect("commands and answers have text keys only")
}

pub fn work_of(text: &RawValue) -> Result<Work, serde_json::Error> {
    serde_json::from_str(text.get())
}

pub fn answer_of(text: &RawValue) -> Result<Answer, serde_json::Error> {
    serde_json::from_str(text.get())
}

/// Not flushed.
pub async fn write_frame(to: &mut (impl AsyncWrite + Unpin), frame: &impl Serialize) -> io::Result<()> {
    let bytes = serde_json::to_vec(frame)?;
    let length = u32::try_from(bytes.len())
        .ok()
        .filter(|length| *length <= FRAME_MAX);
    let length = length.ok_or_else(|| io::Error::other("the frame is too large"))?;
    to.write_u32(length).await?;
    to.write_all(&bytes).await
}

/// Not to be cancelled between two frames' bytes.
pub async fn read_frame<F: DeserializeOwned>(from: &mut (impl AsyncRead + Unpin)) -> io::Result<F> {
    let length = from.read_u32().await?;
    if length > FRAME_MAX {
        return Err(io::Error::other("the frame is too large"));
    }
    let mut bytes = vec![];
    // Grows with what arrives, so that a length alone takes no memory.
    from.take(u64::from(length)).read_to_end(&mut bytes).await?;
    if bytes.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&bytes)?)
}
