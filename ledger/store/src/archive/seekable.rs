//! Files of lines in the seekable format of Zstandard: frames that are compressed each for itself, and a table of their
//! sizes at the end. Any program for zstd reads such a file as a whole; this one also reads single frames.
//!
//! The format is specified in `contrib/seekable_format` of facebook/zstd. Its table is without checksums here, because
//! each frame has its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use zstd::bulk;
use zstd::zstd_safe::CParameter;

const SKIPPABLE: u32 = 0x184D_2A5E;
const SEEKABLE: u32 = 0x8F92_EAB1;
/// Numbers of frames, the table's flags, and the mark of the format.
const FOOTER_BYTES: i64 = 9;
/// Compressed and decompressed size.
const ENTRY_BYTES: usize = 8;
pub(super) struct Writer<W> {
    out: W,
    lines_per_frame: usize,
    level: i32,
    lines: usize,
    frame: Vec<u8>,
    sizes: Vec<(u32, u32)>,
}

impl<W: Write> Writer<W> {
    pub fn new(out: W, lines_per_frame: usize, level: i32) -> Self {
        Self {
            out,
            lines_per_frame,
            level,
            lines: 0,
            frame: vec![],
            sizes: vec![],
        }
    }

    /// The line has no line break.
    pub fn push(&mut self, line: &[u8]) -> io::Result<()> {
        self.frame.extend_from_slice(line);
        self.frame.push(b'\n');
        self.lines += 1;
        if self.lines == self.lines_per_frame {
            self.end_frame()?;
        }
        Ok(())
    }

    fn end_frame(&mut self) -> io::Result<()> {
        let mut compressor = bulk::Compressor::new(self.level)?;
        compressor.set_parameter(CParameter::ChecksumFlag(true))?;
        let compressed = compressor.compress(&self.frame)?;
        self.out.write_all(&compressed)?;
        self.sizes
            .push((size(compressed.len())?, size(self.frame.len())?));
        self.frame.clear();
        self.lines = 0;
        Ok(())
    }

    /// Writes the table.
    pub fn finish(mut self) -> io::Result<W> {
        if self.lines > 0 {
            self.end_frame()?;
        }
        let mut table = vec![];
        for (compressed, decompressed) in &self.sizes {
            table.extend(compressed.to_le_bytes());
            table.extend(decompressed.to_le_bytes());
        }
        table.extend(size(self.sizes.len())?.to_le_bytes());
        table.push(0);
        table.extend(SEEKABLE.to_le_bytes());
        self.out.write_all(&SKIPPABLE.to_le_bytes())?;
        self.out.write_all(&size(table.len())?.to_le_bytes())?;
        self.out.write_all(&table)?;
        Ok(self.out)
    }
}

fn size(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| io::Error::other("a frame of 4 GiB or more"))
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// A frame's place in the file.
#[derive(Debug, Clone, Copy)]
struct Frame {
    offset: u64,
    compressed: u32,
    decompressed: u32,
}

pub(super) struct Reader {
    file: File,
    frames: Vec<Frame>,
}

impl Reader {
    /// Reads the table. A file without it, such as one that was cut, is invalid.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < FOOTER_BYTES.unsigned_abs() {
            return Err(invalid("the file is too short"));
        }
        file.seek(SeekFrom::End(-FOOTER_BYTES))?;
        let mut footer = [0; FOOTER_BYTES as usize];
        file.read_exact(&mut footer)?;
        let [c0, c1, c2, c3, flags, mark @ ..] = footer;
        if u32::from_le_bytes(mark) != SEEKABLE || flags != 0 {
            return Err(invalid("the file does not end with a table of frames"));
        }
        let count = u32::from_le_bytes([c0, c1, c2, c3]) as usize;
        let table = count * ENTRY_BYTES;
        let start = length
            .checked_sub(FOOTER_BYTES.unsigned_abs() + table as u64)
            .ok_or_else(|| invalid("the table of frames is longer than the file"))?;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = vec![0; table];
        file.read_exact(&mut bytes)?;
        let mut offset = 0;
        let frames = bytes.chunks_exact(ENTRY_BYTES).map(|entry| {
            let number =
                |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
            let frame = Frame {
                offset,
                compressed: number(0),
                decompressed: number(4),
            };
            offset += u64::from(frame.compressed);
            frame
        });
        let frames = frames.collect();
        // The table's own mark and size stand between the frames and the table.
        if offset + 8 != start {
            return Err(invalid("the frames do not fill the file"));
        }
        Ok(Self { file, frames })
    }

    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The lines of a frame.
    pub fn lines(&mut self, frame: usize) -> io::Result<Vec<String>> {
        let frame = *self
            .frames
            .get(frame)
            .ok_or_else(|| invalid("a frame is missing"))?;
        self.file.seek(SeekFrom::Start(frame.offset))?;
        let mut compressed = vec![0; frame.compressed as usize];
        self.file.read_exact(&mut compressed)?;
        let text = bulk::decompress(&compressed, frame.decompressed as usize)?;
        let text = String::from_utf8(text).map_err(|_| invalid("a line is not UTF-8"))?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(lines: &[&str]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut writer = Writer::new(file.reopen().expect("the file"), 2, 3);
        lines
            .iter()
            .for_each(|line| writer.push(line.as_bytes()).expect("a line"));
        writer.finish().expect("a table");
        file
    }

    #[test]
    fn frames_can_be_read_alone_and_other_programs_read_the_whole() {
        let file = written(&["one", "dois", "três", "quatro", "cinco"]);
        let mut reader = Reader::open(file.path()).expect("a table");
        assert_eq!(reader.frames(), 3);
        assert_eq!(reader.lines(2).expect("lines"), ["cinco"]);
        assert_eq!(reader.lines(0).expect("lines"), ["one", "dois"]);
        assert!(reader.lines(3).is_err());
        let whole = zstd::stream::decode_all(File::open(file.path()).expect("the file")).expect("a stream");
        assert_eq!(
            String::from_utf8(whole).expect("text"),
            "one\ndois\ntrês\nquatro\ncinco\n"
        );
    }

    #[test]
    fn a_file_that_was_cut_or_changed_is_refused() {
        let file = written(&["one", "two", "three"]);
        let whole = std::fs::read(file.path()).expect("bytes");
        for length in [0, 5, 20, whole.len() - 1] {
            std::fs::write(file.path(), &whole[..length]).expect("a cut file");
            assert!(Reader::open(file.path()).is_err(), "{length}");
        }
        std::fs::write(file.path(), &whole[4..]).expect("a file without its first bytes");
        assert!(Reader::open(file.path()).is_err());
        let mut changed = whole;
        changed[10] ^= 1;
        std::fs::write(file.path(), &changed).expect("a changed file");
        let mut reader = Reader::open(file.path()).expect("a table");
        assert!(reader.lines(0).is_err());
    }
}
