//! What a file is by its first lines.

use super::super::identify::{Readable, Unreadable, identify};
use super::*;

fn cnab_240(batch: &str, segment: &str) -> String {
    let pad = |text: &str| format!("{text:<240}\r\n");
    format!(
        "{}{}{}",
        pad("23700000"),
        pad(&format!("23700011{batch}")),
        pad(&format!("2370001300001{segment}"))
    )
}

fn cielo(kind: &str, version: &str) -> String {
    format!(
        "010000000012026080320260803202608030001265CIELO{kind}I{:20}{version}03N",
        ""
    )
}

#[test]
fn files_that_can_be_read_are_recognized_with_their_date() {
    for (name, format, made_on) in [
        ("cnab240_001_bb_short.ret", Readable::Cnab240, "2011-12-29"),
        ("cnab240_208_btg_bom.ret", Readable::Cnab240, "2021-06-15"),
        // Its header lost the blanks before the date.
        ("cnab240_085_ailos_short.ret", Readable::Cnab240, ""),
        ("blank_first_line.ret", Readable::Cnab240, ""),
        ("cr_only.ret", Readable::Cnab240, ""),
        ("cnab400_237_bradesco.ret", Readable::Cnab400, "2012-04-11"),
        ("cielo04.txt", Readable::CardFile, "2026-08-03"),
    ] {
        let identified = identify(&bank_file(name)).expect(name);
        assert_eq!(
            (identified.format, identified.made_on),
            (format, date(made_on)),
            "{name}"
        );
    }
    let utf16: Vec<u8> = format!("\u{FEFF}{}", cnab240::write_file("341", &[paid("1")]))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(identify(&utf16).map(|found| found.format), Ok(Readable::Cnab240));
    // A return file without movements, and headers of 240 characters in UTF-8 with letters of two bytes.
    let empty = cnab240::write_file("341", &[]);
    assert_eq!(
        identify(empty.as_bytes()).map(|found| found.format),
        Ok(Readable::Cnab240)
    );
    let header = format!("\u{FEFF}34100000{:64}PADARIA SÃO JOÃO{:152}\r\n", "", "");
    assert_eq!(
        identify(header.as_bytes()).map(|found| found.format),
        Ok(Readable::Cnab240)
    );
}

#[test]
fn other_files_are_named() {
    use Unreadable as U;
    let text = |text: &str| text.as_bytes().to_vec();
    for (content, expected) in [
        (vec![], U::Empty),
        (text(" \r\n\r\n"), U::Empty),
        (text(&cnab_240("C2045", "A000")), U::Payments),
        (text(&cnab_240("", "B")), U::Payments),
        (text(&cnab_240("D0420", "")), U::Payments),
        (text(&cnab_240("R01", "P 01")), U::Remittance),
        (text(&cnab_240("E04", "E")), U::AccountStatement),
        // Caixa's first answer to a remittance.
        (text(&cnab_240("T01", "W")), U::OtherReturn),
        (text("01REMESSA01COBRANCA"), U::Remittance),
        (
            text(&format!("02RETORNO01COBRANCA{:57}004BANCO", "")),
            U::BankOfCnab400("004".to_owned()),
        ),
        (text(&cielo("04", "014")), U::CieloVersion("014".to_owned())),
        (text(&cielo("15", "015")), U::CieloKind("15".to_owned())),
        (text(&cielo("16", "015")), U::CieloKind("16".to_owned())),
        (
            text(
                "00312202410000003122024CEADM100000000123456   10440482000154GETNET S.A.         000000012GSSANT. V.10.1 400 BYTES",
            ),
            U::Getnet,
        ),
        (
            text(
                "03026032021RedecardExtrato de Movimentacao FinanceiraLOJA 000247021644942DIARIO V3.01 - 09/06 - EEFI",
            ),
            U::Rede,
        ),
        (text("A2"), U::Unknown),
        (text(&format!("A2{:148}", "BANCO X")), U::DirectDebits),
        (text("OFXHEADER:100\nDATA:OFXSGML"), U::Ofx),
        (text("%PDF-1.7\n"), U::Pdf),
        (b"PK\x03\x04\x14\0\0\0xl/workbook.xml".to_vec(), U::Spreadsheet),
        (b"PK\x03\x04\x14\0\0\0retorno.ret".to_vec(), U::Compressed),
        (text("<html>"), U::Xml),
        (text("data;valor;taxa\n1;2;3"), U::Csv),
        (text("0"), U::Unknown),
        (vec![b'0'; 48], U::Unknown),
        (vec![b'x'; 240], U::Unknown),
        (vec![0; 300], U::Unknown),
    ] {
        let shown = String::from_utf8_lossy(&content).into_owned();
        assert_eq!(identify(&content), Err(expected), "{shown}");
    }
}
