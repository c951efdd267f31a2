//! How terminals are billed, since when, and which company owes a month's rental. The ledger charges the rentals.

use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::SaleTerminal;
use ledger_domain::{BusinessId, Cents, TerminalId};
use ledger_rows::{FromRow, execute, fetch, params, row, value};
use tokio_postgres::{Error, GenericClient};

use crate::validity::Since;

ledger_domain::numbers! {
    /// How the company got the machine: 0 purchased, 1 rented.
    pub enum Acquisition {
        Purchased = 0, "purchased" => "Comprada",
        Rental = 1, "rental" => "Alugada",
    }
}

ledger_domain::numbers! {
    /// 0 Adesão (paid once, outside of this platform), 1 Aluguel (charged monthly).
    pub enum BillingType {
        Adhesion = 0, "adhesion" => "Adesão",
        Rental = 1, "rental" => "Aluguel",
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

    pub const fn billing_type(self) -> BillingType {
        match self {
            Self::Adhesion(_) => BillingType::Adhesion,
            Self::Rental(_) => BillingType::Rental,
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

    /// The price counts for a rental only, and the acquisition for an adhesion only.
    pub const fn new(billing_type: BillingType, acquisition: Acquisition, price: Option<Cents>) -> Self {
        match billing_type {
            BillingType::Rental => Self::Rental(price),
            BillingType::Adhesion => Self::Adhesion(acquisition),
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
    let sql =
        "INSERT INTO terminal_billing (terminal_id, billing_type, acquisition, rental_cents, valid_from)
               VALUES ($1, $2, $3, $4, coalesce($6, greatest(coalesce($5, transaction_timestamp()),
                       (SELECT max(valid_from) + interval '1 microsecond'
                          FROM terminal_billing WHERE terminal_id = $1))))";
    let (kind, acquisition, price) = (billing.billing_type(), billing.acquisition(), billing.price());
    let (since, past) = (since.instant(), since.past_instant());
    let parameters = params![terminal_id, kind, acquisition, price, since, past];
    execute(client, sql, parameters).await.map(drop)
}

/// The earliest instant since which any terminal is billed a rental. `None` if no terminal ever was.
pub async fn rented_since(client: &impl GenericClient) -> Result<Option<Instant>, Error> {
    let sql = "SELECT min(valid_from) FROM terminal_billing WHERE billing_type = 1";
    value(client, sql, params![]).await
}

row! {
    impl FromRow for OwedRental {
        business_id: BusinessId = "owner.business_id",
        terminal_id: TerminalId = "terminal.id",
        serial_number: String = "terminal.serial_number",
        price: Option<Cents> = "billing.rental_cents",
    } => Self { business_id, terminal: SaleTerminal { id: terminal_id, serial_number }, price }
}

/// All terminals that a company owned and that were billed a rental at the instant.
pub async fn rentals_owed(client: &impl GenericClient, at: Instant) -> Result<Vec<OwedRental>, Error> {
    let sql = format!(
        "SELECT {}
           FROM terminal
          CROSS JOIN LATERAL (SELECT billing_type, rental_cents FROM terminal_billing
                               WHERE terminal_id = terminal.id AND valid_from <= $1
                               ORDER BY valid_from DESC LIMIT 1) AS billing
          CROSS JOIN LATERAL (SELECT business_id FROM terminal_owner
                               WHERE terminal_id = terminal.id AND valid_from <= $1
                               ORDER BY valid_from DESC LIMIT 1) AS owner
          WHERE billing.billing_type = 1 AND owner.business_id IS NOT NULL
          ORDER BY terminal.id",
        OwedRental::COLUMNS
    );
    fetch(client, &sql, params![at]).await
}

/// The first days of the months that are fully charged, from a day on.
pub async fn months_charged(client: &impl GenericClient, from: Date) -> Result<Vec<Date>, Error> {
    let sql = "SELECT array(SELECT due_date FROM rental_month WHERE due_date >= $1)";
    value(client, sql, params![from]).await
}

/// Records that all rentals of the month are charged. A repeated call changes nothing.
pub async fn charged_month_add(client: &impl GenericClient, due_date: Date) -> Result<(), Error> {
    let sql = "INSERT INTO rental_month (due_date) VALUES ($1) ON CONFLICT DO NOTHING";
    execute(client, sql, params![due_date]).await.map(drop)
}
