//! Storing what a window made of its sales: whole rows, one statement a table.
//!
//! A settlement leaves the list's row, and so its indexes, alone: it changes the schedule only.

use deadpool_postgres::Transaction;

use super::SaleRow;
use super::book::{Book, SaleRecord};
use crate::spelling::array_literal;
use ledger_domain::TerminalId;
use ledger_domain::sale::CardBrand;

impl Book {
    pub(super) async fn store(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        let rows: Vec<_> = self
            .sales
            .values()
            .filter(|sale| sale.row_changed)
            .map(|sale| &sale.record.row)
            .collect();
        write_rows(tx, &rows).await?;
        let schedules: Vec<_> = self
            .sales
            .values()
            .filter(|sale| sale.schedule_changed)
            .map(|sale| &sale.record)
            .collect();
        write_schedules(tx, &schedules).await
    }
}

fn column<Row, Value>(rows: &[&Row], value: impl Fn(&Row) -> Value) -> Vec<Value> {
    rows.iter().map(|row| value(row)).collect()
}

async fn write_rows(tx: &Transaction<'_>, rows: &[&SaleRow]) -> Result<(), tokio_postgres::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let statement = tx
        .prepare_cached(
            "INSERT INTO sale (sale_id, business_id, provider, external_id, solution, payment_type, card_brand,
                               installments, amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net,
                               plan_id, plan_name, plan_version, terminal_id, terminal_serial, payment_link_code,
                               card_last_four, authorization_code, failure_reason, occurred_at, created_at,
                               captured_at, sequences)
             SELECT sale_id, business_id, provider, external_id, solution, payment_type, card_brand,
                    installments, amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net,
                    plan_id, plan_name, plan_version, terminal_id, terminal_serial, payment_link_code,
                    card_last_four, authorization_code, failure_reason, occurred_at, created_at,
                    captured_at, sequences::int8[]
               FROM unnest($1::uuid[], $2::uuid[], $3::int2[], $4::text[], $5::int2[], $6::text[], $7::text[],
                           $8::int2[], $9::int8[], $10::text[], $11::int8[], $12::int8[], $13::int8[], $14::int8[],
                           $15::int8[], $16::uuid[], $17::text[], $18::int8[], $19::uuid[], $20::text[], $21::text[],
                           $22::text[], $23::text[], $24::text[], $25::timestamptz[], $26::timestamptz[],
                           $27::timestamptz[], $28::text[])
                 AS told (sale_id, business_id, provider, external_id, solution, payment_type, card_brand,
                          installments, amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net,
                          plan_id, plan_name, plan_version, terminal_id, terminal_serial, payment_link_code,
                          card_last_four, authorization_code, failure_reason, occurred_at, created_at,
                          captured_at, sequences)
             ON CONFLICT (sale_id, business_id) DO UPDATE
                SET provider = excluded.provider,
                    external_id = excluded.external_id,
                    solution = excluded.solution,
                    payment_type = excluded.payment_type,
                    card_brand = excluded.card_brand,
                    installments = excluded.installments,
                    amount = excluded.amount,
                    status = excluded.status,
                    percentage_fee = excluded.percentage_fee,
                    flat_fee = excluded.flat_fee,
                    percentage_rate = excluded.percentage_rate,
                    flat_rate = excluded.flat_rate,
                    net = excluded.net,
                    plan_id = excluded.plan_id,
                    plan_name = excluded.plan_name,
                    plan_version = excluded.plan_version,
                    terminal_id = excluded.terminal_id,
                    terminal_serial = excluded.terminal_serial,
                    payment_link_code = excluded.payment_link_code,
                    card_last_four = excluded.card_last_four,
                    authorization_code = excluded.authorization_code,
                    failure_reason = excluded.failure_reason,
                    occurred_at = excluded.occurred_at,
                    captured_at = excluded.captured_at,
                    sequences = excluded.sequences",
        )
        .await?;
    tx.execute(
        &statement,
        &[
            &column(rows, |row| row.sale_id.uuid()),
            &column(rows, |row| row.business_id.uuid()),
            &column(rows, |row| i16::from(row.provider.number())),
            &column(rows, |row| row.external_id.clone()),
            &column(rows, |row| i16::from(row.solution.number())),
            &column(rows, |row| row.payment_type.as_str()),
            &column(rows, |row| {
                row.card_brand
                    .as_ref()
                    .map(|brand| CardBrand::as_str(brand).to_owned())
            }),
            &column(rows, |row| i16::from(row.installments)),
            &column(rows, |row| row.amount.get()),
            &column(rows, |row| row.status.as_str()),
            &column(rows, |row| row.fees.percentage_fee.get()),
            &column(rows, |row| row.fees.flat_fee.get()),
            &column(rows, |row| row.fees.percentage_rate.get()),
            &column(rows, |row| row.fees.flat_rate.get()),
            &column(rows, |row| row.net.map(|net| net.get())),
            &column(rows, |row| row.plan.as_ref().map(|plan| plan.id.uuid())),
            &column(rows, |row| row.plan.as_ref().map(|plan| plan.name.clone())),
            &column(rows, |row| row.plan.as_ref().map(|plan| i64::from(plan.version))),
            &column(rows, |row| {
                row.terminal
                    .as_ref()
                    .map(|terminal| TerminalId::uuid(terminal.id))
            }),
            &column(rows, |row| {
                row.terminal
                    .as_ref()
                    .map(|terminal| terminal.serial_number.clone())
            }),
            &column(rows, |row| row.payment_link_code.clone()),
            &column(rows, |row| row.card_last_four.clone()),
            &column(rows, |row| row.authorization_code.clone()),
            &column(rows, |row| row.failure_reason.clone()),
            &column(rows, |row| row.occurred_at),
            &column(rows, |row| row.created_at),
            &column(rows, |row| row.captured_at),
            &column(rows, |row| array_literal(row.sequences.iter().map(Some))),
        ],
    )
    .await?;
    Ok(())
}

async fn write_schedules(tx: &Transaction<'_>, records: &[&SaleRecord]) -> Result<(), tokio_postgres::Error> {
    if records.is_empty() {
        return Ok(());
    }
    let statement = tx
        .prepare_cached(
            "INSERT INTO sale_schedule (sale_id, business_id, due_dates, gross, net, settled_by, brought_forward_by,
                                        next_due_date)
             SELECT sale_id, business_id, due_dates::date[], gross::int8[], net::int8[], settled_by::int8[],
                    brought_forward_by, next_due_date
               FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[],
                           $8::date[])
                 AS told (sale_id, business_id, due_dates, gross, net, settled_by, brought_forward_by, next_due_date)
             ON CONFLICT (business_id, sale_id) DO UPDATE
                SET settled_by = excluded.settled_by,
                    brought_forward_by = excluded.brought_forward_by,
                    next_due_date = excluded.next_due_date",
        )
        .await?;
    let arrays = |value: fn(&super::Instalment) -> Option<String>| {
        column(records, |record| array_literal(record.schedule.iter().map(value)))
    };
    tx.execute(
        &statement,
        &[
            &column(records, |record| record.row.sale_id.uuid()),
            &column(records, |record| record.row.business_id.uuid()),
            &arrays(|instalment| Some(instalment.due_date.to_string())),
            &arrays(|instalment| Some(instalment.gross.get().to_string())),
            &arrays(|instalment| Some(instalment.net.get().to_string())),
            &arrays(|instalment| instalment.settled_by.map(|sequence| sequence.to_string())),
            &column(records, |record| record.brought_forward_by),
            &column(records, |record| record.next_due_date),
        ],
    )
    .await?;
    Ok(())
}
