use std::io::{self, BufReader, Read};

use super::*;

/// A file that repeats a movement, and is made while it is read.
struct LongFile {
    movement: Vec<u8>,
    /// The next byte of the movement.
    at: usize,
    repeats_left: u32,
}

impl Read for LongFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.movement.len() && self.repeats_left > 0 {
            self.repeats_left -= 1;
            self.at = 0;
        }
        let count = (&self.movement[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[test]
fn every_movement_of_a_file_of_40_000_lines_is_read() {
    let file = cnab240::write_file("237", &[paid("1")]);
    let movement: String = file.split_inclusive('\n').skip(2).take(2).collect();
    let source = LongFile {
        at: movement.len(),
        movement: movement.into_bytes(),
        repeats_left: 20_000,
    };
    let (mut movements, mut bad) = (0, vec![]);
    for found in ReturnFile::new(BufReader::new(source)) {
        match found.expect("memory does not fail") {
            Ok(movement) => movements += i64::from(movement.payment.paid == Cents::new(151_00)),
            Err(line) => bad.push(line),
        }
    }
    assert_eq!(movements, 20_000);
    // Two lines for each movement, and no trailer.
    assert_eq!(bad, [self::bad(2 * 20_000 + 1, LineError::Unfinished)]);
}

/// Segment T has the payer's name before the fee.
#[test]
fn names_with_accents_move_no_field_in_latin_1_and_utf_8() {
    let file = cnab240::write_file("237", &[paid("1")]);
    let named = with_line(&file, 3, |line| {
        let (before, after) = (&line[..148], &line[155..]);
        format!("{before}CONCEIÇ{after}")
    });
    let read_as = |bytes: &[u8]| read::<cnab240::Cnab240>(bytes);
    let plain = read_as(file.as_bytes());
    assert_eq!((plain.0.len(), &plain.1, &plain.2), (1, &vec![], &vec![]));
    let latin1: Vec<u8> = named.chars().map(|letter| letter as u8).collect();
    for bytes in [latin1, named.clone().into_bytes()] {
        assert_eq!(read_as(&bytes), plain);
    }
    let marked = read_as(format!("\u{FEFF}{named}").as_bytes());
    assert_eq!((marked.0, marked.1), (plain.0, plain.1));
    assert_eq!(marked.2, [mended(Mend::ByteOrderMark, 1, 1)]);
}

#[test]
fn an_error_of_the_source_is_not_a_bad_line_and_ends_the_file() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let mut records = CardFile::new(BufReader::new(Fails));
    assert!(records.next().is_some_and(|found| found.is_err()));
    assert!(records.next().is_none());
}
