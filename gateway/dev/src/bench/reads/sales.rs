//! The sales of an installation: rows of the read model `sale` and of its reversals, made from one seed and loaded by
//! COPY.
//!
//! The last 400 days have about the same number of sales each. One company has a tenth of them. Everything that is due
//! is settled, so that the gateway finds nothing to settle; `sales.sql` computes the other read models from these rows.

use std::fmt::Write as _;
use std::pin::pin;

use bytes::Bytes;
use chrono::{DateTime, Days, NaiveDate, TimeDelta, Utc};
use futures::SinkExt;
use ledger_domain::calendar::business_date;
use tokio_postgres::Transaction;

use super::super::BenchError;
use super::world::BIG_COMPANY;
use crate::demo::DemoRng;

/// The days over which the sales are spread.
pub const DAYS: i64 = 400;
const SEED: &str = "bench-reads";
/// About the size of one message of a COPY, in bytes.
const CHUNK: usize = 1 << 18;

const SALE_COLUMNS: &str = "sale_id, business_id, provider, external_id, search_names, solution, payment_type,
    card_brand, installments, amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id,
    plan_name, plan_version, terminal_id, terminal_serial, payment_link_code, card_last_four, failure_reason,
    occurred_at, created_at, captured_at, sequences, due_dates, installment_gross, installment_net, settled_by,
    accelerated_by";

#[derive(Clone, Copy)]
pub struct Sales {
    pub count: u64,
    pub companies: u32,
    pub now: DateTime<Utc>,
}

struct Sale {
    number: u64,
    company: u32,
    solution: u8,
    payment_type: &'static str,
    brand: Option<&'static str>,
    installments: u8,
    amount: i64,
    status: &'static str,
    terminal: Option<u32>,
    at: DateTime<Utc>,
}

impl Sales {
    /// Copies the sales in the order of their instants, and then their reversals.
    pub async fn copy(self, transaction: &Transaction<'_>) -> Result<(), BenchError> {
        let sink = transaction
            .copy_in(&format!("COPY sale ({SALE_COLUMNS}) FROM STDIN"))
            .await?;
        let mut sink = pin!(sink);
        let mut rng = DemoRng::seeded_by(SEED);
        let today = business_date(self.now);
        let mut rows = String::with_capacity(CHUNK + 1_024);
        let mut returns = String::new();
        for number in 0..self.count {
            let sale = self.sale(number, &mut rng);
            sale.write(&mut rows, today)?;
            sale.write_return(&mut returns)?;
            if rows.len() >= CHUNK {
                sink.send(Bytes::from(std::mem::take(&mut rows))).await?;
                rows.reserve(CHUNK + 1_024);
            }
        }
        sink.send(Bytes::from(rows)).await?;
        sink.finish().await?;
        let sink = transaction
            .copy_in("COPY sale_return (business_id, occurred_at, sale_id, status, returns, gross, net) FROM STDIN")
            .await?;
        let mut sink = pin!(sink);
        sink.send(Bytes::from(returns)).await?;
        sink.finish().await?;
        Ok(())
    }

    fn sale(self, number: u64, rng: &mut DemoRng) -> Sale {
        let step = TimeDelta::days(DAYS).num_microseconds().unwrap_or_default()
            / i64::try_from(self.count.max(1)).unwrap_or(1);
        let left = i64::try_from(self.count - number).unwrap_or_default();
        let at = self.now - TimeDelta::microseconds(left * step - rng.below(step.max(1)));
        let company = if rng.below(10) == 0 {
            BIG_COMPANY
        } else {
            1 + u32::try_from(rng.below(i64::from(self.companies))).unwrap_or_default()
        };
        let terminal = (0..3).find_map(|machine| self.terminal(company, machine));
        let solution = *rng.weighted(&[1, 2, 4], |solution| match solution {
            1 => 55,
            2 => 15,
            _ => 30,
        });
        let solution = if terminal.is_none() { 2 } else { solution };
        let payment_type = *rng.weighted(&["credit", "debit", "pix", "boleto"], |kind| {
            match (*kind, solution) {
                ("credit", _) => 55,
                ("debit", 1) => 25,
                ("boleto", 4) => 10,
                ("debit" | "boleto", _) => 0,
                _ => 20,
            }
        });
        let card = matches!(payment_type, "credit" | "debit");
        let brand = card.then(|| {
            *rng.one_of(&[
                "visa",
                "visa",
                "mastercard",
                "mastercard",
                "elo",
                "hipercard",
                "amex",
            ])
        });
        let installments = match (payment_type, rng.below(100)) {
            ("credit", 0..=9) => u8::try_from(rng.between(4, 12)).unwrap_or(4),
            ("credit", 10..=24) => u8::try_from(rng.between(2, 3)).unwrap_or(2),
            _ => 1,
        };
        let drawn = rng.below(1_000);
        // A reversal comes two days after the capture, before anything of a credit sale is due.
        let reversible = payment_type == "credit" && at < self.now - TimeDelta::days(3);
        let status = match drawn {
            0..=19 if reversible => "canceled",
            20..=29 if reversible => "refunded",
            30..=44 => "failed",
            45..=54 => "pending",
            _ => "succeeded",
        };
        Sale {
            number,
            company,
            solution,
            payment_type,
            brand,
            installments,
            amount: rng.between(10_00, 500_00),
            status,
            terminal: terminal.filter(|_| solution == 1),
            at,
        }
    }

    /// A machine of the company, by the numbers of `records.sql`. One in ten is in stock.
    fn terminal(self, company: u32, machine: u32) -> Option<u32> {
        let number = company - 1 + machine * self.companies;
        (number > 0 && !number.is_multiple_of(10)).then_some(number)
    }
}

/// The id of a record of `records.sql`.
fn numbered(prefix: &str, number: u32) -> String {
    format!("{prefix}-5b1e-7c3a-8000-{number:012x}")
}

impl Sale {
    fn id(&self) -> String {
        format!("0193f0b0-5b1e-7c3a-8000-{:012x}", self.number)
    }

    fn is_captured(&self) -> bool {
        !matches!(self.status, "failed" | "pending")
    }

    fn is_returned(&self) -> bool {
        matches!(self.status, "canceled" | "refunded")
    }

    /// The percentage fee, the flat fee, the percentage rate (for each installment) and the flat rate.
    fn fees(&self) -> [i64; 4] {
        let percent = |thousandths: i64| (self.amount * thousandths + 500) / 1_000;
        [percent(25), 0, percent(5) * i64::from(self.installments), 10]
    }

    fn net(&self) -> i64 {
        self.amount - self.fees().iter().sum::<i64>()
    }

    fn due_dates(&self) -> Vec<NaiveDate> {
        let captured = business_date(self.at);
        let after = |days| captured.checked_add_days(Days::new(days)).unwrap_or(captured);
        match self.payment_type {
            "credit" => (1..=u64::from(self.installments))
                .map(|number| after(30 * number))
                .collect(),
            "pix" => vec![captured],
            "debit" => vec![after(1)],
            _ => vec![after(2)],
        }
    }

    /// A line of COPY for the table `sale`.
    fn write(&self, row: &mut String, today: NaiveDate) -> std::fmt::Result {
        let null = || "\\N".to_owned();
        let [percentage_fee, flat_fee, percentage_rate, flat_rate] =
            if self.is_captured() { self.fees() } else { [0; 4] };
        let of_captured = |text: String| if self.is_captured() { text } else { null() };
        let terminal = self
            .terminal
            .map_or_else(null, |number| numbered("0193f0a2", number));
        let serial = self.terminal.map_or_else(null, |number| {
            format!("MAQ{:07}", u64::from(number) * 7_919 % 1_000_003)
        });
        let link = if self.solution == 4 {
            format!("{:012X}", self.company)
        } else {
            null()
        };
        let at = self.at.format("%Y-%m-%d %H:%M:%S%.6f+00");
        write!(
            row,
            "{id}\t{company}\t1\tbench-{number}\t{{bench-{number}}}\t{solution}\t{payment_type}\t{brand}\t{installments}\t{amount}\t{status}\t\
             {percentage_fee}\t{flat_fee}\t{percentage_rate}\t{flat_rate}\t{net}\t{plan}\t{plan_name}\t{plan_version}\t\
             {terminal}\t{serial}\t{link}\t{last_four}\t{failure}\t{at}\t{at}\t{captured_at}\t{sequences}\t",
            id = self.id(),
            company = numbered("0193f0a0", self.company),
            number = self.number,
            solution = self.solution,
            payment_type = self.payment_type,
            brand = self.brand.unwrap_or("\\N"),
            installments = self.installments,
            amount = self.amount,
            status = self.status,
            net = of_captured(self.net().to_string()),
            plan = of_captured(numbered("0193f0a3", 1)),
            plan_name = of_captured("Plano 1".to_owned()),
            plan_version = of_captured("1".to_owned()),
            last_four = self.brand.map_or("\\N", |_| "4242"),
            failure = if self.status == "failed" {
                "declined"
            } else {
                "\\N"
            },
            captured_at = of_captured(at.to_string()),
            sequences = if self.is_returned() { "{1,2}" } else { "{1}" },
        )?;
        self.write_schedule(row, today)
    }

    /// The last columns: due dates, gross and net amounts, and the sequences of the settlements and the reversal.
    fn write_schedule(&self, row: &mut String, today: NaiveDate) -> std::fmt::Result {
        if !self.is_captured() {
            return writeln!(row, "\\N\t\\N\t\\N\t\\N\t\\N");
        }
        let dates = self.due_dates();
        let parts = i64::try_from(dates.len()).unwrap_or(1);
        let split = |total: i64| -> Vec<i64> {
            let each = total / parts;
            (0..parts)
                .map(|part| each + if part == 0 { total - each * parts } else { 0 })
                .collect()
        };
        // The reversal pays all installments early.
        let settled: Vec<_> = dates
            .iter()
            .map(|due| {
                if self.is_returned() || *due <= today {
                    "2"
                } else {
                    "NULL"
                }
            })
            .collect();
        writeln!(
            row,
            "{{{}}}\t{{{}}}\t{{{}}}\t{{{}}}\t{}",
            joined(&dates),
            joined(&split(self.amount)),
            joined(&split(self.net())),
            settled.join(","),
            if self.is_returned() { "2" } else { "\\N" },
        )
    }

    fn write_return(&self, rows: &mut String) -> std::fmt::Result {
        if !self.is_returned() {
            return Ok(());
        }
        writeln!(
            rows,
            "{}\t{}\t{}\t{}\t1\t{}\t{}",
            numbered("0193f0a0", self.company),
            (self.at + TimeDelta::days(2)).format("%Y-%m-%d %H:%M:%S%.6f+00"),
            self.id(),
            self.status,
            self.amount,
            self.net(),
        )
    }
}

fn joined<T: ToString>(values: &[T]) -> String {
    values
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_makes_the_same_sales_and_one_company_has_a_tenth() {
        let sales = Sales {
            count: 2_000,
            companies: 1_000,
            now: DateTime::from_timestamp(1_795_000_000, 0).expect("an instant"),
        };
        let mut first = DemoRng::seeded_by(SEED);
        let mut second = DemoRng::seeded_by(SEED);
        let mut of_big = 0;
        let mut before = sales.now - TimeDelta::days(DAYS + 1);
        for number in 0..sales.count {
            let (sale, same) = (sales.sale(number, &mut first), sales.sale(number, &mut second));
            let (mut row, mut other) = (String::new(), String::new());
            let today = business_date(sales.now);
            sale.write(&mut row, today).expect("a row");
            same.write(&mut other, today).expect("a row");
            assert_eq!(row, other);
            assert_eq!(row.split('\t').count(), SALE_COLUMNS.split(',').count(), "{row}");
            assert!(
                before < sale.at && sale.at <= sales.now,
                "in the order of their instants"
            );
            assert!(!sale.is_captured() || sale.net() > 0);
            before = sale.at;
            of_big += u32::from(sale.company == BIG_COMPANY);
        }
        assert!((150..250).contains(&of_big), "{of_big}");
    }
}
