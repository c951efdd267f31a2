//! The list of what the reserve holds of each installment.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_rows::row;
use projections::SortOrder;

use crate::list::{Conditions, List, Order};

ledger_domain::words! {
    /// held: until its day. released: to the seller, on its day. used: for a reversal of the sale, in part or whole.
    pub enum ReservePieceState {
        Held = "held" => "Reservado",
        Released = "released" => "Liberado",
        Used = "used" => "Usado na devolução",
    }
}

row! {
    /// What is held of an installment until a day, with its sale.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReservedInstallment {
        pub release_on: Date = "p.release_on",
        pub sale_id: SaleId = "p.sale_id",
        pub number: u8 = "p.number",
        pub reserved: Cents = "p.reserved",
        pub released: Cents = "p.released",
        pub used: Cents = "p.used",
        pub installments: u8 = "s.installments",
        /// Of the installment.
        pub net: Cents = "s.installment_net[p.number]",
        pub due_date: Date = "s.due_dates[p.number]",
        pub payment_type: PaymentType = "s.payment_type",
        pub card_brand: Option<String> = "s.card_brand",
        pub sold_at: DateTime<Utc> = "s.occurred_at",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedFilter {
    /// A list is of one company.
    pub business_id: Option<BusinessId>,
    pub release_on: Option<Date>,
    pub state: Option<ReservePieceState>,
    pub order: SortOrder,
}

impl ReservedInstallment {
    pub fn state(&self) -> ReservePieceState {
        if self.used != Cents::ZERO {
            ReservePieceState::Used
        } else if self.released != Cents::ZERO {
            ReservePieceState::Released
        } else {
            ReservePieceState::Held
        }
    }
}

impl List for ReservedFilter {
    type Row = ReservedInstallment;
    const TABLE: &'static str = "reserve_piece p";
    const JOINS: &'static str = "JOIN sale s ON s.sale_id = p.sale_id";
    const COUNTED_IN_ORDER: bool = true;

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("p.business_id", &self.business_id);
        list.equals("p.release_on", &self.release_on);
        match self.state {
            Some(ReservePieceState::Held) => list.and("p.reserved > p.released + p.used AND p.used = 0"),
            Some(ReservePieceState::Released) => list.and("p.released > 0 AND p.used = 0"),
            Some(ReservePieceState::Used) => list.and("p.used > 0"),
            None => {}
        }
    }

    fn order(&self) -> Order {
        Order::by(&["p.release_on", "p.sale_id", "p.number"], self.order)
    }
}
