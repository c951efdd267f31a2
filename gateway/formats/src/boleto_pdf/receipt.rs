//! The upper part of the page: the payer's receipt, and the PIX code as text.

use super::{Contents, Party, brazilian_date};
use crate::pdf::{LEFT, Page, RIGHT, Style};

const LABEL: Style = Style::regular(65);
const VALUE: Style = Style::regular(90);
const STRONG: Style = Style::bold(100);
const TITLE: Style = Style::bold(140);

const WIDTH: i32 = RIGHT - LEFT;
/// Between the lines of the PIX code.
const LEADING: i32 = 4_000;

pub fn draw(page: &mut Page, contents: &Contents<'_>) {
    let document = contents.document;
    let title = TITLE
        .font
        .fit(document.beneficiary.name, TITLE.size, WIDTH - 45_000);
    page.text(LEFT, 20_000, TITLE, &title);
    page.text_right(RIGHT, 20_000, STRONG, "Recibo do Pagador");
    page.line((LEFT, 23_000), (RIGHT, 23_000), 300);

    party(page, 29_000, "Beneficiário", &document.beneficiary);
    party(page, 43_000, "Pagador", &document.payer);

    let columns = [
        (LEFT, "Nº do documento", document.document_number),
        (LEFT + 45_000, "Nosso número", document.our_number),
        (LEFT + 100_000, "Vencimento", contents.due.as_str()),
        (LEFT + 140_000, "Valor do documento", contents.amount.as_str()),
    ];
    for (x, label, value) in columns {
        page.text(x, 57_000, LABEL, label);
        page.text(x, 61_500, STRONG, &STRONG.font.fit(value, STRONG.size, 43_000));
    }
    page.text(LEFT, 69_000, LABEL, "Linha digitável");
    page.text(LEFT, 74_000, Style::bold(120), &contents.line.to_string());
    page.line((LEFT, 78_000), (RIGHT, 78_000), 100);
    if let Some(pix) = &contents.pix {
        pix_code(page, pix.code);
    }
    let issued = format!("Emitido em {}", brazilian_date(document.issued));
    page.text(LEFT, 157_000, LABEL, &issued);
    page.text_right(RIGHT, 157_000, LABEL, "Autenticação mecânica");
}

fn party(page: &mut Page, y: i32, label: &str, party: &Party<'_>) {
    page.text(LEFT, y, LABEL, label);
    page.text(LEFT, y + 4_500, VALUE, &party.name_and_document(VALUE, WIDTH));
    if let Some(address) = party.address {
        page.text(
            LEFT,
            y + 8_500,
            VALUE,
            &VALUE.font.fit(address, VALUE.size, WIDTH),
        );
    }
}

fn pix_code(page: &mut Page, code: &str) {
    page.text(LEFT, 85_000, STRONG, "Prefere pagar com PIX?");
    page.text(
        LEFT,
        90_000,
        VALUE,
        "Leia o QR code abaixo no aplicativo do seu banco ou copie este código:",
    );
    let mut y = 96_000;
    for line in VALUE.font.split(code, VALUE.size, WIDTH) {
        page.text(LEFT, y, VALUE, &line);
        y += LEADING;
    }
    page.text(
        LEFT,
        y + 1_500,
        LABEL,
        "Pague uma vez só: por PIX ou pelo código de barras.",
    );
}
