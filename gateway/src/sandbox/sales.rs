//! A sale at the sandbox, and the notices that tell of it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use ledger_domain::sale::{PaymentType, Provider};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::outcomes::Outcome;
use crate::providers::{CanonicalNotice, CanonicalSale};

/// What a card machine, a checkout or a PIX charge asks for. Everything but the amount has a default.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaleRequest {
    pub amount: i64,
    /// As which provider to speak.
    #[serde(default = "zoop")]
    pub provider: Provider,
    #[serde(default = "credit")]
    pub payment_type: PaymentType,
    /// 1 card machine, unless said otherwise.
    #[serde(default = "one")]
    pub solution: u8,
    pub brand: Option<String>,
    #[serde(default = "one")]
    pub installments: u8,
    pub business_id: Option<String>,
    pub terminal: Option<String>,
    pub payment_link_code: Option<String>,
    pub sale_id: Option<String>,
    pub external_id: Option<String>,
    /// A test card; only its last four digits leave the sandbox.
    pub card_number: Option<String>,
    pub last_four: Option<String>,
    /// Instead of what the card says.
    pub outcome: Option<Outcome>,
    pub occurred_at: Option<DateTime<Utc>>,
    /// Each notice so many times more than needed.
    #[serde(default)]
    pub duplicates: u8,
    /// The last notice first.
    #[serde(default)]
    pub out_of_order: bool,
    /// Between the opening and its outcome.
    #[serde(default)]
    pub delay_ms: u64,
}

const fn zoop() -> Provider {
    Provider::Zoop
}

const fn credit() -> PaymentType {
    PaymentType::Credit
}

const fn one() -> u8 {
    1
}

/// What the sandbox answers: the notices will follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SaleTold {
    pub provider: Provider,
    pub external_id: String,
    pub outcome: Outcome,
    pub notices: Vec<String>,
}

/// A notice and how long after the one before it is sent.
#[derive(Debug, Clone)]
pub struct Due {
    pub notice: CanonicalNotice,
    pub after: Duration,
}

impl SaleRequest {
    /// A card sale at a terminal, the rest by default.
    pub fn at_terminal(terminal: &str, amount: i64) -> Self {
        Self {
            amount,
            provider: zoop(),
            payment_type: credit(),
            solution: one(),
            brand: None,
            installments: one(),
            business_id: None,
            terminal: Some(terminal.to_owned()),
            payment_link_code: None,
            sale_id: None,
            external_id: None,
            card_number: None,
            last_four: None,
            outcome: None,
            occurred_at: None,
            duplicates: 0,
            out_of_order: false,
            delay_ms: 0,
        }
    }

    /// Decides the sale as an issuer would, and writes its notices in the order in which they go out.
    pub fn decide(&self, now: DateTime<Utc>) -> (SaleTold, Vec<Due>) {
        let last_four = self.last_four();
        let by_card = last_four
            .as_deref()
            .map_or((Outcome::Captured, None), Outcome::of_card);
        let (outcome, reason) = self.outcome.map_or(by_card, |asked| (asked, None));
        let external_id = self
            .external_id
            .clone()
            .unwrap_or_else(|| format!("sbx-{}", Uuid::now_v7().simple()));
        let opened_at = self.occurred_at.unwrap_or(now);
        let decided_at =
            opened_at + chrono::Duration::milliseconds(i64::try_from(self.delay_ms).unwrap_or(0).max(1));
        let sale = self.sale(&external_id, last_four, outcome);
        let notice = |r#type, occurred_at, reason: Option<&str>| CanonicalNotice {
            id: format!("evt-{}", Uuid::now_v7().simple()),
            r#type,
            occurred_at,
            data: CanonicalSale {
                reason: reason.map(str::to_owned),
                ..sale.clone()
            },
        };
        let mut notices = vec![notice("sale.created", opened_at, None)];
        match outcome {
            Outcome::Captured => notices.push(notice("sale.captured", decided_at, None)),
            Outcome::Failed => notices.push(notice("sale.failed", decided_at, reason)),
            Outcome::Canceled => notices.push(notice("sale.canceled", decided_at, reason)),
            Outcome::Pending => {}
        }
        if self.out_of_order {
            notices.reverse();
        }
        let told = SaleTold {
            provider: self.provider,
            external_id,
            outcome,
            notices: notices.iter().map(|notice| notice.id.clone()).collect(),
        };
        (told, self.timed(notices))
    }

    fn timed(&self, notices: Vec<CanonicalNotice>) -> Vec<Due> {
        let mut due = Vec::new();
        for (place, notice) in notices.into_iter().enumerate() {
            let after = if place == 0 {
                Duration::ZERO
            } else {
                Duration::from_millis(self.delay_ms)
            };
            for copy in 0..=self.duplicates {
                due.push(Due {
                    notice: notice.clone(),
                    after: if copy == 0 { after } else { Duration::ZERO },
                });
            }
        }
        due
    }

    fn last_four(&self) -> Option<String> {
        let number: String = self
            .card_number
            .iter()
            .flat_map(|number| number.chars())
            .filter(char::is_ascii_digit)
            .collect();
        let of_number = number
            .len()
            .checked_sub(4)
            .map(|start| number[start..].to_owned());
        let on_card = self.payment_type.is_card();
        self.last_four
            .clone()
            .or(of_number)
            .or_else(|| on_card.then(|| "4242".to_owned()))
            .filter(|_| on_card)
    }

    fn sale(&self, external_id: &str, last_four: Option<String>, outcome: Outcome) -> CanonicalSale {
        let on_card = self.payment_type.is_card();
        CanonicalSale {
            business_id: self.business_id.clone(),
            external_id: external_id.to_owned(),
            sale_id: self.sale_id.clone(),
            solution: self.solution,
            payment_type: self.payment_type.as_str(),
            card_brand: on_card.then(|| self.brand.clone().unwrap_or_else(|| "visa".to_owned())),
            installments: self.installments,
            amount: self.amount,
            terminal_serial: self.terminal.clone(),
            payment_link_code: self.payment_link_code.clone(),
            card_last_four: last_four,
            authorization_code: (outcome == Outcome::Captured && on_card)
                .then(|| format!("{:06}", Uuid::new_v4().as_u128() % 1_000_000)),
            reason: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(request: &SaleRequest) -> Vec<&'static str> {
        request
            .decide(Utc::now())
            .1
            .iter()
            .map(|due| due.notice.r#type)
            .collect()
    }

    #[test]
    fn a_test_card_decides_and_only_its_last_four_digits_are_told() {
        let mut request = SaleRequest::at_terminal("SN-1", 1_000);
        request.card_number = Some("4000 0000 0000 0002".to_owned());
        let (told, due) = request.decide(Utc::now());
        assert_eq!(told.outcome, Outcome::Failed);
        assert_eq!(due[1].notice.data.card_last_four.as_deref(), Some("0002"));
        assert!(due.iter().all(|due| !due.notice.to_json().contains("40000000")));
    }

    #[test]
    fn duplicates_and_disorder_come_on_purpose() {
        let mut request = SaleRequest::at_terminal("SN-1", 1_000);
        assert_eq!(types(&request), ["sale.created", "sale.captured"]);
        request.out_of_order = true;
        request.duplicates = 1;
        assert_eq!(
            types(&request),
            ["sale.captured", "sale.captured", "sale.created", "sale.created"]
        );
    }

    #[test]
    fn a_pix_charge_has_no_card() {
        let request = SaleRequest {
            payment_type: PaymentType::Pix,
            ..SaleRequest::at_terminal("SN-1", 1_000)
        };
        let (_, due) = request.decide(Utc::now());
        assert_eq!(
            (&due[0].notice.data.card_brand, &due[0].notice.data.card_last_four),
            (&None, &None)
        );
    }
}
