//! Handles the answers to deliveries, and checks that each answer is allowed.

use chrono::TimeDelta;
use ledger_domain::business::{BusinessCommand, Refusal};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::lane::Answer;
use ledger_store::{Outcome, Receipt};

use crate::Checked;
use crate::delivery::{Attempt, Delivery, Sender, Stage};
use crate::watch::ensure;
use crate::world::World;

impl World {
    pub fn answered(&mut self, node: usize, ticket: usize, answer: Answer) -> Checked {
        let Answer::Outcome(outcome) = answer else {
            return Err(format!(
                "ticket {ticket} was decided by its lane but is answered as a conflict"
            ));
        };
        self.trace.line(self.now, || {
            format!(
                "process {node} answers ticket {ticket}: {}",
                answer_text(&outcome)
            )
        });
        let attempt = &mut self.attempts[ticket];
        ensure(!std::mem::replace(&mut attempt.answered, true), || {
            format!("ticket {ticket} is answered twice")
        })?;
        let (delivery, sent_to) = (attempt.delivery, attempt.sent_to);
        self.check_recorded_is_answered(ticket, &outcome)?;
        match outcome {
            Outcome::Recorded(receipt) => {
                self.event_counts.recorded += 1;
                self.check_receipt(delivery, &receipt)?;
                self.end(delivery, Stage::Accepted);
            }
            Outcome::Duplicate { .. } => {
                self.event_counts.duplicates += 1;
                self.check_duplicate(ticket)?;
                self.end(delivery, Stage::Accepted);
            }
            Outcome::Refused(refusal) => {
                self.check_reason(ticket, &refusal)?;
                self.refused(delivery, sent_to, refusal);
            }
            Outcome::BelongsToOther(owner) => {
                self.check_owner(ticket, owner)?;
                self.event_counts.saw("sale of another business");
                let sent = &mut self.deliveries[delivery];
                (sent.sent_to, sent.due_at) = (owner, self.now);
            }
            Outcome::KeyReused => {
                self.check_key_reused(ticket)?;
                self.event_counts.saw("key reused");
                self.end(delivery, Stage::Rejected);
            }
            Outcome::NotOwner | Outcome::Unknown => {
                let soon = TimeDelta::milliseconds(self.rng.between(1, 3_000));
                let sent = &mut self.deliveries[delivery];
                (sent.due_at, sent.will_be_retried) = (self.now + soon, true);
            }
            Outcome::Rejected => {
                self.check_rejected(ticket)?;
                self.end(delivery, Stage::Rejected);
            }
        }
        Ok(())
    }

    /// If this attempt recorded the events of its delivery, its answer must be `Recorded` and not `replayed`, because
    /// the sender has no earlier answer.
    fn check_recorded_is_answered(&self, ticket: usize, outcome: &Outcome) -> Checked {
        let Attempt {
            delivery,
            first_event,
            ..
        } = &self.attempts[ticket];
        if self.deliveries[*delivery].recorded.first() != Some(first_event) {
            return Ok(());
        }
        let is_acknowledged = match outcome {
            Outcome::Recorded(receipt) => !receipt.replayed,
            // The connection to the process that recorded it was lost.
            Outcome::Unknown => self.attempts[ticket].route.may_be_recorded(),
            _ => false,
        };
        ensure(is_acknowledged, || {
            format!(
                "ticket {ticket} is in the log, but is answered: {}",
                answer_text(outcome)
            )
        })
    }

    /// A receipt must have exactly the recorded events of its delivery.
    fn check_receipt(&mut self, delivery: usize, receipt: &Receipt) -> Checked {
        receipt
            .events
            .iter()
            .try_for_each(|event| self.watcher.check_in_log(event))?;
        let acknowledged: Vec<_> = receipt.events.iter().map(|event| event.event_id).collect();
        let recorded = &self.deliveries[delivery].recorded;
        ensure(*recorded == acknowledged, || {
            format!(
                "delivery {delivery} is acknowledged with {} events, but {} are recorded",
                acknowledged.len(),
                recorded.len()
            )
        })
    }

    /// Only the shard's owner refuses a command, and it repeats the first answer for a key whose command is in the log.
    /// So it must not refuse the command.
    pub fn check_refusal(&self, ticket: usize) -> Checked {
        let Attempt {
            delivery, sent_to, ..
        } = &self.attempts[ticket];
        let delivery = &self.deliveries[*delivery];
        let is_recorded =
            delivery.key.is_some() && !delivery.recorded.is_empty() && *sent_to == delivery.business;
        ensure(!is_recorded, || {
            format!("ticket {ticket} is refused, but is in the log under its key")
        })
    }

    /// The log must show that the command's sale or transfer belongs to the reported owner.
    fn check_owner(&self, ticket: usize, owner: BusinessId) -> Checked {
        let Attempt {
            delivery, sent_to, ..
        } = &self.attempts[ticket];
        let business = self.deliveries[*delivery].business;
        ensure(owner == business && owner != *sent_to, || {
            format!("ticket {ticket} is reported as {owner}'s, but belongs to {business}")
        })?;
        let command = &self.attempts[ticket].command;
        let sales = command.sale_ids().into_iter().map(|id| self.recorded_owner(id));
        let transfers = command.transfer_ids().into_iter();
        let transfers = transfers.map(|id| Some(self.log.transfer(id)?.business_id));
        ensure(sales.chain(transfers).any(|of| of == Some(owner)), || {
            format!("ticket {ticket} is reported as {owner}'s, but nothing in the log says so")
        })
    }

    fn recorded_owner(&self, sale: SaleId) -> Option<BusinessId> {
        Some(self.log.sale(sale)?.business_id)
    }

    /// A command that may be the first of its sale can be a duplicate only if the sale is in the log.
    fn check_duplicate(&self, ticket: usize) -> Checked {
        let Attempt { command, sent_to, .. } = &self.attempts[ticket];
        let is_first = matches!(
            command,
            BusinessCommand::CreateSale(_) | BusinessCommand::CaptureSale(_) | BusinessCommand::FailSale(_)
        );
        let recorded = |id| self.recorded_owner(id) == Some(*sent_to);
        ensure(!is_first || command.sale_ids().into_iter().all(recorded), || {
            format!("ticket {ticket} is a duplicate, but its sale is not in the log")
        })
    }

    /// A refusal because of a sale's state is allowed only if the log has the sale. A refusal because of reference data
    /// is allowed only if a version since the request justifies it.
    fn check_reason(&mut self, ticket: usize, refusal: &Refusal) -> Checked {
        let of_sale = matches!(
            refusal,
            Refusal::StatusForbids(_)
                | Refusal::AmountDiffers { .. }
                | Refusal::SaleDiffers
                | Refusal::SecondPayment
        );
        let sales = self.attempts[ticket].command.sale_ids();
        ensure(
            !of_sale || sales.iter().all(|id| self.log.sale(*id).is_some()),
            || format!("ticket {ticket} is refused by the state of a sale that is not in the log: {refusal}"),
        )?;
        match refusal {
            Refusal::UnknownBusiness => {
                self.event_counts.saw("refused by the reference data");
                self.check_was_unknown(ticket)
            }
            _ => Ok(()),
        }
    }

    /// Checks a decision on a sale that found its business.
    pub fn check_was_known(&self, ticket: usize) -> Checked {
        self.check_context(ticket, false)
    }

    /// Checks a decision on a sale that did not find its business.
    fn check_was_unknown(&self, ticket: usize) -> Checked {
        self.check_context(ticket, true)
    }

    /// A decision on a sale uses reference data that were in force at some time since the request. The business was
    /// known, or unknown, in one of these versions.
    fn check_context(&self, ticket: usize, is_unknown: bool) -> Checked {
        let Attempt {
            command,
            sent_to,
            reference_version,
            ..
        } = &self.attempts[ticket];
        let needs_context = command.clone().context_mut().is_some();
        let company = self.companies.company(*sent_to);
        let mut versions = *reference_version..=self.log.reference_version;
        let holds = versions.any(|version| company.is_unknown_at(version) == is_unknown);
        ensure(!needs_context || holds, || {
            let state = if is_unknown { "known" } else { "unknown" };
            format!(
                "ticket {ticket} was decided on reference data that changed before it was sent: its business has been \
                 {state} since"
            )
        })
    }

    /// The answer `KeyReused` is allowed only if another delivery has the same key.
    fn check_key_reused(&self, ticket: usize) -> Checked {
        let key = |delivery: &Delivery| delivery.key.map(|key| key.key);
        let own = key(&self.deliveries[self.attempts[ticket].delivery]);
        let users = self.deliveries.iter().filter(|other| key(other) == own).count();
        ensure(own.is_some() && users > 1, || {
            format!("ticket {ticket} is answered that its key was used for another body")
        })
    }

    /// The database may reject only the sales that the simulator chose for it.
    fn check_rejected(&self, ticket: usize) -> Checked {
        let sales = self.attempts[ticket].command.sale_ids();
        let invalid = sales.iter().any(|sale| self.log.rejected_sales.contains(sale));
        ensure(invalid, || {
            format!("ticket {ticket} is rejected, but its values are valid")
        })
    }

    fn refused(&mut self, delivery: usize, sent_to: BusinessId, refusal: Refusal) {
        self.event_counts.refused += 1;
        let sent = &mut self.deliveries[delivery];
        if !sent.is_open() {
            return;
        }
        if sent_to != sent.business {
            // The sender looks up the owner of the sale and sends the notice there.
            (sent.sent_to, sent.due_at) = (sent.business, self.now);
            return;
        }
        let stage = match sent.sender {
            Sender::User | Sender::Job => Stage::Refused(refusal),
            Sender::Acquirer | Sender::Bank => Stage::InExceptionsQueue(refusal),
        };
        if matches!(stage, Stage::InExceptionsQueue(_)) {
            // Tried again after a minute, or earlier if its sale or transfer changes.
            sent.due_at = self.now + TimeDelta::seconds(60);
        }
        sent.stage = stage;
    }

    fn end(&mut self, delivery: usize, stage: Stage) {
        let ended = &mut self.deliveries[delivery];
        if ended.is_open() || stage == Stage::Accepted {
            ended.stage = stage;
        }
    }
}

fn answer_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Recorded(receipt) => {
            let replayed = if receipt.replayed { " (again)" } else { "" };
            let events: Vec<_> = receipt.events.iter().map(|event| event.event_type()).collect();
            format!("recorded{replayed}: {}", events.join(", "))
        }
        Outcome::Duplicate { .. } => "duplicate".to_owned(),
        Outcome::Refused(refusal) => format!("refused: {refusal}"),
        Outcome::BelongsToOther(_) => "of another business".to_owned(),
        Outcome::KeyReused => "the key was used for another body".to_owned(),
        Outcome::NotOwner => "not the owner, try again".to_owned(),
        Outcome::Unknown => "unknown".to_owned(),
        Outcome::Rejected => "rejected by the database".to_owned(),
    }
}
