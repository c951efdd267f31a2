use super::*;

/// The lines are not made by the writer, which could have the same wrong places as the reader.
#[test]
fn a_return_file_of_a_bank_is_read() {
    let pad = |text: &str| format!("{text:<240}\n");
    let t = format!(
        "{}{}{}{}{}{}{}{}{}",
        "2370001300001T 06",
        format_args!("{:<20}", "00912 123456"),
        format_args!("{:<20}", "109123456789"),
        "1",
        format_args!("{:<15}", "7K3QPXM2ZD"),
        "10122026",
        "000000000014990",
        "23700012",
        format_args!("{:<25}", "PEDIDO"),
    );
    assert_eq!(t.len(), 129);
    let t = format!(
        "{t:<132}1{:0>15}{:<50}{:0>15}{:<10}",
        "52998224725", "ANA", "250", ""
    );
    let u = format!(
        "2370001300002U 06{:0>15}{:0>15}{:0>15}{:0>15}{:0>15}{:0>15}{:0>15}{:0>15}1112202614122026",
        "110", "0", "0", "", "15100", "14850", "0", "0"
    );
    assert_eq!(u.len(), 153);
    let file = [
        pad("23700000"),
        pad("23700011"),
        pad(&t),
        pad(&u),
        pad("23700015         000004"),
        pad("23799999         000001000006"),
    ];
    let (movements, bad, mends) = read::<cnab240::Cnab240>(file.concat().as_bytes());
    assert_eq!((bad, mends), (vec![], vec![]));
    let mut expected = paid("109123456789");
    expected.title.line = 3;
    assert_eq!(movements, [expected]);
}

#[test]
fn each_fault_of_a_return_file_is_named_and_stops_no_other_movement() {
    let movements = [paid("1"), paid("2"), paid("3")];
    let file = cnab240::write_file("237", &movements);
    assert_eq!(read_cnab(&file), (movements.to_vec(), vec![], vec![]));
    let replaced = |number, from: usize, text: &str| {
        let changed = with_line(&file, number, |line| {
            format!("{}{text}{}", &line[..from - 1], &line[from - 1 + text.len()..])
        });
        let (found, bad, _) = read_cnab(&changed);
        assert!(found.iter().all(|movement| movements.contains(movement)));
        (
            found.len(),
            bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        )
    };
    let without_u = "line 5: segment T is not followed by its segment U";
    for (number, from, text, expected) in [
        // Line 5 is the second movement's segment T, line 6 its segment U.
        (
            5,
            1,
            "341",
            "line 5: it names the bank \"341\" instead of \"237\"; line 6: segment U does not follow its segment T",
        ),
        (
            6,
            78,
            "x",
            "line 6: the paid amount is \"x00000000015100\", not an amount",
        ),
        (
            6,
            91,
            "  ",
            "line 6: the paid amount is \"0000000000151  \", not an amount",
        ),
        (6, 16, "09", "line 6: segments T and U have different movements"),
        (6, 16, "x6", "line 6: segments T and U have different movements"),
        (
            6,
            8,
            "7",
            &format!("{without_u}; line 6: records of type '7' are unknown"),
        ),
        (6, 14, "Y", without_u),
        (
            6,
            14,
            "A",
            &format!("{without_u}; line 6: segment 'A' is not one of boletos"),
        ),
        (10, 8, "5", "line 11: the file ends without its trailer"),
    ] {
        let left = if number == 10 { 3 } else { 2 };
        assert_eq!(
            replaced(number, from, text),
            (left, expected.to_owned()),
            "{text}"
        );
    }
    let (found, bad_lines, _) = read_cnab(&format!("{file}{file}"));
    assert_eq!((found.len(), bad_lines.len()), (3, 10));
    assert_eq!(bad_lines[0], bad(11, LineError::AfterTrailer));
}

#[test]
fn codes_have_their_meanings() {
    use {CardEntryType as C, FileKind as K};
    assert_eq!(
        [1, 2, 3, 6, 8].map(C::of),
        [
            C::Debit,
            C::Credit,
            C::Installments,
            C::Cancellation,
            C::Chargeback
        ]
    );
    assert_eq!([3, 4, 9].map(K::of), [K::Sales, K::Paid, K::Open]);
    for code in 0..=99 {
        assert_eq!(CardEntryType::of(code).code(), code);
        assert_eq!(FileKind::of(code).code(), code);
    }
}
