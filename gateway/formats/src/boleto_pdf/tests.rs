use hayro_syntax::Pdf;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;

use super::*;
use crate::boleto::FreeField;
use crate::picture::Rectangle;
use crate::reading::{read_bars, read_qr};

const PIX: &str = "00020126360014br.gov.bcb.pix0114112223330001815204000053039865406149.905802BR5912LOJA DO JOAO6009SAO \
                   PAULO62140510PEDIDO00016304643F";

/// The parts of the file that a test reads: its texts, and the rectangles of each picture.
struct Read {
    texts: Vec<String>,
    pictures: Vec<Vec<Rectangle>>,
}

/// Reads the file with another library.
fn read(bytes: &[u8]) -> Read {
    let pdf = Pdf::new(bytes.to_vec()).expect("a PDF");
    let pages = pdf.pages();
    assert_eq!(pages.len(), 1);
    let mut operations: TypedIter<'_> = pages[0].typed_operations();
    let mut found = Read {
        texts: vec![],
        pictures: vec![],
    };
    let mut rectangles = vec![];
    while let Some(operation) = operations.next() {
        match operation {
            // As Latin-1, which has other characters than WinAnsi for the bytes 80 to 9F, such as that of `…`.
            TypedInstruction::ShowText(text) => found
                .texts
                .push(text.0.as_bytes().iter().map(|byte| char::from(*byte)).collect()),
            TypedInstruction::RectPath(rectangle) => {
                let [x, y, width, height] =
                    [rectangle.0, rectangle.1, rectangle.2, rectangle.3].map(|size| size.as_f64() as u32);
                rectangles.push(Rectangle { x, y, width, height });
            }
            TypedInstruction::FillPathNonZero(_) => found.pictures.push(std::mem::take(&mut rectangles)),
            _ => {}
        }
    }
    found
}

fn with_document<T>(name: &str, pix_code: Option<&str>, then: impl Fn(&BoletoDocument<'_>) -> T) -> T {
    let boleto = Boleto {
        bank: BankCode::parse("341").expect("a bank"),
        due: "2026-12-10".parse().ok(),
        amount: Some(Cents::new(149_90)),
        free_field: FreeField::parse("1091234567890123456789012").expect("25 digits"),
    };
    let beneficiary = Document::parse("11.222.333/0001-81").expect("a CNPJ");
    let payer = Document::parse("529.982.247-25").expect("a CPF");
    then(&BoletoDocument {
        boleto: &boleto,
        bank_name: "Itaú",
        beneficiary: Party {
            name: "Loja do João Comércio de Alimentos Ltda",
            document: &beneficiary,
            address: Some("Rua das Laranjeiras, 120 - Pinheiros - São Paulo/SP - 05422-010"),
        },
        agency_and_code: "0912 / 12345-6",
        payer: Party {
            name,
            document: &payer,
            address: Some("Av. Conceição, 45, ap. 302 - Centro - Maceió/AL - 57020-000"),
        },
        our_number: "109/12345678-9",
        document_number: "7K3QPXM2ZD",
        issued: "2026-11-23".parse().expect("a date"),
        instructions: &[
            "Não receber após o vencimento.",
            "Pedido 7K3QPXM2ZD, pago uma única vez.",
        ],
        pix_code,
    })
}

fn pdf(name: &str, pix_code: Option<&str>) -> Vec<u8> {
    with_document(name, pix_code, |document| boleto_pdf(document).expect("a PDF"))
}

#[test]
fn a_printed_boleto_has_its_texts_and_codes() {
    let found = read(&pdf("Conceição d'Ávila Muñoz", Some(PIX)));
    for text in [
        "34191.09123 34567.890123 34567.890123 4 16560000014990",
        "R$ 149,90",
        "10/12/2026",
        "341-7",
        "Itaú",
        "Conceição d'Ávila Muñoz - CPF 529.982.247-25",
        "Loja do João Comércio de Alimentos Ltda - CNPJ 11.222.333/0001-81",
        "109/12345678-9",
        "0912 / 12345-6",
        "Não receber após o vencimento.",
        "Recibo do Pagador",
    ] {
        assert!(
            found.texts.iter().any(|found| found == text),
            "{text}: {:?}",
            found.texts
        );
    }
    assert!(found.texts.concat().contains(PIX), "the code to copy");
    let [barcode, code] = found.pictures.try_into().expect("the bars and the QR code");
    let spans: Vec<_> = barcode.iter().map(|bar| (bar.x, bar.width)).collect();
    assert_eq!(
        read_bars(&spans).as_deref(),
        Some("34194165600000149901091234567890123456789012")
    );
    let side = qr::picture(PIX).expect("a code").width;
    let picture = Picture {
        width: side,
        height: side,
        dark: code,
    };
    assert_eq!(read_qr(&picture).as_deref(), Some(PIX));
}

#[test]
fn a_boleto_without_pix_has_only_its_bars() {
    let found = read(&pdf("Ana", None));
    assert_eq!(found.pictures.len(), 1);
    assert_eq!(found.pictures[0].len(), bars_of_a_boleto());
    assert!(!found.texts.iter().any(|text| text.contains("PIX")));
}

/// Two bars of the start, five for each pair of digits, two of the stop.
fn bars_of_a_boleto() -> usize {
    2 + 5 * Barcode::LENGTH / 2 + 2
}

#[test]
fn equal_input_gives_equal_bytes() {
    let first = pdf("Ana", Some(PIX));
    assert_eq!(first, pdf("Ana", Some(PIX)));
    assert_ne!(first, pdf("Bia", Some(PIX)));
    assert!(first.len() < 64_000, "{} bytes", first.len());
}

#[test]
fn long_and_foreign_texts_stay_in_their_fields() {
    let found = read(&pdf(&"Maria das Dores ☕ ".repeat(20), None));
    let shown: Vec<_> = found
        .texts
        .iter()
        .filter(|text| text.starts_with("Maria"))
        .collect();
    assert_eq!(shown.len(), 2, "on the receipt and on the slip");
    // The fields are 180 mm and 130 mm wide.
    for (text, size, field) in [(shown[0], 90, 180_000), (shown[1], 85, 130_000)] {
        assert!(
            text.contains("Dores ? Maria") && text.ends_with("\u{85} - CPF 529.982.247-25"),
            "{text}"
        );
        let Style { font, size } = Style::regular(size);
        assert!(font.width(text, size) <= field, "{text}");
    }
}

#[test]
fn a_boleto_that_cannot_be_drawn_is_refused() {
    let long = "a".repeat(2_332);
    let error = with_document("Ana", Some(&long), boleto_pdf);
    assert_eq!(error, Err(BoletoPdfError::Qr(QrTooLong)));
    let error = with_document("Ana", None, |document| {
        let boleto = Boleto {
            due: "1999-01-01".parse().ok(),
            ..document.boleto.clone()
        };
        boleto_pdf(&BoletoDocument {
            boleto: &boleto,
            ..*document
        })
    });
    assert!(matches!(
        error,
        Err(BoletoPdfError::Boleto(BoletoError::DueDate(_)))
    ));
}

#[test]
fn a_boleto_without_a_due_date_and_an_amount_is_due_on_presentation() {
    let bytes = with_document("Ana", None, |document| {
        let boleto = Boleto {
            due: None,
            amount: None,
            ..document.boleto.clone()
        };
        boleto_pdf(&BoletoDocument {
            boleto: &boleto,
            ..*document
        })
    });
    let found = read(&bytes.expect("a PDF"));
    assert!(found.texts.iter().any(|text| text == "Contra apresentação"));
    assert!(!found.texts.iter().any(|text| text.starts_with("R$ ")));
}

#[test]
fn a_bank_s_code_has_its_check_digit_which_caixa_writes_as_0_instead_of_x() {
    for (code, shown) in [
        ("001", "001-9"),
        ("033", "033-7"),
        ("104", "104-0"),
        ("237", "237-2"),
        ("260", "260-7"),
        ("341", "341-7"),
        ("748", "748-X"),
        ("756", "756-0"),
    ] {
        assert_eq!(code_with_digit(&BankCode::parse(code).expect("a bank")), shown);
    }
}
