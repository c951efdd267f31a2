//! A file of JSON lines to which each change is appended, so that the sandbox's state survives a restart.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Without a file it writes nothing.
#[derive(Default)]
pub struct JsonLines(Option<File>);

impl JsonLines {
    /// Opens the file and reads its lines, the oldest first.
    pub fn open<Line: DeserializeOwned>(path: Option<&Path>) -> std::io::Result<(Self, Vec<Line>)> {
        let Some(path) = path else {
            return Ok((Self::default(), Vec::new()));
        };
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let mut lines = Vec::new();
        let mut truncated = false;
        for line in BufReader::new(&file).lines() {
            // A kill may have truncated the last line. That change did not happen.
            match serde_json::from_str(&line?) {
                Ok(line) => lines.push(line),
                Err(_) => truncated = true,
            }
        }
        if truncated {
            file.write_all(b"\n")?;
        }
        Ok((Self(Some(file)), lines))
    }

    pub fn append<Line: Serialize>(&mut self, line: &Line) {
        let Some(file) = &mut self.0 else {
            return;
        };
        let mut text = serde_json::to_vec(line).expect("a line of the sandbox serializes");
        text.push(b'\n');
        if let Err(error) = file.write_all(&text) {
            tracing::error!(%error, "the sandbox cannot store a change");
        }
    }
}
