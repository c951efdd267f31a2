//! An acquirer's settlement reports of the story's last days with payments: a card file for each day. One file has
//! faults, which staff find as differences.

use std::collections::HashMap;

use chrono::TimeDelta;
use gateway_formats::settlement_files::card_file::{
    CardDetail, CardEntryType, CardHeader, CardRecord, FileKind, ReceivableUnit, write_file,
};
use gateway_platform::reconciliation::{
    AcquirerRate, FileFormat, NewUpload, Rate, Reconciliation, rate_add, rates_all, upload_add, upload_begin,
    upload_end,
};
use ledger_domain::calendar::{Date, business_date};
use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider, SaleStatus};
use ledger_domain::{Cents, SaleId};
use projections::expected_payments::{ExpectedSale, companies_due, sales_due};
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use super::loader::DemoError;
use super::orders::reference_of;
use super::progress::StoryEnd;
use super::trade::DemoNotice;

/// The acquirer whose files are imported. The external ids of its sales in the story fit the TID of a card file.
const PROVIDER: Provider = Provider::Zoop;
const DAYS_REPORTED: usize = 3;
/// The days in which `DAYS_REPORTED` days with payments are searched, backward from yesterday.
const DAYS_SEARCHED: i64 = 14;
/// More companies and sales than are due on any day of the story.
const ROWS_MAX: i64 = 1_000;
const MERCHANT: &str = "0000000001";

/// A sale as the acquirer's file reports it.
struct ReportedSale {
    tid: String,
    sold_on: Date,
}

/// Sets the acquirer's rates and imports its files.
pub(super) async fn import_reports(
    job: &Reconciliation,
    notices: &[DemoNotice],
    set_by: UserId,
    end: StoryEnd,
) -> Result<(), DemoError> {
    let client = job.pool.get().await?;
    if rates_all(&**client).await?.is_empty() {
        for payment_type in [PaymentType::Debit, PaymentType::Credit, PaymentType::Pix] {
            let rate = AcquirerRate {
                id: job.ids.new_uuid(),
                provider: PROVIDER,
                payment_type,
                installments_from: 1,
                valid_from: end.day - TimeDelta::days(DAYS_SEARCHED),
                rate: Some(rate()),
                set_by,
                set_at: end.instant,
            };
            rate_add(&**client, &rate).await?;
        }
    }
    let captured = captured_sales(job, notices);
    let days = (1..=DAYS_SEARCHED).map(|days_ago| end.day - TimeDelta::days(days_ago));
    let mut reported = 0;
    for day in days {
        let companies = companies_due(&**client, PROVIDER, day, None, ROWS_MAX).await?;
        let sales = sales_due(&**client, PROVIDER, day, &companies, None, ROWS_MAX).await?;
        let mut details: Vec<_> = sales
            .iter()
            .flat_map(|sale| details_of(sale, day, &captured))
            .collect();
        if details.is_empty() {
            continue;
        }
        // The days go backward, so this is the last file but one. In the last one, a missing installment may be no
        // difference yet: the acquirer may report it until the end of the next day.
        if reported == 1 {
            add_faults(&mut details);
        }
        import(job, day, &details, end).await?;
        reported += 1;
        if reported == DAYS_REPORTED {
            break;
        }
    }
    drop(client);
    Ok(job.run().await?)
}

fn rate() -> Rate {
    Rate {
        percent: Decimal::new(125, 2),
        flat: Cents::ZERO,
    }
}

/// The captured sales of the acquirer. The TID of a link's sale is the reference of its order, that of another sale its
/// external id.
fn captured_sales(job: &Reconciliation, notices: &[DemoNotice]) -> HashMap<SaleId, ReportedSale> {
    let captured = notices
        .iter()
        .filter(|notice| notice.provider == PROVIDER && notice.content.r#type == "sale.captured");
    captured
        .map(|notice| {
            let external_id = &notice.content.data.external_id;
            let (sale_id, tid) = match &notice.attempt {
                Some(attempt) => (attempt.sale_id, reference_of(&attempt.order).to_string()),
                None => (job.ids.sale(PROVIDER, external_id), external_id.clone()),
            };
            let sold_on = business_date(notice.content.occurred_at);
            (sale_id, ReportedSale { tid, sold_on })
        })
        .collect()
}

/// The installments of a sale that are due on the day. A sale with a reversal has none in the file.
fn details_of(sale: &ExpectedSale, day: Date, captured: &HashMap<SaleId, ReportedSale>) -> Vec<CardDetail> {
    let Some(reported) = captured
        .get(&sale.sale_id)
        .filter(|_| sale.status == SaleStatus::Succeeded)
    else {
        return vec![];
    };
    let due = (1..)
        .zip(&sale.schedule)
        .filter(|(_, installment)| installment.due_date == day);
    due.map(|(number, installment)| {
        let fee = rate().cost_of(installment.gross).unwrap_or(Cents::ZERO);
        CardDetail {
            line: 0,
            installment: number,
            installments: sale.installments,
            authorization: String::new(),
            entry_type: match sale.payment_type {
                PaymentType::Debit => CardEntryType::Debit,
                _ if sale.installments > 1 => CardEntryType::Installments,
                // PIX too: `CardEntryType` has no payment of another type.
                _ => CardEntryType::Credit,
            },
            unit_key: unit_key(day),
            card: String::new(),
            nsu: String::new(),
            tid: reported.tid.clone(),
            gross: installment.gross,
            net: net(installment.gross, fee),
            fee: Some(fee),
            sold_on: Some(reported.sold_on),
            due: Some(day),
        }
    })
    .collect()
}

fn set_fee(detail: &mut CardDetail, fee: Cents) {
    detail.fee = Some(fee);
    detail.net = net(detail.gross, fee);
}

fn net(gross: Cents, fee: Cents) -> Cents {
    gross.checked_sub(fee).unwrap_or(Cents::ZERO)
}

fn unit_key(day: Date) -> String {
    format!("UR{}", day.format("%Y%m%d"))
}

/// Adds one fault of each kind, if there are enough details: not reported, another amount, another cost, twice, and of
/// no sale.
fn add_faults(details: &mut Vec<CardDetail>) {
    if details.len() > 4 {
        details.remove(0);
    }
    if let [amount, cost, twice, ..] = details.as_mut_slice() {
        amount.gross = amount
            .gross
            .checked_add(Cents::new(10_00))
            .unwrap_or(amount.gross);
        let fee = rate().cost_of(amount.gross).unwrap_or(Cents::ZERO);
        set_fee(amount, fee);
        let fee = cost.fee.unwrap_or(Cents::ZERO);
        set_fee(cost, fee.checked_add(Cents::new(35)).unwrap_or(fee));
        let twice = twice.clone();
        let unknown = CardDetail {
            tid: "TID-SEM-VENDA-001".to_owned(),
            installment: 1,
            installments: 1,
            entry_type: CardEntryType::Credit,
            ..twice.clone()
        };
        details.extend([twice, unknown]);
    }
}

async fn import(
    job: &Reconciliation,
    day: Date,
    details: &[CardDetail],
    end: StoryEnd,
) -> Result<(), DemoError> {
    let content = file_of(day, details);
    let id = job.ids.new_uuid();
    let upload = NewUpload {
        id,
        provider: PROVIDER,
        format: FileFormat::CardFile,
        file_name: Some(format!("extrato-{}.txt", day.format("%Y%m%d"))),
        imported_by: None,
        created_at: end.instant,
    };
    let client = job.pool.get().await?;
    upload_begin(&**client, &upload).await?;
    upload_add(&**client, id, 0, content.as_bytes()).await?;
    // After an interrupted load the same file exists already. That is no error.
    upload_end(&**client, id, &Sha256::digest(&content)).await?;
    Ok(())
}

fn file_of(day: Date, details: &[CardDetail]) -> String {
    let sum = |of: fn(&CardDetail) -> Cents| Cents::new(details.iter().map(|detail| of(detail).get()).sum());
    let header = CardHeader {
        merchant: MERCHANT.to_owned(),
        date: Some(day),
        kind: FileKind::Paid,
    };
    let unit = ReceivableUnit {
        line: 0,
        merchant: MERCHANT.to_owned(),
        // The reconciliation reads neither code.
        brand: "001".to_owned(),
        status: "04".to_owned(),
        gross: sum(|detail| detail.gross),
        fee: Some(sum(|detail| detail.fee.unwrap_or(Cents::ZERO))),
        net: sum(|detail| detail.net),
        entry_type: CardEntryType::Credit,
        unit_key: unit_key(day),
        paid_on: Some(day),
        due: Some(day),
    };
    let mut records = vec![CardRecord::Header(header), CardRecord::Unit(unit)];
    records.extend(details.iter().cloned().map(CardRecord::Detail));
    write_file(&records)
}
