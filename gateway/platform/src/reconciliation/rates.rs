//! The rates that acquirers should charge, with their history. Comparisons use them only to report unexpected costs.

use chrono::{DateTime, Utc};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_rows::{FromRow, execute, fetch, params, row};
use projections::expected_payments::ExpectedSale;
use rust_decimal::Decimal;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::compare::Rate;

/// A rate from a day on, until a later one replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcquirerRate {
    pub id: Uuid,
    pub provider: Provider,
    pub payment_type: PaymentType,
    /// The rate applies to sales with at least this number of installments. Of several such rates, the one with the
    /// highest number applies.
    pub installments_from: u8,
    pub valid_from: Date,
    /// `None`: from that day on, no cost is expected, so none is compared.
    pub rate: Option<Rate>,
    pub set_by: UserId,
    pub set_at: DateTime<Utc>,
}

row! {
    impl FromRow for AcquirerRate {
        id: Uuid,
        provider: Provider,
        payment_type: PaymentType,
        installments_from: u8,
        valid_from: Date,
        percent: Option<Decimal>,
        flat: Option<Cents>,
        set_by: UserId,
        set_at: DateTime<Utc>,
    } => Self {
        id,
        provider,
        payment_type,
        installments_from,
        valid_from,
        rate: percent.zip(flat).map(|(percent, flat)| Rate { percent, flat }),
        set_by,
        set_at,
    }
}

/// Adds a rate. Only later comparisons use it.
pub async fn rate_add(client: &impl GenericClient, new: &AcquirerRate) -> Result<(), Error> {
    let sql =
        "INSERT INTO acquirer_rate (id, provider, payment_type, installments_from, valid_from, percent, flat,
                                          set_by, set_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let (percent, flat) = (new.rate.map(|rate| rate.percent), new.rate.map(|rate| rate.flat));
    let parameters = params![
        new.id,
        new.provider,
        new.payment_type,
        new.installments_from,
        new.valid_from,
        percent,
        flat,
        new.set_by,
        new.set_at,
    ];
    execute(client, sql, parameters).await.map(drop)
}

/// All rates ever set: by acquirer, payment type and installments, the latest first. They are few.
pub async fn rates_all(client: &impl GenericClient) -> Result<Vec<AcquirerRate>, Error> {
    let sql = format!(
        "SELECT {} FROM acquirer_rate
          ORDER BY provider, payment_type, installments_from, valid_from DESC, set_at DESC",
        AcquirerRate::COLUMNS
    );
    fetch(client, &sql, params![]).await
}

/// All rates, for the comparison of many sales.
pub(super) struct Rates(Vec<AcquirerRate>);

impl Rates {
    pub async fn of(client: &impl GenericClient) -> Result<Self, Error> {
        rates_all(client).await.map(Self)
    }

    /// The rate of an installment of the sale that is due on the day.
    pub fn of_sale(&self, sale: &ExpectedSale, day: Date) -> Option<Rate> {
        self.0
            .iter()
            .filter(|rate| (rate.provider, rate.payment_type) == (sale.provider, sale.payment_type))
            .filter(|rate| rate.installments_from <= sale.installments && rate.valid_from <= day)
            .max_by_key(|rate| (rate.installments_from, rate.valid_from, rate.set_at))
            .and_then(|rate| rate.rate)
    }
}

#[cfg(test)]
mod tests {
    use ledger_domain::sale::SaleStatus;
    use ledger_domain::{BusinessId, SaleId};

    use super::*;

    fn rate(installments_from: u8, valid_from: &str, percent: Option<&str>) -> AcquirerRate {
        AcquirerRate {
            id: Uuid::nil(),
            provider: Provider::Zoop,
            payment_type: PaymentType::Credit,
            installments_from,
            valid_from: valid_from.parse().expect("a date"),
            rate: percent.map(|percent| Rate {
                percent: percent.parse().expect("a decimal"),
                flat: Cents::ZERO,
            }),
            set_by: UserId::from_uuid(Uuid::nil()),
            set_at: "2026-11-01T12:00:00Z".parse().expect("an instant"),
        }
    }

    fn percent(rates: &Rates, installments: u8, day: &str) -> Option<String> {
        let sale = ExpectedSale {
            taken_back: ledger_domain::Cents::ZERO,
            sale_id: SaleId::from_uuid(Uuid::nil()),
            business_id: BusinessId::from_uuid(Uuid::nil()),
            provider: Provider::Zoop,
            payment_type: PaymentType::Credit,
            installments,
            status: SaleStatus::Succeeded,
            schedule: vec![],
        };
        let rate = rates.of_sale(&sale, day.parse().expect("a date"));
        rate.map(|rate| rate.percent.to_string())
    }

    #[test]
    fn the_highest_installments_from_decides_and_then_the_latest_day() {
        let rates = Rates(vec![
            rate(1, "2026-01-01", Some("2.0")),
            rate(1, "2026-06-01", Some("1.9")),
            rate(2, "2026-01-01", Some("3.0")),
            rate(7, "2026-01-01", None),
            // Not rates of the sale.
            AcquirerRate {
                provider: Provider::Barte,
                ..rate(2, "2026-06-01", Some("9.0"))
            },
            AcquirerRate {
                payment_type: PaymentType::Debit,
                ..rate(2, "2026-06-01", Some("9.9"))
            },
        ]);
        assert_eq!(percent(&rates, 1, "2026-05-31").as_deref(), Some("2.0"));
        assert_eq!(percent(&rates, 1, "2026-06-01").as_deref(), Some("1.9"));
        assert_eq!(percent(&rates, 6, "2026-06-01").as_deref(), Some("3.0"));
        assert_eq!(percent(&rates, 7, "2026-06-01"), None, "a rate without a cost");
        assert_eq!(percent(&rates, 1, "2025-12-31"), None, "before the first rate");
    }
}
