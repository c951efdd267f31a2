//! A file of JSON lines to which each change is appended, so that the sandbox's payouts and charges survive a restart.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Without a file it writes nothing.
#[derive(Default)]
pub struct JsonLines(Option<File>);

impl JsonLines {
    /// Opens the file and reads its lines, the oldest first. Fails if a whole line cannot be read.
    pub fn open<Line: DeserializeOwned>(path: Option<&Path>) -> std::io::Result<(Self, Vec<Line>)> {
        let Some(path) = path else {
            return Ok((Self::default(), Vec::new()));
        };
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)?;
        let mut reader = BufReader::new(&file);
        let (mut lines, mut kept, mut number) = (Vec::new(), 0, 0);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            number += 1;
            // The last line was cut short, by a kill for example. It is dropped.
            let Some(text) = line.strip_suffix(b"\n") else {
                file.set_len(kept)?;
                break;
            };
            if !text.is_empty() {
                let change = serde_json::from_slice(text);
                lines.push(change.map_err(|error| unreadable(path, number, &error))?);
            }
            kept += line.len() as u64;
            line.clear();
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

fn unreadable(path: &Path, number: usize, error: &serde_json::Error) -> std::io::Error {
    let path = path.display();
    std::io::Error::other(format!(
        "{path}: line {number} is unreadable ({error}). Remove the file to start the sandbox without its entries."
    ))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn opened(path: &Path) -> (JsonLines, Vec<u32>) {
        JsonLines::open(Some(path)).expect("readable lines")
    }

    #[test]
    fn a_change_that_a_kill_cut_short_is_dropped_and_the_file_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        fs::write(&path, "1\n2\n[3").expect("a file");
        let (mut file, lines) = opened(&path);
        assert_eq!(lines, [1, 2]);
        file.append(&4);
        for _ in 0..2 {
            assert_eq!(opened(&path).1, [1, 2, 4]);
        }
        assert_eq!(fs::read_to_string(&path).expect("the file"), "1\n2\n4\n");
    }

    #[test]
    fn a_whole_line_that_cannot_be_read_is_an_error_with_its_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lines");
        fs::write(&path, "1\n\n{}\n2\n").expect("a file");
        let error = JsonLines::open::<u32>(Some(&path))
            .err()
            .map(|error| error.to_string());
        let error = error.expect("an error");
        assert!(error.contains("line 3"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "1\n\n{}\n2\n");
    }
}
