//! How terminals are billed, since when, and which company owes a month's rental. The ledger charges the rentals.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::SaleTerminal;
use ledger_domain::{BusinessId, Cents, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

/// How the company got the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquisition {
    Purchased,
    Rental,
}

impl Acquisition {
    pub const fn number(self) -> i16 {
        match self {
            Self::Purchased => 0,
            Self::Rental => 1,
        }
    }

    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Purchased),
            1 => Some(Self::Rental),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// Adesão: paid once, outside of this platform, whether the company bought or rents the machine.
    Adhesion(Acquisition),
    /// Aluguel: an individual price per month. `None` means the usual price (`settings::rental_prices`).
    /// Only this billing is charged a rental.
    Rental(Option<Cents>),
}

impl Billing {
    /// The billing of a terminal that a company has just got.
    pub const NEW: Self = Self::Adhesion(Acquisition::Purchased);

    pub const fn number(self) -> i16 {
        match self {
            Self::Adhesion(_) => 0,
            Self::Rental(_) => 1,
        }
    }

    pub const fn acquisition(self) -> Acquisition {
        match self {
            Self::Adhesion(acquisition) => acquisition,
            Self::Rental(_) => Acquisition::Rental,
        }
    }

    /// The individual price of a rental. `None` for an adhesion and for a rental at the usual price.
    pub const fn price(self) -> Option<Cents> {
        match self {
            Self::Adhesion(_) => None,
            Self::Rental(price) => price,
        }
    }

    /// The columns' constraints admit no other numbers.
    pub(super) const fn of_columns(billing_type: i16, acquisition: i16, rental_cents: Option<i64>) -> Self {
        match (billing_type, acquisition, rental_cents) {
            (1, _, Some(cents)) => Self::Rental(Some(Cents::new(cents))),
            (1, _, None) => Self::Rental(None),
            (_, 1, _) => Self::Adhesion(Acquisition::Rental),
            _ => Self::Adhesion(Acquisition::Purchased),
        }
    }
}

/// A terminal whose company owes a month's rental.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwedRental {
    pub business_id: BusinessId,
    pub terminal: SaleTerminal,
    /// `None` means the usual price (`settings::rental_prices`).
    pub price: Option<Cents>,
}

/// Sets how a terminal is billed. A change whose time is not after the latest row gets a time after that row, as in
/// `terminal_set_owner`. `Since::Past` is stored unchanged.
pub async fn terminal_set_billing(
    client: &impl GenericClient,
    terminal_id: TerminalId,
    billing: Billing,
    since: Since,
) -> Result<(), Error> {
    client
        .execute(
            "INSERT INTO terminal_billing (terminal_id, billing_type, acquisition, rental_cents, valid_from)
             VALUES ($1, $2, $3, $4, coalesce($6, greatest(coalesce($5, transaction_timestamp()),
                     (SELECT max(valid_from) + interval '1 microsecond'
                        FROM terminal_billing WHERE terminal_id = $1))))",
            &[
                &terminal_id.uuid(),
                &billing.number(),
                &billing.acquisition().number(),
                &billing.price().map(Cents::get),
                &since.instant(),
                &since.past_instant(),
            ],
        )
        .await
        .map(drop)
}

/// The earliest instant since which any terminal is billed a rental. `None` if no terminal ever was.
pub async fn rented_since(client: &impl GenericClient) -> Result<Option<Instant>, Error> {
    let rows = client
        .query_typed(
            "SELECT valid_from FROM terminal_billing WHERE billing_type = 1 ORDER BY valid_from LIMIT 1",
            &[],
        )
        .await?;
    Ok(rows.first().map(|row| row.get(0)))
}

/// All terminals that a company owned and that were billed a rental at the instant.
pub async fn rentals_owed(client: &impl GenericClient, at: Instant) -> Result<Vec<OwedRental>, Error> {
    let rows = client
        .query_typed(
            "SELECT owner.business_id, terminal.id, terminal.serial_number, billing.rental_cents
               FROM terminal
              CROSS JOIN LATERAL (SELECT billing_type, rental_cents FROM terminal_billing
                                   WHERE terminal_id = terminal.id AND valid_from <= $1
                                   ORDER BY valid_from DESC LIMIT 1) AS billing
              CROSS JOIN LATERAL (SELECT business_id FROM terminal_owner
                                   WHERE terminal_id = terminal.id AND valid_from <= $1
                                   ORDER BY valid_from DESC LIMIT 1) AS owner
              WHERE billing.billing_type = 1 AND owner.business_id IS NOT NULL
              ORDER BY terminal.id",
            &[(&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    let owed = rows.iter().map(|row| OwedRental {
        business_id: BusinessId::from_uuid(row.get(0)),
        terminal: SaleTerminal {
            id: TerminalId::from_uuid(row.get(1)),
            serial_number: row.get(2),
        },
        price: row.get::<_, Option<i64>>(3).map(Cents::new),
    });
    Ok(owed.collect())
}

/// The first days of the months that are fully charged, from a day on.
pub async fn months_charged(client: &impl GenericClient, from: Date) -> Result<Vec<Date>, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date FROM rental_month WHERE due_date >= $1",
            &[(&from, Type::DATE)],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Records that all rentals of the month are charged. A repeated call changes nothing.
pub async fn charged_month_add(client: &impl GenericClient, due_date: Date) -> Result<(), Error> {
    client
        .execute_typed(
            "INSERT INTO rental_month (due_date) VALUES ($1) ON CONFLICT DO NOTHING",
            &[(&due_date, Type::DATE)],
        )
        .await
        .map(drop)
}
