//! The installments behind credits: how the sale's gross became the amount that was credited.

use ledger_domain::calendar::Instant;
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::AmountPart;
use crate::balance::statement::{Movement, StatementLine};
use crate::{Error, column_values};

/// The installment of a credit, and its sale. gross − fees − refunded − withheld is the credit's amount.
///
/// The settlement bears the fees and says what was withheld of it. A later release of the reserve is an amount without
/// deductions: its gross is the credit's amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditInstallment {
    pub sale_id: SaleId,
    pub gross: Cents,
    /// The fees of the sale that the installment bears.
    pub fees: Cents,
    /// What refunds, disputes and chargebacks of a part took from the installment before it was settled.
    pub refunded: Cents,
    /// What was kept from the settlement, such as a reserve.
    pub withheld: Cents,
    pub payment_type: PaymentType,
    /// The number of the sale's installments.
    pub installments: u8,
    pub card_brand: Option<CardBrand>,
    pub card_last_four: Option<String>,
    pub sold_at: Instant,
}

/// The installments of these parts, in their order. `None` for a part that is no installment.
pub async fn credit_installments(
    client: &impl GenericClient,
    business: BusinessId,
    parts: &[AmountPart],
) -> Result<Vec<Option<CreditInstallment>>, Error> {
    let mut found = vec![None; parts.len()];
    let named: Vec<(usize, Uuid, i16, &StatementLine)> = parts
        .iter()
        .enumerate()
        .filter_map(|(place, part)| {
            let line = part.line.as_ref()?;
            Some((place, line.sale_id?.uuid(), i16::from(line.installment?), line))
        })
        .collect();
    if named.is_empty() {
        return Ok(found);
    }
    let sales: Vec<Uuid> = named.iter().map(|(_, sale, ..)| *sale).collect();
    let numbers: Vec<i16> = named.iter().map(|(.., number, _)| *number).collect();
    let rows = client
        .query_typed(
            "SELECT asked.place, sale.sale_id, sale.installment_gross[asked.number], sale.installment_net[asked.number],
                    (SELECT coalesce(sum(consumed.net), 0)::int8
                       FROM unnest(sale.consumed_installment, sale.consumed_net) AS consumed (number, net)
                      WHERE consumed.number = asked.number),
                    sale.payment_type, sale.installments, sale.card_brand, sale.card_last_four, sale.occurred_at
               FROM unnest($1::uuid[], $2::int2[]) WITH ORDINALITY AS asked (sale_id, number, place)
               JOIN sale ON sale.sale_id = asked.sale_id AND sale.business_id = $3
              WHERE asked.number BETWEEN 1 AND cardinality(sale.due_dates)",
            &[
                (&sales, Type::UUID_ARRAY),
                (&numbers, Type::INT2_ARRAY),
                (&business.uuid(), Type::UUID),
            ],
        )
        .await?;
    for row in &rows {
        let asked = usize::try_from(row.get::<_, i64>(0) - 1)
            .ok()
            .and_then(|place| named.get(place));
        if let Some((place, .., line)) = asked {
            found[*place] = Some(installment(row, line)?);
        }
    }
    Ok(found)
}

fn installment(row: &Row, line: &StatementLine) -> Result<CreditInstallment, Error> {
    let credited = line.amount.get();
    let (gross, net, refunded) = if line.movement == Movement::ReserveReleased {
        (credited, credited, 0)
    } else {
        (row.get(2), row.get(3), row.get(4))
    };
    Ok(CreditInstallment {
        sale_id: SaleId::from_uuid(row.get(1)),
        gross: Cents::new(gross),
        fees: Cents::new(gross - net),
        refunded: Cents::new(refunded),
        withheld: Cents::new(net - refunded - credited),
        payment_type: column_values::payment_type(row.get(5))?,
        installments: column_values::small_number("sale.installments", row.get(6))?,
        card_brand: column_values::optional_brand(row.get(7))?,
        card_last_four: row.get(8),
        sold_at: row.get(9),
    })
}
