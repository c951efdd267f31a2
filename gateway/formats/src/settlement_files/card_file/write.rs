//! Writes a card file as an acquirer does, for the demo data and for tests.

use super::{
    CardDetail, CardHeader, CardRecord, DETAIL_LENGTH, HEADER_LENGTH, ReceivableUnit, TRAILER_LENGTH,
    UNIT_LENGTH, VERSION,
};
use crate::settlement_files::write::LineWriter;
use ledger_domain::Cents;

/// The lines of the records in the given order, then a trailer. The field `line` of the records is ignored.
pub fn write_file(records: &[CardRecord]) -> String {
    let mut file: String = records
        .iter()
        .map(|record| match record {
            CardRecord::Header(header) => header_line(header),
            CardRecord::Unit(unit) => unit_line(unit),
            CardRecord::Detail(detail) => detail_line(detail),
        })
        .collect();
    // The trailer counts neither the header nor itself.
    let counted = records
        .iter()
        .filter(|record| !matches!(record, CardRecord::Header(_)));
    let mut trailer = LineWriter::new(TRAILER_LENGTH);
    trailer.text(1, 1, "9").number(2, 12, counted.count() as u64);
    file.push_str(&trailer.finish());
    file
}

fn header_line(header: &CardHeader) -> String {
    LineWriter::new(HEADER_LENGTH)
        .text(1, 1, "0")
        .text(2, 11, &header.merchant)
        .iso_date(12, 19, header.date)
        .text(43, 47, "CIELO")
        .number(48, 49, header.kind.code().into())
        .text(50, 50, "I")
        .number(71, 73, VERSION)
        .finish()
}

/// The acquirer posts a cost with a minus.
fn posted(fee: Option<Cents>) -> Cents {
    Cents::new(-fee.unwrap_or_default().get())
}

fn unit_line(unit: &ReceivableUnit) -> String {
    LineWriter::new(UNIT_LENGTH)
        .text(1, 1, "D")
        .text(2, 11, &unit.merchant)
        .text(54, 56, &unit.brand)
        .text(70, 71, &unit.status)
        .signed_amount(72, 85, unit.gross)
        .signed_amount(86, 99, posted(unit.fee))
        .signed_amount(100, 113, unit.net)
        .number(150, 151, unit.entry_type.code().into())
        .text(152, 251, &unit.unit_key)
        .date(268, 275, unit.paid_on)
        .date(284, 291, unit.due)
        .finish()
}

fn detail_line(detail: &CardDetail) -> String {
    LineWriter::new(DETAIL_LENGTH)
        .text(1, 1, "E")
        .number(18, 19, detail.installment.into())
        .number(20, 21, detail.installments.into())
        .text(22, 27, &detail.authorization)
        .number(28, 29, detail.entry_type.code().into())
        .text(30, 129, &detail.unit_key)
        .text(166, 175, &detail.card)
        .text(176, 181, &detail.nsu)
        .text(192, 211, &detail.tid)
        .signed_amount(261, 274, detail.gross)
        .signed_amount(275, 288, detail.net)
        .signed_amount(289, 302, posted(detail.fee))
        .date(590, 597, detail.sold_on)
        .date(630, 637, detail.due)
        .finish()
}
