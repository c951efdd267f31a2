//! Stores the changes that the events of a window made to sales.
//!
//! A new sale is inserted. The row of a known sale is updated as a whole, or only in the columns that a payment of its
//! installments changes. An update that leaves the indexed columns unchanged touches no index if its page has room
//! (HOT). The table's fillfactor leaves room for it.

use deadpool_postgres::Transaction;
use ledger_domain::TerminalId;
use ledger_domain::sale::CardBrand;
use tokio_postgres::types::ToSql;

use super::Installment;
use super::records::{Entry, SaleRecord, SaleRecords};
use crate::column_values::{self, array_literal, text_array_literal};
use crate::read_model::roll_up::{self, Column};

impl SaleRecords {
    pub(super) async fn store(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        let records = |is_of: fn(&Entry) -> bool| -> Vec<&SaleRecord> {
            let entries = self.sales.values().filter(|entry| is_of(entry));
            entries.map(|entry| &entry.record).collect()
        };
        let new = records(|sale| sale.is_new);
        let changed = records(|sale| !sale.is_new && sale.row_changed);
        let paid = records(|sale| !sale.is_new && !sale.row_changed && sale.schedule_changed);
        if !new.is_empty() {
            roll_up::write(tx, INSERT, &columns(&new)).await?;
        }
        if !changed.is_empty() {
            roll_up::write(tx, UPDATE, &columns(&changed)).await?;
        }
        if !paid.is_empty() {
            update_payments(tx, &paid).await?;
        }
        Ok(())
    }
}

/// The `FROM` clause with the rows of a window, which have the alias `changed`. A column that is an array is sent as
/// one text for each row (see `array_literal`). `OFFSET 0` keeps the casts of these texts in the sub-select: an engine
/// that distributes tables refuses them in the list of an UPDATE.
macro_rules! changed_rows {
    () => {
        " FROM (SELECT sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments,
                     amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id, plan_name,
                     plan_version, terminal_id, terminal_serial, payment_link_code, card_last_four,
                     authorization_code, failure_reason, occurred_at, created_at, captured_at, sequences::int8[],
                     due_dates::date[], installment_gross::int8[], installment_net::int8[], settled_by::int8[],
                     accelerated_by, awaits_approval, part_refunds, refunded, refunded_net, part_chargebacks,
                     charged_back, disputed, consumed_by::int8[], consumed_installment::int2[],
                     consumed_net::int8[], names::json, search_names::text[]
                 FROM unnest($1::uuid[], $2::uuid[], $3::int2[], $4::text[], $5::int2[], $6::text[], $7::text[],
                      $8::int2[], $9::int8[], $10::text[], $11::int8[], $12::int8[], $13::int8[], $14::int8[],
                      $15::int8[], $16::uuid[], $17::text[], $18::int8[], $19::uuid[], $20::text[], $21::text[],
                      $22::text[], $23::text[], $24::text[], $25::timestamptz[], $26::timestamptz[],
                      $27::timestamptz[], $28::text[], $29::text[], $30::text[], $31::text[], $32::text[], $33::int8[],
                      $34::bool[], $35::int4[], $36::int8[], $37::int8[], $38::int4[], $39::int8[], $40::int8[],
                      $41::text[], $42::text[], $43::text[], $44::text[], $45::text[])
            AS sent (sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments,
                     amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id, plan_name,
                     plan_version, terminal_id, terminal_serial, payment_link_code, card_last_four,
                     authorization_code, failure_reason, occurred_at, created_at, captured_at, sequences, due_dates,
                     installment_gross, installment_net, settled_by, accelerated_by, awaits_approval, part_refunds,
                     refunded, refunded_net, part_chargebacks, charged_back, disputed, consumed_by,
                     consumed_installment, consumed_net, names, search_names)
               OFFSET 0) AS changed"
    };
}

const INSERT: &str = concat!(
    "INSERT INTO sale (sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments,
                       amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id, plan_name,
                       plan_version, terminal_id, terminal_serial, payment_link_code, card_last_four,
                       authorization_code, failure_reason, occurred_at, created_at, captured_at, sequences, due_dates,
                       installment_gross, installment_net, settled_by, accelerated_by, awaits_approval, part_refunds,
                       refunded, refunded_net, part_chargebacks, charged_back, disputed, consumed_by,
                       consumed_installment, consumed_net, names, search_names)
     SELECT sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments, amount,
            status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id, plan_name, plan_version,
            terminal_id, terminal_serial, payment_link_code, card_last_four, authorization_code, failure_reason,
            occurred_at, created_at, captured_at, sequences, due_dates, installment_gross,
            installment_net, settled_by, accelerated_by, awaits_approval, part_refunds, refunded,
            refunded_net, part_chargebacks, charged_back, disputed, consumed_by, consumed_installment,
            consumed_net, names, search_names",
    changed_rows!()
);

const UPDATE: &str = concat!(
    "UPDATE sale
        SET provider = changed.provider,
            external_id = changed.external_id,
            solution = changed.solution,
            payment_type = changed.payment_type,
            card_brand = changed.card_brand,
            installments = changed.installments,
            amount = changed.amount,
            status = changed.status,
            percentage_fee = changed.percentage_fee,
            flat_fee = changed.flat_fee,
            percentage_rate = changed.percentage_rate,
            flat_rate = changed.flat_rate,
            net = changed.net,
            plan_id = changed.plan_id,
            plan_name = changed.plan_name,
            plan_version = changed.plan_version,
            terminal_id = changed.terminal_id,
            terminal_serial = changed.terminal_serial,
            payment_link_code = changed.payment_link_code,
            card_last_four = changed.card_last_four,
            authorization_code = changed.authorization_code,
            failure_reason = changed.failure_reason,
            occurred_at = changed.occurred_at,
            captured_at = changed.captured_at,
            sequences = changed.sequences,
            due_dates = changed.due_dates,
            installment_gross = changed.installment_gross,
            installment_net = changed.installment_net,
            settled_by = changed.settled_by,
            accelerated_by = changed.accelerated_by,
            awaits_approval = changed.awaits_approval,
            part_refunds = changed.part_refunds,
            refunded = changed.refunded,
            refunded_net = changed.refunded_net,
            part_chargebacks = changed.part_chargebacks,
            charged_back = changed.charged_back,
            disputed = changed.disputed,
            consumed_by = changed.consumed_by,
            consumed_installment = changed.consumed_installment,
            consumed_net = changed.consumed_net,
            names = changed.names,
            search_names = changed.search_names",
    changed_rows!(),
    " WHERE sale.sale_id = changed.sale_id AND sale.business_id = changed.business_id"
);

async fn update_payments(tx: &Transaction<'_>, paid: &[&SaleRecord]) -> Result<(), tokio_postgres::Error> {
    let columns: [Column; 4] = [
        column(paid, |sale| sale.row.sale_id.uuid()),
        column(paid, |sale| sale.row.business_id.uuid()),
        schedule(paid, settled_by),
        column(paid, |sale| sale.accelerated_by),
    ];
    let sql = "UPDATE sale
                  SET settled_by = changed.settled_by,
                      accelerated_by = changed.accelerated_by
                 FROM (SELECT sale_id, business_id, settled_by::int8[], accelerated_by
                         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int8[])
                           AS sent (sale_id, business_id, settled_by, accelerated_by)
                       OFFSET 0) AS changed
                WHERE sale.sale_id = changed.sale_id AND sale.business_id = changed.business_id";
    roll_up::write(tx, sql, &columns).await
}

/// The columns of `changed`, in its order.
fn columns(rows: &[&SaleRecord]) -> Vec<Column> {
    vec![
        column(rows, |sale| sale.row.sale_id.uuid()),
        column(rows, |sale| sale.row.business_id.uuid()),
        column(rows, |sale| i16::from(sale.row.provider.number())),
        column(rows, |sale| sale.row.external_id.clone()),
        column(rows, |sale| i16::from(sale.row.solution.number())),
        column(rows, |sale| sale.row.payment_type.as_str()),
        column(rows, |sale| {
            sale.row.card_brand.as_ref().map(CardBrand::to_string)
        }),
        column(rows, |sale| i16::from(sale.row.installments)),
        column(rows, |sale| sale.row.amount.get()),
        column(rows, |sale| sale.row.status.as_str()),
        column(rows, |sale| sale.row.fees.percentage_fee.get()),
        column(rows, |sale| sale.row.fees.flat_fee.get()),
        column(rows, |sale| sale.row.fees.percentage_rate.get()),
        column(rows, |sale| sale.row.fees.flat_rate.get()),
        column(rows, |sale| sale.row.net.map(|net| net.get())),
        column(rows, |sale| sale.row.plan.as_ref().map(|plan| plan.id.uuid())),
        column(rows, |sale| sale.row.plan.as_ref().map(|plan| plan.name.clone())),
        column(rows, |sale| {
            let plan = sale.row.plan.as_ref();
            plan.map(|plan| i64::from(plan.version))
        }),
        column(rows, |sale| {
            let terminal = sale.row.terminal.as_ref();
            terminal.map(|terminal| TerminalId::uuid(terminal.id))
        }),
        column(rows, |sale| {
            let terminal = sale.row.terminal.as_ref();
            terminal.map(|terminal| terminal.serial_number.clone())
        }),
        column(rows, |sale| sale.row.payment_link_code.clone()),
        column(rows, |sale| sale.row.card_last_four.clone()),
        column(rows, |sale| sale.row.authorization_code.clone()),
        column(rows, |sale| sale.row.failure_reason.clone()),
        column(rows, |sale| sale.row.occurred_at),
        column(rows, |sale| sale.row.created_at),
        column(rows, |sale| sale.row.captured_at),
        column(rows, |sale| array_literal(sale.row.sequences.iter().map(Some))),
        schedule(rows, |installment| Some(installment.due_date.to_string())),
        schedule(rows, |installment| Some(installment.gross.get().to_string())),
        schedule(rows, |installment| Some(installment.net.get().to_string())),
        schedule(rows, settled_by),
        column(rows, |sale| sale.accelerated_by),
        column(rows, |sale| sale.awaits_approval),
        column(rows, |sale| sale.row.parts.refunds),
        column(rows, |sale| sale.row.parts.refunded.get()),
        column(rows, |sale| sale.row.parts.refunded_net.get()),
        column(rows, |sale| sale.row.parts.chargebacks),
        column(rows, |sale| sale.row.parts.charged_back.get()),
        column(rows, |sale| sale.row.parts.disputed.map(|amount| amount.get())),
        column(rows, |sale| {
            array_literal(sale.consumed.iter().map(|part| Some(part.sequence)))
        }),
        column(rows, |sale| {
            array_literal(sale.consumed.iter().map(|part| Some(part.number)))
        }),
        column(rows, |sale| {
            array_literal(sale.consumed.iter().map(|part| Some(part.net.get())))
        }),
        column(rows, |sale| column_values::names_json(&sale.row.names)),
        column(rows, |sale| text_array_literal(&sale.row.search_names)),
    ]
}

fn settled_by(installment: &Installment) -> Option<String> {
    installment.settled_by.map(|sequence| sequence.to_string())
}

fn column<Value: ToSql + Sync + Send + 'static>(
    rows: &[&SaleRecord],
    value: impl Fn(&SaleRecord) -> Value,
) -> Column {
    Box::new(rows.iter().map(|row| value(row)).collect::<Vec<_>>())
}

/// A column of the schedule: one array for each sale, null until the sale is captured.
fn schedule(rows: &[&SaleRecord], value: fn(&Installment) -> Option<String>) -> Column {
    column(rows, |sale| {
        let is_captured = !sale.schedule.is_empty();
        is_captured.then(|| array_literal(sale.schedule.iter().map(value)))
    })
}
