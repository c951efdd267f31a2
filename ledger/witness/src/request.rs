//! The body of a request to add a checkpoint.

use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use razao_verify::merkle::Hash;
use razao_verify::note::Note;

use crate::Refusal;

pub struct Request {
    /// The size of the last checkpoint that this witness cosigned, as the sender knows it.
    pub old: u64,
    /// From that size to the checkpoint's.
    pub path: Vec<Hash>,
    pub note: Note,
}

const PATH_MAX: usize = 63;

impl FromStr for Request {
    type Err = Refusal;

    fn from_str(body: &str) -> Result<Self, Refusal> {
        let (head, note) = body.split_once("\n\n").ok_or(Refusal::Form)?;
        let mut lines = head.lines();
        let size = lines
            .next()
            .and_then(|line| line.strip_prefix("old "))
            .ok_or(Refusal::Form)?;
        let old = size.parse::<u64>().map_err(|_| Refusal::Form)?;
        let path: Vec<Hash> = lines.map(hash).collect::<Option<_>>().ok_or(Refusal::Form)?;
        if old.to_string() != size || path.len() > PATH_MAX {
            return Err(Refusal::Form);
        }
        Ok(Self {
            old,
            path,
            note: note.parse().map_err(Refusal::Note)?,
        })
    }
}

fn hash(line: &str) -> Option<Hash> {
    STANDARD.decode(line).ok()?.try_into().ok()
}
