//! The simple model of balances. It computes every account from the facts of the simulated world and the recorded
//! commands. It keeps no state, and the order of commands matters only for those on one transfer.
//!
//! It follows the specification's tables with whole numbers. It shares types with the ledger, but no rules. A
//! difference between both is a fault of one of them.

pub mod calendar;
mod price;
mod requests;
mod waiting;

use std::ops::AddAssign;

use ledger_domain::business::{Accounts, ReturnedFee};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, Cents, SaleId};

use calendar::day_of;
pub use price::{Price, price};
pub use requests::{AmountPlace, RecordedRequests};

use crate::acquirer::{Fact, OutsideSale};
use crate::companies::Companies;
use crate::watch_holds::WatchedHolds;

pub struct Model<'a> {
    pub companies: &'a Companies,
    pub sales: &'a [OutsideSale],
    pub requests: RecordedRequests,
    pub holds: &'a WatchedHolds,
    /// Sales that the database rejects.
    pub rejected_sales: &'a std::collections::BTreeSet<SaleId>,
}

/// Where a sale's money is in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleOutcome {
    /// Not paid, or the payment could not be recorded.
    Unpaid,
    /// The seller gets it.
    Kept,
    Disputed,
    /// The buyer has it back, and the seller pays no fee.
    Returned,
    /// The buyer has it back, and the seller pays the fee.
    ChargedBack,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balances {
    pub receivable: i64,
    pub available: i64,
    pub in_transfer: i64,
    pub held_by_staff: i64,
    pub in_dispute: i64,
    pub platform_fees: i64,
    pub clearing: i64,
}

impl Model<'_> {
    pub fn sale_outcome(&self, sale: &OutsideSale) -> SaleOutcome {
        let id = sale.facts.sale_id;
        let Some(captured_at) = sale.captured_at().filter(|_| !self.rejected_sales.contains(&id)) else {
            return SaleOutcome::Unpaid;
        };
        if sale.is_contradiction() && !self.requests.captured.contains(&id) {
            return SaleOutcome::Unpaid;
        }
        let expired = self.requests.expired.get(&id).is_some_and(|at| *at > captured_at);
        let all_in_parts = self.refunded_in_parts(sale) == sale.facts.amount.get();
        if expired || all_in_parts || self.requests.canceled.contains(&id) {
            return SaleOutcome::Returned;
        }
        match sale.left_by() {
            Some(Fact::Lost(_)) => SaleOutcome::ChargedBack,
            Some(_) => SaleOutcome::Returned,
            None if sale.stays_disputed() => SaleOutcome::Disputed,
            None => SaleOutcome::Kept,
        }
    }

    /// What the buyer got back in parts: by the acquirer itself, and at the request of users.
    pub fn refunded_in_parts(&self, sale: &OutsideSale) -> i64 {
        let by_users = self.requests.parts.get(&sale.facts.sale_id).copied();
        sale.refunded_in_parts() + by_users.unwrap_or(0)
    }

    /// The price of a captured sale. The plan's version is that of the sale's creation if the creation was recorded,
    /// else that of the capture.
    pub fn price(&self, sale: &OutsideSale, captured_at: Instant) -> Price {
        let created_at = sale
            .created_at()
            .filter(|_| self.requests.created.contains(&sale.facts.sale_id));
        let plan = self
            .companies
            .company(sale.business)
            .plan(created_at.unwrap_or(captured_at));
        let facts = &sale.facts;
        price(
            plan,
            facts.amount.get(),
            facts.payment_type,
            facts.installments,
            day_of(captured_at),
        )
    }

    /// The part of a sale's net that is still receivable on that day, once everything due is settled. A dispute
    /// accelerates all open installments, even if it was won later. Refunds of a part take the last due installments.
    pub fn outstanding(&self, sale: &OutsideSale, price: &Price, today: Date) -> i64 {
        if sale.was_disputed() || self.requests.disputed.contains(&sale.facts.sale_id) {
            return 0;
        }
        let later = price.parts.iter().filter(|(_, due)| *due > today);
        let later: i64 = later.map(|(net, _)| net).sum();
        (later - price.net_of_parts(self.refunded_in_parts(sale))).max(0)
    }

    pub fn balances(&self, business: BusinessId, today: Date) -> Balances {
        let mut balances = Balances::default();
        for sale in self.sales.iter().filter(|sale| sale.business == business) {
            balances += self.of_sale(sale, today);
        }
        let fee = self.companies.company(business).withdrawal_fee;
        for transfer in self
            .requests
            .transfers
            .values()
            .filter(|transfer| transfer.business == business)
        {
            let amount = transfer.amount;
            balances.available -= if transfer.place == AmountPlace::Available {
                0
            } else {
                amount
            };
            match transfer.place {
                AmountPlace::Available if transfer.returned == Some(ReturnedFee::Kept) => {
                    balances.available -= fee;
                    balances.platform_fees += fee;
                }
                AmountPlace::Available => {}
                AmountPlace::InTransfer => balances.in_transfer += amount,
                AmountPlace::Paid => {
                    balances.clearing += amount - fee;
                    balances.platform_fees += fee;
                }
            }
        }
        if let Some(by_hand) = self.requests.by_hand.get(&business) {
            balances += *by_hand;
        }
        // What a court was paid is in `by_hand`.
        let by_courts = self.holds.taken_by_courts(business);
        balances.available -= by_courts + self.holds.paid_to_courts(business);
        balances.held_by_staff += by_courts;
        let reserved = self.holds.reserve.of(business);
        balances.available -= reserved;
        balances.held_by_staff += reserved;
        balances
    }

    fn of_sale(&self, sale: &OutsideSale, today: Date) -> Balances {
        let sale_outcome = self.sale_outcome(sale);
        let (Some(captured_at), false) = (sale.captured_at(), sale_outcome == SaleOutcome::Unpaid) else {
            return Balances::default();
        };
        let (price, gross) = (self.price(sale, captured_at), sale.facts.amount.get());
        let refunded = self.refunded_in_parts(sale);
        let net_of_parts = price.net_of_parts(refunded);
        let fees = price.fees - (refunded - net_of_parts);
        let paid = Balances {
            platform_fees: fees,
            clearing: refunded - gross,
            ..Balances::default()
        };
        match sale_outcome {
            SaleOutcome::Unpaid | SaleOutcome::Returned => Balances::default(),
            SaleOutcome::ChargedBack => Balances {
                available: -fees,
                clearing: 0,
                ..paid
            },
            // The dispute is of what parts left.
            SaleOutcome::Disputed => Balances {
                available: -fees,
                in_dispute: gross - refunded,
                ..paid
            },
            SaleOutcome::Kept => {
                let receivable = self.outstanding(sale, &price, today);
                let settled = price.net - net_of_parts - receivable;
                let is_denied = self.companies.company(sale.business).is_denied;
                Balances {
                    receivable,
                    available: if is_denied { 0 } else { settled },
                    held_by_staff: if is_denied { settled } else { 0 },
                    ..paid
                }
            }
        }
    }
}

impl SaleOutcome {
    pub const fn allows(self, status: Option<SaleStatus>) -> bool {
        match status {
            None | Some(SaleStatus::New | SaleStatus::Created | SaleStatus::Pending | SaleStatus::Failed) => {
                matches!(self, Self::Unpaid)
            }
            Some(SaleStatus::Canceled) => matches!(self, Self::Unpaid | Self::Returned),
            Some(SaleStatus::Refunded | SaleStatus::Reversed) => matches!(self, Self::Returned),
            Some(SaleStatus::Succeeded) => matches!(self, Self::Kept),
            Some(SaleStatus::Dispute) => matches!(self, Self::Disputed),
            Some(SaleStatus::ChargedBack) => matches!(self, Self::ChargedBack),
        }
    }
}

impl AmountPlace {
    pub const fn of(status: TransferStatus) -> Self {
        match status {
            TransferStatus::Pending | TransferStatus::Processing => Self::InTransfer,
            TransferStatus::Approved => Self::Paid,
            TransferStatus::Refused | TransferStatus::Failed => Self::Available,
        }
    }
}

impl AddAssign for Balances {
    fn add_assign(&mut self, other: Self) {
        self.receivable += other.receivable;
        self.available += other.available;
        self.in_transfer += other.in_transfer;
        self.held_by_staff += other.held_by_staff;
        self.in_dispute += other.in_dispute;
        self.platform_fees += other.platform_fees;
        self.clearing += other.clearing;
    }
}

impl From<Accounts> for Balances {
    fn from(accounts: Accounts) -> Self {
        let [
            receivable,
            available,
            in_transfer,
            held_by_staff,
            in_dispute,
            platform_fees,
            clearing,
        ] = [
            accounts.receivable,
            accounts.available,
            accounts.in_transfer,
            accounts.held_by_staff,
            accounts.in_dispute,
            accounts.platform_fees,
            accounts.clearing,
        ]
        .map(Cents::get);
        Self {
            receivable,
            available,
            in_transfer,
            held_by_staff,
            in_dispute,
            platform_fees,
            clearing,
        }
    }
}
