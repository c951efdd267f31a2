//! The PDF of a receipt: one A4 page with a title, a company, an amount and named facts.

use crate::pdf::{LEFT, Page, RIGHT, Style, THIN};

/// The contents of the page. Long texts take several lines, and none is cut.
#[derive(Debug, Clone, Copy)]
pub struct ReceiptDocument<'a> {
    pub title: &'a str,
    pub company: &'a str,
    /// CPF or CNPJ, with its name.
    pub document: &'a str,
    pub amount: Fact<'a>,
    pub facts: &'a [Fact<'a>],
    /// Below the facts.
    pub note: &'a str,
}

/// A label and its value.
pub type Fact<'a> = (&'a str, &'a str);

const TITLE: Style = Style::bold(160);
const NAME: Style = Style::bold(110);
const AMOUNT: Style = Style::bold(220);
const LABEL: Style = Style::regular(90);
const VALUE: Style = Style::regular(100);

/// The left end of the values.
const COLUMN: i32 = 75_000;
const LEADING: i32 = 5_000;

pub fn receipt_pdf(document: &ReceiptDocument<'_>) -> Vec<u8> {
    let mut page = Page::new();
    let mut y = 25_000;
    page.text(LEFT, y, TITLE, document.title);
    y += 9_000;
    y = lines(&mut page, LEFT, y, NAME, document.company);
    y = lines(&mut page, LEFT, y, LABEL, document.document);
    page.line((LEFT, y), (RIGHT, y), THIN);
    y += 9_000;
    let (label, amount) = document.amount;
    page.text(LEFT, y, LABEL, label);
    page.text(LEFT, y + 9_500, AMOUNT, amount);
    y += 20_000;
    for (label, value) in document.facts {
        page.text(LEFT, y, LABEL, label);
        y = lines(&mut page, COLUMN, y, VALUE, value);
        page.line((LEFT, y - 2_000), (RIGHT, y - 2_000), THIN);
        y += 4_000;
    }
    lines(&mut page, LEFT, y + 4_000, LABEL, document.note);
    page.finish(document.title)
}

/// Returns the place of the next line.
fn lines(page: &mut Page, x: i32, mut y: i32, style: Style, text: &str) -> i32 {
    for line in style.font.wrap(text, style.size, RIGHT - x) {
        page.text(x, y, style, &line);
        y += LEADING;
    }
    y
}

#[cfg(test)]
mod tests {
    use hayro_syntax::Pdf;
    use hayro_syntax::content::TypedIter;
    use hayro_syntax::content::ops::TypedInstruction;

    use super::*;

    /// The texts of the page in Latin-1, read with another library.
    fn texts(bytes: &[u8]) -> Vec<String> {
        let pdf = Pdf::new(bytes.to_vec()).expect("a PDF");
        let pages = pdf.pages();
        assert_eq!(pages.len(), 1);
        let mut operations: TypedIter<'_> = pages[0].typed_operations();
        let mut found = vec![];
        while let Some(operation) = operations.next() {
            if let TypedInstruction::ShowText(text) = operation {
                found.push(text.0.as_bytes().iter().map(|byte| char::from(*byte)).collect());
            }
        }
        found
    }

    #[test]
    fn every_fact_is_whole_however_long_it_is() {
        let long =
            "Comércio de Alimentos Orgânicos e Produtos Naturais da Serra da Mantiqueira Ltda ".repeat(3);
        let code = "E99999901020261127135247f5a1b09a2c".repeat(4);
        let file = receipt_pdf(&ReceiptDocument {
            title: "Recibo de saque",
            company: &long,
            document: "CNPJ 11.222.333/0001-81",
            amount: ("Caiu na conta", "R$ 425,00"),
            facts: &[("Titular", &long), ("ID", &code)],
            note: "Horários de Brasília.",
        });
        let texts = texts(&file);
        let words = |text: &str| text.replace([' ', '\u{a0}'], "");
        let all = words(&texts.concat());
        assert_eq!(all.matches(&words(&long)).count(), 2, "{texts:?}");
        assert!(all.contains(&code), "{texts:?}");
        assert!(texts.iter().any(|text| text == "R$ 425,00"), "{texts:?}");
    }
}
