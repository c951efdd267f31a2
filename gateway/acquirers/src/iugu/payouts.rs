//! Iugu's transfers to companies' accounts (`transfer_requests`): by PIX, to a key or to a bank account.
//!
//! Unsure, so taken on the safe side:
//! - No search by reference is known, so the list is read for it. A transfer is unknown, and not absent, unless the
//!   whole list was read. A transfer that is sent again has the same key, which Iugu answers with 409.
//! - Other statuses than the documented four are unknown answers, and so is an end without its time.
//!
//! Unsure without a safe side: whether a bank may be named by its COMPE code, and how the check digit of an account is
//! written.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use ledger_domain::calendar::Instant;
use ledger_domain::documents::Document;
use ledger_domain::transfer::{AccountType, BankAccount, Destination};
use ledger_domain::{Cents, PayoutId};
use reqwest::{Method, StatusCode};
use serde::{Deserialize, Serialize};

use super::Iugu;
use crate::calls::{self, CallFault, CallOutcome, Response, UNREADABLE};
use crate::names::{ReportedPayoutNames, of_any_type};
use crate::payout::{OutgoingPayment, PayoutAnswer, PayoutResult};

const PATH: &str = "/transfer_requests";
/// Bounds the calls of one look-up. A transfer that is not among the first 500 is an unknown answer.
const PAGES_MAX: usize = 5;
const PAGE_SIZE: usize = 100;
const NAME_CHARACTERS_MAX: usize = 140;

/// `POST /transfer_requests`.
#[derive(Serialize)]
struct NewTransfer<'a> {
    transfer_type: &'static str,
    amount_cents: Cents,
    receiver: ReceiverBody<'a>,
    external_reference: PayoutId,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ReceiverBody<'a> {
    Pix {
        pix: PixKey<'a>,
    },
    Account {
        name: String,
        cpf_cnpj: &'a str,
        bank: Bank<'a>,
    },
}

#[derive(Serialize)]
struct PixKey<'a> {
    r#type: &'static str,
    key: &'a str,
}

#[derive(Serialize)]
struct Bank<'a> {
    compe: &'a str,
    branch: &'a str,
    account: String,
    account_type: &'static str,
}

impl<'a> NewTransfer<'a> {
    fn of(payment: &'a OutgoingPayment) -> Self {
        let receiver = &payment.receiver;
        Self {
            // A PIX can go to an account too. Unlike a TED, it does not come back once it is done.
            transfer_type: "pix",
            amount_cents: payment.amount,
            receiver: match &payment.destination {
                Destination::Pix { key } => ReceiverBody::Pix {
                    pix: PixKey {
                        // The key is the company's document.
                        r#type: match Document::parse(key) {
                            Ok(Document::Cpf(_)) => "cpf",
                            _ => "cnpj",
                        },
                        key,
                    },
                },
                Destination::BankAccount(account) => ReceiverBody::Account {
                    name: receiver.name.chars().take(NAME_CHARACTERS_MAX).collect(),
                    cpf_cnpj: receiver.document.unmasked(),
                    bank: Bank::of(account),
                },
            },
            external_reference: payment.payout_id,
        }
    }
}

impl<'a> Bank<'a> {
    fn of(account: &'a BankAccount) -> Self {
        Self {
            compe: &account.bank_code,
            branch: &account.routing_number,
            account: format!("{}-{}", account.account_number, account.account_digit),
            account_type: match account.account_type {
                AccountType::Checking | AccountType::CheckingConjunct => "checking_account",
                AccountType::Savings | AccountType::SavingsConjunct => "savings_account",
            },
        }
    }
}

#[derive(Deserialize)]
struct Transfer {
    status: String,
    external_reference: Option<String>,
    executed_at: Option<String>,
    rejected_at: Option<String>,
    updated_at: Option<String>,
    rejected_reason: Option<String>,
    #[serde(default, deserialize_with = "of_any_type")]
    end_to_end_id: Option<String>,
}

#[derive(Deserialize)]
struct TransferList {
    items: Vec<Transfer>,
}

impl Transfer {
    fn read(self) -> PayoutAnswer {
        let ended = |at: Option<String>| -> Option<Instant> { at.or(self.updated_at)?.parse().ok() };
        let result = match self.status.as_str() {
            "pending" | "processing" => Some(PayoutResult::Accepted),
            "done" => ended(self.executed_at).map(|at| PayoutResult::Paid {
                at,
                names: ReportedPayoutNames {
                    end_to_end_id: self.end_to_end_id,
                    control_number: None,
                },
            }),
            "rejected" => ended(self.rejected_at).map(|at| PayoutResult::Failed {
                at,
                reason: self.rejected_reason.map(|reason| calls::sanitized(&reason)),
            }),
            _ => return CallOutcome::Unknown(CallFault("unknown_status")),
        };
        result.map_or(CallOutcome::Unknown(UNREADABLE), CallOutcome::Answered)
    }
}

impl Iugu {
    pub(super) async fn transfer(&self, payment: &OutgoingPayment) -> PayoutAnswer {
        // Iugu pays nothing without a signature, except in its test mode.
        if self.access.signing_key.is_none() && !self.access.test {
            return CallOutcome::Rejected(CallFault("no_signing_key"));
        }
        match self.order_transfer(payment).await {
            Err(fault) => CallOutcome::Unknown(fault),
            // The key was used before, and Iugu does not repeat its first answer.
            Ok(response) if response.status == StatusCode::CONFLICT => {
                match self.find_transfer(payment.payout_id).await {
                    CallOutcome::NotFound => CallOutcome::Unknown(CallFault("key_in_use")),
                    known => known,
                }
            }
            Ok(response) => response
                .read::<Transfer>()
                .not_found_is_rejected()
                .and_then(Transfer::read),
        }
    }

    async fn order_transfer(&self, payment: &OutgoingPayment) -> Result<Response, CallFault> {
        let body = serde_json::to_vec(&NewTransfer::of(payment)).map_err(|_| CallFault("not_written"))?;
        let mut request = self
            .request(Method::POST, PATH)
            .header("Idempotency-Key", payment.payout_id.to_string())
            .header("Content-Type", "application/json");
        if let Some(key) = &self.access.signing_key {
            // The machine's clock: Iugu compares it with its own.
            let now = DateTime::<Utc>::from(SystemTime::now()).to_rfc3339_opts(SecondsFormat::Secs, true);
            let signature = key
                .sign(&self.path_of(PATH), &self.access.token.reveal(), &now, &body)
                .ok_or(CallFault("not_signed"))?;
            request = request.header("Request-Time", now).header("Signature", signature);
        }
        calls::send(request.body(body)).await
    }

    /// A path as Iugu signs it: without the host.
    fn path_of(&self, path: &str) -> String {
        let base = reqwest::Url::parse(&self.access.url).ok();
        let folder = base.as_ref().map_or("", |base| base.path().trim_end_matches('/'));
        format!("{folder}{path}")
    }

    pub(super) async fn find_transfer(&self, payout_id: PayoutId) -> PayoutAnswer {
        let reference = payout_id.to_string();
        for page in 0..PAGES_MAX {
            let path = format!("{PATH}?start={}&limit={PAGE_SIZE}", page * PAGE_SIZE);
            let answer = calls::send_and_read::<TransferList>(self.request(Method::GET, &path)).await;
            let list = match answer.into_result() {
                Ok(list) => list,
                Err(CallOutcome::NotFound) => return CallOutcome::Unknown(CallFault("no_list")),
                Err(failure) => return failure,
            };
            let is_last = list.items.len() < PAGE_SIZE;
            let mut items = list.items.into_iter();
            let found = items.find(|item| item.external_reference.as_deref() == Some(&reference));
            if let Some(found) = found {
                return found.read();
            }
            if is_last {
                return CallOutcome::NotFound;
            }
        }
        CallOutcome::Unknown(CallFault("not_proven"))
    }
}
