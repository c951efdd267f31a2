//! The lower part of the page: the compensation slip (ficha de compensação), with FEBRABAN's fields in their places.
//! All lengths are micrometers.

use super::{Contents, brazilian_date, code_with_digit};
use crate::bars;
use crate::pdf::{LEFT, Page, RIGHT, Style, THIN};

/// The left end of the right column.
const COLUMN: i32 = 145_000;
/// The top of the slip, below the cut.
const TOP: i32 = 168_000;
const HEAD: i32 = 9_000;
const ROW: i32 = 7_000;

const LABEL: Style = Style::regular(60);
const VALUE: Style = Style::regular(85);
const STRONG: Style = Style::bold(90);
/// Lines of instructions that the slip has room for.
pub const INSTRUCTIONS_MAX: usize = 6;

const THICK: i32 = 350;
const PADDING: i32 = 1_000;

/// FEBRABAN: 103 mm for the 405 modules, which gives 0.254 mm.
const BAR_MODULE: i32 = 254;
/// The largest side of the QR code.
const QR_SIDE: i32 = 40_000;
/// From the line above the payer to the barcode, and from the barcode's top to the text below it.
const BARS_BELOW: i32 = 19_000;
const TEXT_BELOW_BARS: i32 = 16_500;

/// A field of the slip: where it begins and ends, its label and its value.
struct Cell<'a> {
    from: i32,
    to: i32,
    label: &'a str,
    value: &'a str,
}

pub fn draw(page: &mut Page, contents: &Contents<'_>) {
    page.text(LEFT, TOP - 6_200, LABEL, "Corte na linha pontilhada");
    page.dashed_line((LEFT, TOP - 5_000), (RIGHT, TOP - 5_000));
    head(page, contents);
    let first = TOP + HEAD;
    rows(page, contents, first);
    let instructions_top = first + 4 * ROW;
    instructions(page, contents, instructions_top);
    let bottom = instructions_top + 5 * ROW;
    page.line((COLUMN, first), (COLUMN, bottom), THIN);
    page.line((LEFT, bottom), (RIGHT, bottom), THICK);
    payer(page, contents, bottom);
    let bars_top = bottom + BARS_BELOW;
    let quiet = BAR_MODULE * bars::QUIET_ZONE as i32;
    // The quiet zone reaches into the margin.
    let barcode = bars::picture(&contents.barcode);
    page.picture(LEFT - quiet, bars_top, BAR_MODULE, &barcode);
    match &contents.pix {
        Some(pix) => {
            let module = QR_SIDE / i32::try_from(pix.picture.width).unwrap_or(QR_SIDE);
            page.text(COLUMN + PADDING, bottom + 4_000, STRONG, "Pague com PIX");
            page.picture(COLUMN, bottom + 4_500, module, &pix.picture);
            page.text(
                LEFT,
                bars_top + TEXT_BELOW_BARS,
                LABEL,
                "Autenticação mecânica - Ficha de Compensação",
            );
        }
        None => page.text_right(
            RIGHT,
            bottom + 3_000,
            LABEL,
            "Autenticação mecânica - Ficha de Compensação",
        ),
    }
}

/// The bank, its code and the digitable line.
fn head(page: &mut Page, contents: &Contents<'_>) {
    let bottom = TOP + HEAD;
    let name = Style::bold(120);
    let shown = name.font.fit(contents.document.bank_name, name.size, 38_000);
    page.text(LEFT, bottom - 2_500, name, &shown);
    let code = code_with_digit(&contents.document.boleto.bank);
    page.line((LEFT + 40_000, TOP + 1_500), (LEFT + 40_000, bottom), THICK);
    page.text(LEFT + 42_000, bottom - 2_300, Style::bold(150), &code);
    page.line((LEFT + 58_000, TOP + 1_500), (LEFT + 58_000, bottom), THICK);
    page.text_right(
        RIGHT,
        bottom - 2_500,
        Style::bold(118),
        &contents.line.to_string(),
    );
    page.line((LEFT, bottom), (RIGHT, bottom), THICK);
}

fn rows(page: &mut Page, contents: &Contents<'_>, top: i32) {
    let document = contents.document;
    let issued = brazilian_date(document.issued);
    let beneficiary = document
        .beneficiary
        .name_and_document(VALUE, 130_000 - 2 * PADDING);
    let cell = |from: i32, to: i32, label, value| Cell {
        from: LEFT + from,
        to: LEFT + to,
        label,
        value,
    };
    let lines = [
        vec![
            cell(
                0,
                130_000,
                "Local de pagamento",
                "Pagável em qualquer banco, aplicativo ou lotérica",
            ),
            cell(130_000, 180_000, "Vencimento", &contents.due),
        ],
        vec![
            cell(0, 130_000, "Beneficiário", &beneficiary),
            cell(
                130_000,
                180_000,
                "Agência / Código do beneficiário",
                document.agency_and_code,
            ),
        ],
        vec![
            cell(0, 28_000, "Data do documento", &issued),
            cell(28_000, 66_000, "Nº do documento", document.document_number),
            // Duplicata mercantil.
            cell(66_000, 84_000, "Espécie doc.", "DM"),
            // "N" means that the payer did not accept the debt in advance.
            cell(84_000, 97_000, "Aceite", "N"),
            cell(97_000, 130_000, "Data do processamento", &issued),
            cell(130_000, 180_000, "Nosso número", document.our_number),
        ],
        vec![
            cell(0, 28_000, "Uso do banco", ""),
            cell(28_000, 50_000, "Carteira", ""),
            cell(50_000, 66_000, "Espécie", "R$"),
            cell(66_000, 97_000, "Quantidade", ""),
            cell(97_000, 130_000, "Valor", ""),
            cell(130_000, 180_000, "(=) Valor do documento", &contents.amount),
        ],
    ];
    let mut y = top;
    for line in lines {
        for cell in line {
            draw_cell(page, y, &cell);
        }
        y += ROW;
        page.line((LEFT, y), (RIGHT, y), THIN);
    }
}

/// The values of the right column stand at its right end.
fn draw_cell(page: &mut Page, top: i32, cell: &Cell<'_>) {
    let width = cell.to - cell.from - 2 * PADDING;
    let (label_y, value_y) = (top + 2_500, top + ROW - 1_300);
    page.text(cell.from + PADDING, label_y, LABEL, cell.label);
    if cell.from == COLUMN {
        let value = STRONG.font.fit(cell.value, STRONG.size, width);
        page.text_right(cell.to - PADDING, value_y, STRONG, &value);
    } else {
        let value = VALUE.font.fit(cell.value, VALUE.size, width);
        page.text(cell.from + PADDING, value_y, VALUE, &value);
    }
    if cell.from > LEFT && cell.from < COLUMN {
        page.line((cell.from, top), (cell.from, top + ROW), THIN);
    }
}

fn instructions(page: &mut Page, contents: &Contents<'_>, top: i32) {
    let label = "Instruções (texto de responsabilidade do beneficiário)";
    page.text(LEFT + PADDING, top + 2_700, LABEL, label);
    let mut y = top + 7_000;
    for line in contents.document.instructions.iter().take(INSTRUCTIONS_MAX) {
        let shown = VALUE.font.fit(line, VALUE.size, COLUMN - LEFT - 2 * PADDING);
        page.text(LEFT + PADDING, y, VALUE, &shown);
        y += 4_200;
    }
    let amounts = [
        "(-) Desconto / Abatimento",
        "(-) Outras deduções",
        "(+) Mora / Multa",
        "(+) Outros acréscimos",
        "(=) Valor cobrado",
    ];
    let mut y = top;
    for label in amounts {
        let cell = Cell {
            from: COLUMN,
            to: RIGHT,
            label,
            value: "",
        };
        draw_cell(page, y, &cell);
        y += ROW;
        page.line((COLUMN, y), (RIGHT, y), THIN);
    }
}

fn payer(page: &mut Page, contents: &Contents<'_>, top: i32) {
    let payer = &contents.document.payer;
    let width = COLUMN - LEFT - 2 * PADDING;
    let x = LEFT + PADDING;
    page.text(x, top + 3_000, LABEL, "Pagador");
    page.text(x, top + 7_200, VALUE, &payer.name_and_document(VALUE, width));
    if let Some(address) = payer.address {
        let address = VALUE.font.fit(address, VALUE.size, width);
        page.text(x, top + 11_200, VALUE, &address);
    }
    page.text(x, top + 16_000, LABEL, "Sacador / Avalista");
}
