//! Stores the payments that acquirers report: finds the sale of each, writes a batch, and compares the changed rows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, Provider};
use ledger_domain::{Cents, SaleId};
use ledger_rows::get;
use projections::expected_payments::{ExpectedSale, expected_sales};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::charges::Charges;
use super::reported::{EntryKind, ReportedPayment};
use super::stored_rows::compare_rows;
use super::{Context, Result, days, provider_number};

/// The most repeated lines of one row that count in a file.
const REPEATED_LINES_MAX: i32 = 1_000;
/// Separates the external ids of a row in one SQL parameter. No id contains it, because ids have no control characters.
const SEPARATOR: &str = "\u{1f}";

pub(super) type KnownSales = HashMap<SaleId, ExpectedSale>;

/// The key of a row besides its provider.
type Key = (String, u8, EntryKind);

struct MatchedPayment {
    payment: ReportedPayment,
    sale_id: Option<SaleId>,
    /// The due date of the sale's installment, else the day on which the acquirer expects to pay, else the day on which
    /// it paid.
    day: Date,
}

/// Writes a batch of an import in the caller's transaction. Returns the number of rows that are new, changed or
/// repeated. A new row that is repeated in the batch counts twice.
pub(super) async fn write_rows(
    client: &impl GenericClient,
    context: &Context,
    import: Uuid,
    provider: Provider,
    payments: Vec<ReportedPayment>,
) -> Result<u64> {
    if payments.is_empty() {
        return Ok(0);
    }
    let names: Vec<(Provider, &str)> = payments
        .iter()
        .flat_map(|payment| &payment.external_ids)
        .map(|name| (provider, name.as_str()))
        .collect();
    let charges = Charges::read(client, &names).await?;
    let sales = candidate_sales(client, context, provider, (&payments, &charges)).await?;
    let mut rows: Vec<MatchedPayment> = vec![];
    let mut keys = HashSet::new();
    let mut repeated: BTreeMap<Key, Vec<i64>> = BTreeMap::new();
    for payment in payments {
        let key = key_of(&payment);
        if keys.insert(key.clone()) {
            rows.push(matched(context, provider, (&sales, &charges), payment));
        } else {
            repeated.entry(key).or_default().extend(line_of(&payment));
        }
    }
    let mut days = former_days(client, provider, &rows).await?;
    let written = upsert(client, context, import, provider, &rows).await?;
    for row in &rows {
        if !written.contains_key(&key_of(&row.payment)) {
            let lines = repeated.entry(key_of(&row.payment)).or_default();
            lines.extend(line_of(&row.payment));
        }
    }
    let mut changed: Vec<i64> = written.into_values().collect();
    changed.extend(add_repeated(client, import, provider, &repeated).await?);
    days.extend(compare_rows(client, context, &changed, sales).await?);
    days::mark_changed(client, &days).await?;
    Ok(changed.len() as u64)
}

fn key_of(payment: &ReportedPayment) -> Key {
    (payment.reference.clone(), payment.installment, payment.entry)
}

fn line_of(payment: &ReportedPayment) -> Option<i64> {
    payment.line.and_then(|line| i64::try_from(line).ok())
}

/// The ids that the payment's sale may have, the likeliest first.
fn candidates(
    context: &Context,
    provider: Provider,
    payment: &ReportedPayment,
    charges: &Charges,
) -> Vec<SaleId> {
    let named = context.candidates(provider, &payment.external_ids, charges);
    payment.sale_id.into_iter().chain(named).collect()
}

async fn candidate_sales(
    client: &impl GenericClient,
    context: &Context,
    provider: Provider,
    (payments, charges): (&[ReportedPayment], &Charges),
) -> Result<KnownSales> {
    let ids: BTreeSet<SaleId> = payments
        .iter()
        .flat_map(|payment| candidates(context, provider, payment, charges))
        .collect();
    let ids: Vec<SaleId> = ids.into_iter().collect();
    let found = expected_sales(client, &ids).await?;
    Ok(found.into_iter().map(|sale| (sale.sale_id, sale)).collect())
}

fn matched(
    context: &Context,
    provider: Provider,
    (sales, charges): (&KnownSales, &Charges),
    payment: ReportedPayment,
) -> MatchedPayment {
    let sale = candidates(context, provider, &payment, charges)
        .into_iter()
        .filter_map(|id| sales.get(&id))
        .find(|sale| sale.provider == provider);
    let due = sale.and_then(|sale| sale.installment(payment.installment));
    let day = due.map(|due| due.due_date);
    MatchedPayment {
        sale_id: sale.map(|sale| sale.sale_id),
        day: day
            .or(payment.expected_on)
            .or(payment.paid_on)
            .unwrap_or_else(|| context.today()),
        payment,
    }
}

/// The days under which these rows are stored so far, if the batch gives them other days.
async fn former_days(
    client: &impl GenericClient,
    provider: Provider,
    rows: &[MatchedPayment],
) -> Result<BTreeSet<(Provider, Date)>> {
    let (references, installments, entries) = keys(rows.iter().map(|row| &row.payment));
    let days: Vec<Date> = rows.iter().map(|row| row.day).collect();
    let found = client
        .query_typed(
            "SELECT DISTINCT r.day
               FROM unnest($2::text[], $3::int2[], $4::text[], $5::date[]) AS given (reference, installment, entry, day)
               JOIN acquirer_receivable r ON r.provider = $1 AND r.reference = given.reference COLLATE \"C\"
                    AND r.installment = given.installment AND r.entry = given.entry COLLATE \"C\"
              WHERE r.day <> given.day",
            &[
                (&provider_number(provider), Type::INT2),
                (&references, Type::TEXT_ARRAY),
                (&installments, Type::INT2_ARRAY),
                (&entries, Type::TEXT_ARRAY),
                (&days, Type::DATE_ARRAY),
            ],
        )
        .await?;
    Ok(found.iter().map(|row| (provider, row.get(0))).collect())
}

fn keys<'a>(
    payments: impl Iterator<Item = &'a ReportedPayment>,
) -> (Vec<&'a str>, Vec<i16>, Vec<&'static str>) {
    let mut keys = (vec![], vec![], vec![]);
    for payment in payments {
        keys.0.push(payment.reference.as_str());
        keys.1.push(i16::from(payment.installment));
        keys.2.push(payment.entry.as_str());
    }
    keys
}

/// Writes the rows that are new or have other figures. Returns their keys and ids.
///
/// A row that this import wrote from another line of the file stays, because the new line repeats it. A row that this
/// import wrote from the same line is written again, because an earlier try read the file. A date that the new row does
/// not have stays.
async fn upsert(
    client: &impl GenericClient,
    context: &Context,
    import: Uuid,
    provider: Provider,
    rows: &[MatchedPayment],
) -> Result<HashMap<Key, i64>> {
    let (references, installments, entries) = keys(rows.iter().map(|row| &row.payment));
    let payments = || rows.iter().map(|row| &row.payment);
    let sales: Vec<_> = rows.iter().map(|row| row.sale_id.map(SaleId::uuid)).collect();
    let names: Vec<_> = payments().map(|row| row.external_ids.join(SEPARATOR)).collect();
    let codes: Vec<_> = payments().map(|row| row.authorization_code.as_deref()).collect();
    let sold_on: Vec<_> = payments().map(|row| row.sold_on).collect();
    let gross: Vec<_> = payments().map(|row| row.gross.get()).collect();
    let cost: Vec<_> = payments().map(|row| row.cost.map(Cents::get)).collect();
    let net: Vec<_> = payments().map(|row| row.net.get()).collect();
    let expected_on: Vec<_> = payments().map(|row| row.expected_on).collect();
    let paid_on: Vec<_> = payments().map(|row| row.paid_on).collect();
    let canceled: Vec<_> = payments().map(|row| row.canceled).collect();
    let days: Vec<_> = rows.iter().map(|row| row.day).collect();
    let lines: Vec<_> = payments().map(line_of).collect();
    let brands: Vec<_> = payments()
        .map(|row| row.brand.as_ref().map(CardBrand::as_str))
        .collect();
    let written = client
        .query_typed(
            UPSERT,
            &[
                (&provider_number(provider), Type::INT2),
                (&references, Type::TEXT_ARRAY),
                (&installments, Type::INT2_ARRAY),
                (&entries, Type::TEXT_ARRAY),
                (&sales, Type::UUID_ARRAY),
                (&names, Type::TEXT_ARRAY),
                (&codes, Type::TEXT_ARRAY),
                (&sold_on, Type::DATE_ARRAY),
                (&gross, Type::INT8_ARRAY),
                (&cost, Type::INT8_ARRAY),
                (&net, Type::INT8_ARRAY),
                (&expected_on, Type::DATE_ARRAY),
                (&paid_on, Type::DATE_ARRAY),
                (&canceled, Type::BOOL_ARRAY),
                (&days, Type::DATE_ARRAY),
                (&lines, Type::INT8_ARRAY),
                (&import, Type::UUID),
                (&context.now, Type::TIMESTAMPTZ),
                (&brands, Type::TEXT_ARRAY),
            ],
        )
        .await?;
    written
        .iter()
        .map(|row| {
            let key = (row.get(1), get(row, 2)?, get(row, 3)?);
            Ok((key, row.get(0)))
        })
        .collect()
}

const UPSERT: &str = "
    INSERT INTO acquirer_receivable AS r
           (provider, reference, installment, entry, sale_id, external_ids, authorization_code, sold_on, gross, cost,
            net, expected_on, paid_on, canceled, day, line, import_id, reported_at, brand)
    SELECT $1, reference, installment, entry, sale_id,
           CASE WHEN names = '' THEN '{}' ELSE string_to_array(names, chr(31)) END, authorization_code, sold_on, gross,
           cost, net, expected_on, paid_on, canceled, day, line, $17, $18, brand
      FROM unnest($2::text[], $3::int2[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::date[], $9::int8[],
                  $10::int8[], $11::int8[], $12::date[], $13::date[], $14::bool[], $15::date[], $16::int8[],
                  $19::text[])
           AS given (reference, installment, entry, sale_id, names, authorization_code, sold_on, gross, cost, net,
                     expected_on, paid_on, canceled, day, line, brand)
    ON CONFLICT (provider, reference, installment, entry) DO UPDATE
       SET sale_id = coalesce(excluded.sale_id, r.sale_id),
           external_ids = excluded.external_ids,
           authorization_code = coalesce(excluded.authorization_code, r.authorization_code),
           sold_on = coalesce(excluded.sold_on, r.sold_on),
           brand = coalesce(excluded.brand, r.brand),
           gross = excluded.gross, cost = excluded.cost, net = excluded.net,
           expected_on = coalesce(excluded.expected_on, r.expected_on),
           paid_on = coalesce(excluded.paid_on, r.paid_on),
           canceled = excluded.canceled, day = excluded.day, line = excluded.line, import_id = excluded.import_id,
           reported_at = excluded.reported_at, repeated_lines = '{}', compared = true
     WHERE CASE WHEN r.import_id = excluded.import_id THEN r.line IS NOT DISTINCT FROM excluded.line
                ELSE r.repeated_lines <> '{}'
                     OR (r.gross, r.cost, r.net, r.canceled)
                        IS DISTINCT FROM (excluded.gross, excluded.cost, excluded.net, excluded.canceled)
                     OR excluded.sale_id IS DISTINCT FROM r.sale_id AND excluded.sale_id IS NOT NULL
                     OR excluded.expected_on IS DISTINCT FROM r.expected_on AND excluded.expected_on IS NOT NULL
                     OR excluded.paid_on IS DISTINCT FROM r.paid_on AND excluded.paid_on IS NOT NULL END
    RETURNING r.id, r.reference, r.installment, r.entry";

/// Adds the repeated lines of this import to the rows that the import wrote from other lines. Returns the ids of the
/// rows that changed.
async fn add_repeated(
    client: &impl GenericClient,
    import: Uuid,
    provider: Provider,
    repeated: &BTreeMap<Key, Vec<i64>>,
) -> Result<Vec<i64>> {
    if repeated.is_empty() {
        return Ok(vec![]);
    }
    let references: Vec<&str> = repeated.keys().map(|key| key.0.as_str()).collect();
    let installments: Vec<i16> = repeated.keys().map(|key| i16::from(key.1)).collect();
    let entries: Vec<&str> = repeated.keys().map(|key| key.2.as_str()).collect();
    let lines: Vec<String> = repeated
        .values()
        .map(|lines| lines.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let rows = client
        .query_typed(
            "UPDATE acquirer_receivable r
                SET repeated_lines = (SELECT (array_agg(DISTINCT line ORDER BY line))[1:$7]
                                        FROM unnest(r.repeated_lines || given.lines) AS lines (line)
                                       WHERE line <> r.line)
               FROM (SELECT reference, installment, entry, string_to_array(lines, ',')::bigint[] AS lines
                       FROM unnest($3::text[], $4::int2[], $5::text[], $6::text[])
                            AS given (reference, installment, entry, lines)) AS given
              WHERE r.provider = $1 AND r.import_id = $2 AND r.reference = given.reference COLLATE \"C\"
                AND r.installment = given.installment AND r.entry = given.entry COLLATE \"C\"
                AND NOT r.repeated_lines || r.line @> given.lines
             RETURNING r.id",
            &[
                (&provider_number(provider), Type::INT2),
                (&import, Type::UUID),
                (&references, Type::TEXT_ARRAY),
                (&installments, Type::INT2_ARRAY),
                (&entries, Type::TEXT_ARRAY),
                (&lines, Type::TEXT_ARRAY),
                (&REPEATED_LINES_MAX, Type::INT4),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
