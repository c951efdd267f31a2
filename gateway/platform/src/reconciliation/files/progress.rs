//! Counts the bytes and lines of a file while it is read.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gateway_formats::settlement_files::{Format, Records};

use super::Batch;
use super::notes::mended_record;

/// How far the file was read, including the bytes that wait in the buffer.
#[derive(Default)]
pub(super) struct Progress {
    bytes: AtomicU64,
    lines: AtomicU64,
    /// Whether the last byte was a carriage return, whose line feed may follow.
    after_return: AtomicBool,
}

impl Progress {
    /// The batch with the progress of reading and what was mended.
    pub fn finished<R: BufRead, F: Format>(&self, batch: Batch, records: &mut Records<R, F>) -> Batch {
        Batch {
            mended: records.take_mends().into_iter().map(mended_record).collect(),
            bytes_read: self.bytes.load(Ordering::Relaxed),
            lines_read: self.lines.load(Ordering::Relaxed),
            ..batch
        }
    }

    fn add(&self, bytes: &[u8]) {
        let mut after_return = self.after_return.load(Ordering::Relaxed);
        let mut lines = 0;
        for byte in bytes {
            lines += u64::from(*byte == b'\r' || (*byte == b'\n' && !after_return));
            after_return = *byte == b'\r';
        }
        self.after_return.store(after_return, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.lines.fetch_add(lines, Ordering::Relaxed);
    }
}

pub(super) struct CountingReader<R> {
    pub source: R,
    pub progress: Arc<Progress>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.progress.add(&buffer[..read]);
        Ok(read)
    }
}
