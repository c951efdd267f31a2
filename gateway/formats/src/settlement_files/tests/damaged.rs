//! Files with damage that hides no payment: it is mended and told.

use super::*;

/// The same payment in files of another writer, each with one kind of damage.
#[test]
fn a_damaged_file_has_the_payments_of_the_whole_one_and_says_what_was_mended() {
    for (name, mend) in [
        ("trim.ret", mended(Mend::ShortLine, 3, 2)),
        ("extra_space.ret", mended(Mend::LongLine, 3, 2)),
        ("cr_only.ret", mended(Mend::CarriageReturn, 1, 5)),
        ("blank_first_line.ret", mended(Mend::BlankLine, 1, 1)),
        (
            "trailer_count_zero.ret",
            mended(Mend::Count { stated: 0, found: 6 }, 6, 1),
        ),
    ] {
        let (movements, bad, mends) = read::<cnab240::Cnab240>(&bank_file(name));
        assert_eq!((bad, mends), (vec![], vec![mend]), "{name}");
        let [movement] = &movements[..] else {
            panic!("{name}: {movements:?}");
        };
        let payment = &movement.payment;
        assert_eq!(
            (payment.paid, payment.net, payment.credited_on),
            (Cents::new(150_00), Some(Cents::new(150_00)), date("2026-11-23")),
            "{name}"
        );
    }
}

fn damaged(change: impl Fn(String) -> Vec<u8>) -> Outcome<BoletoMovement> {
    let movements = [paid("1"), paid("2")];
    let file = cnab240::write_file("237", &movements);
    let (found, bad, mends) = without_lines(read::<cnab240::Cnab240>(&change(file)));
    assert_eq!((&found[..], &bad), (&movements[..], &vec![]));
    (found, bad, mends)
}

#[test]
fn both_orders_of_utf_16_are_read() {
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let (_, _, mends) = damaged(|file| {
            let marked = format!("\u{FEFF}{file}");
            marked.encode_utf16().flat_map(order).collect()
        });
        assert_eq!(mends, [mended(Mend::Utf16, 1, 1)]);
    }
}

#[test]
fn lines_may_miss_some_of_their_blanks_and_segments_y_stand_between_t_and_u() {
    let (_, _, mends) = damaged(|file| {
        let lines = file.lines().map(|line| format!("{}\n", &line[..237]));
        lines.collect::<String>().into_bytes()
    });
    assert_eq!(mends, [mended(Mend::ShortLine, 3, 4)]);
    let with_y = |file: String| {
        let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
        let segment_y = format!("{:<240}", "2370001300003Y 06030000000000000001");
        lines.insert(3, segment_y);
        lines[6] = lines[6].replacen("2370001300004U", "2370001300005U", 1);
        lines.join("\r\n").into_bytes()
    };
    let (_, _, mends) = damaged(with_y);
    // The trailer was written without the further line.
    assert_eq!(mends, [mended(Mend::Count { stated: 8, found: 9 }, 9, 1)]);
}

/// A character that is missing in the middle moves the fields behind it, so such a line must not be read as one that
/// misses a blank at its end.
#[test]
fn a_line_that_lost_a_character_in_the_middle_is_not_read() {
    let file = cnab240::write_file("237", &[paid("1"), paid("2")]);
    // In segment U (line 6): before the paid amount, and within it.
    for place in [30, 80] {
        let changed = with_line(&file, 6, |line| {
            format!("{}{}", &line[..place], &line[place + 1..])
        });
        let (found, bad_lines, _) = read_cnab(&changed);
        assert_eq!(found, [paid("1")], "{place}");
        let length = LineError::Length {
            found: 239,
            expected: LINE_LENGTH,
        };
        assert_eq!(bad_lines, [bad(6, length)], "{place}");
    }
    let file = cnab400::write_file("237", &[paid("1")]).expect("a known bank");
    let changed = with_line(&file, 2, |line| format!("{}{}", &line[..100], &line[101..]));
    let (found, bad_lines, _) = read::<cnab400::Cnab400>(changed.as_bytes());
    assert_eq!((found.len(), bad_lines.len()), (0, 1));
}

#[test]
fn fields_that_are_not_needed_for_the_amount_are_told_and_keep_the_payment() {
    let file = cnab240::write_file("237", &[paid("1")]);
    let replaced = |number, from: usize, text: &str| {
        let changed = with_line(&file, number, |line| {
            format!("{}{text}{}", &line[..from - 1], &line[from - 1 + text.len()..])
        });
        read_cnab(&changed)
    };
    for (number, from, text, name) in [
        (3, 199, "0000000000000  ", "fee"),
        (3, 74, "31022026", "due"),
        (4, 93, "00000000001x850", "net"),
        (4, 138, "20261211", "event_date"),
        (4, 146, "99999999", "credit_date"),
    ] {
        let (found, bad_lines, mends) = replaced(number, from, text);
        assert_eq!((found.len(), bad_lines), (1, vec![]), "{name}");
        assert_eq!(found[0].payment.paid, Cents::new(151_00));
        assert_eq!(mends, [mended(Mend::Field { name }, number as u64, 1)]);
    }
    // Without its paid amount the line is bad.
    let (found, bad_lines, _) = replaced(4, 78, "00000000001x100");
    assert_eq!((found.len(), bad_lines.len()), (0, 1));
}

/// Two ways of counting; the second is believed only if the batches have all their lines.
#[test]
fn a_trailer_may_leave_out_the_file_s_header_and_trailer() {
    let file = cnab240::write_file("237", &[paid("1"), paid("2")]);
    let counts = |stated: &str| with_line(&file, 8, |line| format!("{}{stated}{}", &line[..23], &line[29..]));
    assert_eq!(read_cnab(&counts("000006")).2, []);
    assert_eq!(
        read_cnab(&counts("000007")).2,
        [mended(Mend::Count { stated: 7, found: 8 }, 8, 1)]
    );
    // A file that lost a movement of two lines on its way.
    let lost: String = file
        .lines()
        .enumerate()
        .filter(|(index, _)| !(4..6).contains(index))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    assert_eq!(
        read_cnab(&lost).2,
        [mended(Mend::Count { stated: 8, found: 6 }, 6, 1)]
    );
}
