//! The requests of sellers, staff and jobs, often about a state that has changed since.
//!
//! The transfer id 0 is a placeholder: each attempt sends an id of its own (`Delivery::command_of_attempt`).

use chrono::TimeDelta;
use ledger_domain::business::{
    Account, Approvals, ApproveTransfer, BusinessCommand, CancelSale, CancelTerminalRental, ChangeHold,
    ChargeTerminalRental, DisputeSale, FailTransfer, GiveTransferApproval, HoldRequest, MakeManualTransfer,
    PayCourt, PlaceHold, ProcessTransfer, RefundPart, RefuseTransfer, ReleaseHold, ReleaseReserve,
    ReopenTransfer, RequestTransfer, ReturnTransfer, SettleReceivables, VoidSale, WriteOffDebt,
};
use ledger_domain::calendar::Instant;
use ledger_domain::hold::CourtOrder;
use ledger_domain::sale::{DisputeId, Initiator, PaymentNames, RefundReference, SaleTerminal};
use ledger_domain::transfer::{DestinationKind, Direction};
use ledger_domain::{BusinessId, Cents};
use ledger_store::Idempotency;

use crate::delivery::{Delivery, Sender, Stage};
use crate::model::calendar::day_of;
use crate::names;
use crate::world::World;

#[derive(Debug, Clone, Copy)]
pub enum UserAction {
    Withdraw,
    /// Approves, refuses, pays, fails, reopens or returns a withdrawal.
    ActOnTransfer,
    CancelSale,
    DisputeSale,
    RefundPart,
    /// The platform voids a sale.
    ExpireSale,
    Hold,
    /// Releases, pays or changes a hold.
    ChangeHold,
    /// Staff write off a part of a debt.
    WriteOff,
    /// Staff make a manual transfer.
    Adjust,
    /// A job charges the rental of a terminal.
    Rent,
    CancelRental,
    /// Sends a request under the key of an earlier one.
    MisuseKey,
}

/// The actions with their weights.
pub const USER_ACTIONS: [(u64, UserAction); 13] = [
    (20, UserAction::Withdraw),
    (60, UserAction::ActOnTransfer),
    (10, UserAction::CancelSale),
    (9, UserAction::DisputeSale),
    (9, UserAction::RefundPart),
    (5, UserAction::ExpireSale),
    (5, UserAction::Hold),
    (6, UserAction::ChangeHold),
    (3, UserAction::WriteOff),
    (6, UserAction::Adjust),
    (5, UserAction::Rent),
    (3, UserAction::CancelRental),
    (1, UserAction::MisuseKey),
];

impl World {
    pub fn user_action(&mut self, user_action: UserAction) {
        let business = self.some_business();
        let command = match user_action {
            UserAction::Withdraw => Some((business, self.withdrawal(business))),
            UserAction::ActOnTransfer => self.act_on_transfer(),
            UserAction::CancelSale
            | UserAction::DisputeSale
            | UserAction::RefundPart
            | UserAction::ExpireSale => self.reverse_sale(user_action),
            UserAction::Hold => Some((business, self.hold(business))),
            // Holds on a denied company's sales are never released here, because the model counts on them.
            UserAction::ChangeHold => self.change_hold(business).map(|command| (business, command)),
            UserAction::WriteOff => Some((business, self.write_off(business))),
            UserAction::Adjust => Some((business, self.adjustment(business))),
            UserAction::Rent => Some((business, self.rental(business))),
            UserAction::CancelRental => self.cancel_rental(),
            UserAction::MisuseKey => self.request_under_used_key(),
        };
        if let Some((business, command)) = command {
            let key = match user_action {
                UserAction::MisuseKey => self.used_key(),
                _ => None,
            };
            self.send_request(key, business, command);
        }
    }

    /// Staff credit a business, so that there is money from the start.
    pub fn pay_in(&mut self, business: BusinessId) {
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: names::transfer(0),
            direction: Direction::In,
            amount: Cents::new(self.rng.between(100, 500_000)),
            description: "by hand".to_owned(),
            allow_negative: false,
            occurred_at: self.just_now(),
        });
        self.send_request(None, business, command);
    }

    /// The key of the last delivery by a user.
    fn used_key(&self) -> Option<Idempotency> {
        self.last_user_delivery().and_then(|delivery| delivery.key)
    }

    /// Sends a request. A user's request has the key `used` or a new one, and a new body in both cases.
    fn send_request(&mut self, used: Option<Idempotency>, business: BusinessId, command: BusinessCommand) {
        let is_job = matches!(command, BusinessCommand::ChargeTerminalRental(_));
        let number = self.deliveries.len();
        let mut key = Idempotency::new("person", &number.to_string(), number.to_string().as_bytes());
        if let Some(used) = used {
            key.key = used.key;
        }
        let delivery = Delivery {
            sender: if is_job { Sender::Job } else { Sender::User },
            business,
            sent_to: business,
            command,
            key: (!is_job).then_some(key),
            due_at: self.now,
            stage: Stage::Unanswered,
            repeats: u8::from(self.rng.chance(20)),
            will_be_retried: false,
            contradicts_log: false,
            recorded: vec![],
        };
        self.add(delivery);
    }

    /// The time of a request. In the steps of a run facts happen at whole seconds and requests between them, so that no
    /// request has the instant of a fact.
    fn just_now(&self) -> Instant {
        self.now + TimeDelta::milliseconds(500)
    }

    pub fn some_business(&mut self) -> BusinessId {
        let at = self.rng.below(self.companies.businesses.len());
        self.companies.businesses[at].id
    }

    /// The whole balance, a part of it, or more than it.
    fn part_of(&mut self, balance: i64) -> Cents {
        let amount = match self.rng.below(6) {
            0 => balance,
            1 => balance + 1,
            _ => balance * self.rng.between(5, 110) / 100,
        };
        Cents::new(amount.max(1))
    }

    fn withdrawal(&mut self, business: BusinessId) -> BusinessCommand {
        let available = self.watcher.balance(business, Account::Available);
        BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id: names::transfer(0),
            amount: self.part_of(available),
            destination: DestinationKind::Pix,
            confirm_duplicate: self.rng.chance(70),
            confirm_destination: self.rng.chance(70),
            occurred_at: self.just_now(),
            context: self.companies.company(business).withdrawal(),
        })
    }

    fn act_on_transfer(&mut self) -> Option<(BusinessId, BusinessCommand)> {
        // Mostly one of the latest two, so that transfers reach their last statuses.
        let recent = self.transfers.len().saturating_sub(2);
        let from = if self.rng.chance(70) { recent } else { 0 };
        let at = from + self.rng.below(self.transfers.len() - from);
        let known = *self.transfers.get(at)?;
        // Each action has a new payout id, except for a few by mistake.
        let payout = known.last_payout + usize::from(!self.rng.chance(8));
        self.transfers[at].last_payout = payout;
        let (transfer_id, occurred_at) = (known.id, self.just_now());
        let by = names::user(1 + self.rng.below(2));
        let approvals = if self.rng.chance(75) {
            Approvals::One
        } else {
            Approvals::Two
        };
        let reason = "a reason".to_owned();
        let command = match self.rng.below(17) {
            0 | 1 => BusinessCommand::GiveTransferApproval(GiveTransferApproval {
                transfer_id,
                by,
                occurred_at,
            }),
            2..8 => BusinessCommand::ProcessTransfer(ProcessTransfer {
                transfer_id,
                payout_id: self.rng.chance(75).then(|| names::payout(transfer_id, payout)),
                by,
                approvals,
                occurred_at,
            }),
            8 | 9 => BusinessCommand::ApproveTransfer(ApproveTransfer {
                transfer_id,
                by,
                approvals,
                occurred_at,
            }),
            10 => BusinessCommand::RefuseTransfer(RefuseTransfer {
                transfer_id,
                reason,
                occurred_at,
            }),
            11 | 12 => BusinessCommand::FailTransfer(FailTransfer {
                transfer_id,
                reason,
                occurred_at,
            }),
            13 => BusinessCommand::ReturnTransfer(ReturnTransfer {
                transfer_id,
                reason,
                occurred_at,
                fee: self.fee_of_returned(),
            }),
            _ => BusinessCommand::ReopenTransfer(ReopenTransfer {
                transfer_id,
                occurred_at,
            }),
        };
        Some((known.business, command))
    }

    fn reverse_sale(&mut self, user_action: UserAction) -> Option<(BusinessId, BusinessCommand)> {
        let at = self.rng.below(self.sales.len());
        let sale = self.sales.get(at)?;
        let (business, sale_id, occurred_at) = (sale.business, sale.facts.sale_id, self.just_now());
        let command = match user_action {
            // The acquirer may not have told of the parts yet, and then ends a dispute of another amount.
            UserAction::DisputeSale if sale.refunded_in_parts() > 0 => return None,
            UserAction::DisputeSale => {
                let name = format!("P{}", self.deliveries.len());
                BusinessCommand::DisputeSale(DisputeSale {
                    sale_id,
                    dispute_id: DisputeId::parse(&name).expect("a short name"),
                    amount: None,
                    occurred_at,
                    reason: None,
                })
            }
            // The acquirer's own returns of the sale name amounts that leave no room for a part of a user.
            UserAction::RefundPart if !sale.stays_with_seller() => return None,
            UserAction::RefundPart => {
                let name = format!("U{}", self.deliveries.len());
                let third = (sale.facts.amount.get() / 3).max(1);
                BusinessCommand::RefundPart(RefundPart {
                    sale_id,
                    refund: RefundReference::parse(&name).expect("a short name"),
                    amount: Cents::new(self.rng.between(1, third)),
                    occurred_at,
                    reason: None,
                })
            }
            UserAction::ExpireSale => BusinessCommand::VoidSale(VoidSale {
                names: PaymentNames::default(),
                sale_id,
                initiator: Initiator::Platform,
                occurred_at,
                reason: None,
            }),
            _ => BusinessCommand::CancelSale(CancelSale {
                sale_id,
                occurred_at,
                reason: None,
            }),
        };
        Some((business, command))
    }

    fn hold(&mut self, business: BusinessId) -> BusinessCommand {
        let available = self.watcher.balance(business, Account::Available);
        let what = match self.rng.below(4) {
            0 => HoldRequest::Judicial(CourtOrder {
                case_number: self.rng.below(4).to_string(),
                court: "1ª Vara".to_owned(),
                ordered: self.part_of(available / 2 + 5_000),
            }),
            1 => HoldRequest::Contract(self.part_of(available / 3)),
            _ => HoldRequest::Analysis(self.part_of(available / 3)),
        };
        BusinessCommand::PlaceHold(PlaceHold {
            hold_id: names::hold(0),
            reason: "looked into".to_owned(),
            until: None,
            documents: vec![],
            sale_id: None,
            what,
            occurred_at: self.just_now(),
        })
    }

    /// Releases, pays or changes an open hold.
    fn change_hold(&mut self, business: BusinessId) -> Option<BusinessCommand> {
        let open = self.watcher.holds.of(business);
        let (hold_id, hold) = *open.get(self.rng.below(open.len().max(1)))?;
        let (occurred_at, amount) = (self.just_now(), self.part_of(hold.amount));
        Some(match self.rng.below(4) {
            0 => BusinessCommand::PayCourt(PayCourt {
                hold_id,
                amount,
                receipt: "1".to_owned(),
                occurred_at,
            }),
            1 => BusinessCommand::ChangeHold(ChangeHold {
                hold_id,
                reason: "papers asked for".to_owned(),
                until: None,
                documents: vec!["papers".to_owned()],
                occurred_at,
            }),
            _ => BusinessCommand::ReleaseHold(ReleaseHold {
                hold_id,
                amount,
                reason: "looked into".to_owned(),
                occurred_at,
            }),
        })
    }

    fn write_off(&mut self, business: BusinessId) -> BusinessCommand {
        let available = self.watcher.balance(business, Account::Available);
        BusinessCommand::WriteOffDebt(WriteOffDebt {
            amount: self.part_of((-available).max(0)),
            reason: "agreed".to_owned(),
            occurred_at: self.just_now(),
        })
    }

    fn adjustment(&mut self, business: BusinessId) -> BusinessCommand {
        let available = self.watcher.balance(business, Account::Available);
        BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: names::transfer(0),
            direction: if self.rng.chance(60) {
                Direction::Out
            } else {
                Direction::In
            },
            amount: self.part_of(available / 4 + 200),
            description: "by hand".to_owned(),
            allow_negative: self.rng.chance(30),
            occurred_at: self.just_now(),
        })
    }

    /// The rental of one terminal for one of three months. The months are few, so that several jobs charge the same
    /// rental.
    fn rental(&mut self, business: BusinessId) -> BusinessCommand {
        let month = self.rng.below(3);
        let company = self
            .companies
            .businesses
            .iter()
            .position(|company| company.id == business)
            .unwrap_or(0);
        BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
            transfer_id: names::transfer(1_000_000 + 10 * company + month),
            terminal: SaleTerminal {
                id: names::terminal(0),
                serial_number: "S".to_owned(),
            },
            due_date: day_of(self.now),
            amount: Cents::new(49_90),
            occurred_at: self.just_now(),
        })
    }

    fn cancel_rental(&mut self) -> Option<(BusinessId, BusinessCommand)> {
        let among = if self.rng.chance(90) {
            &self.rentals
        } else {
            &self.transfers
        };
        let at = self.rng.below(among.len());
        let known = among.get(at)?;
        let command = BusinessCommand::CancelTerminalRental(CancelTerminalRental {
            transfer_id: known.id,
            reason: None,
            occurred_at: self.just_now(),
        });
        Some((known.business, command))
    }

    /// Another request of the business whose user sent the last request. It is sent under the same key.
    fn request_under_used_key(&mut self) -> Option<(BusinessId, BusinessCommand)> {
        let business = self.last_user_delivery()?.business;
        Some((business, self.adjustment(business)))
    }

    fn last_user_delivery(&self) -> Option<&Delivery> {
        self.deliveries
            .iter()
            .rev()
            .find(|delivery| delivery.sender == Sender::User)
    }

    /// Runs the settlement job on the due installments and the parts of the reserve that the read models suggest.
    pub fn settle_receivables(&mut self) {
        let today = day_of(self.now);
        for (business, due_date, installments) in self.readers.due(today) {
            let command = BusinessCommand::SettleReceivables(SettleReceivables {
                due_date,
                today,
                installments,
                reserve: self.companies.reserve_terms(business, due_date),
            });
            self.send_by_job(business, command);
        }
        for (business, release_on, installments) in self.readers.reserve_due(today) {
            let command = BusinessCommand::ReleaseReserve(ReleaseReserve {
                release_on,
                today,
                installments,
            });
            self.send_by_job(business, command);
        }
    }

    fn send_by_job(&mut self, business: BusinessId, command: BusinessCommand) {
        let delivery = Delivery {
            sender: Sender::Job,
            business,
            sent_to: business,
            command,
            key: None,
            due_at: self.now,
            stage: Stage::Unanswered,
            repeats: u8::from(self.rng.chance(10)),
            will_be_retried: false,
            contradicts_log: false,
            recorded: vec![],
        };
        self.add(delivery);
    }
}
