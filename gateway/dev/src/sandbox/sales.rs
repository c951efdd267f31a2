//! A sale at the sandbox and its notices.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gateway_acquirers::names::ReportedNames;
use gateway_platform::providers::{CanonicalNotice, CanonicalSale};
use ledger_domain::sale::{PaymentType, Provider};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::delivery::{NoticeTiming, ScheduledNotice};
use super::facts::{ReversalNotice, new_dispute_id};
use super::names;
use super::outcomes::Outcome;

/// The request of a card terminal, a checkout or a PIX charge. It needs the amount, and a terminal or a company.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaleRequest {
    pub amount: i64,
    /// The provider that the sandbox acts as.
    #[serde(default = "zoop")]
    pub provider: Provider,
    #[serde(default = "credit")]
    pub payment_type: PaymentType,
    /// The number of a `Solution`. 1 is a card machine.
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
    /// A test card. Only its last four digits leave the sandbox.
    pub card_number: Option<String>,
    pub last_four: Option<String>,
    /// Overrides the outcome of the card.
    pub outcome: Option<Outcome>,
    /// Later events of the sale, for example a dispute that is opened and won.
    #[serde(default)]
    pub then: Vec<ReversalNotice>,
    pub occurred_at: Option<DateTime<Utc>>,
    /// How many additional times each notice is sent.
    #[serde(default)]
    pub duplicates: u8,
    /// Sends the last notice first.
    #[serde(default)]
    pub out_of_order: bool,
    /// The time between two notices of the sale, in milliseconds.
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

/// The sandbox's response. The notices follow later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SaleResponse {
    pub provider: Provider,
    pub external_id: String,
    pub outcome: Outcome,
    pub notices: Vec<String>,
}

impl SaleRequest {
    /// A card sale at a terminal, with defaults for the rest.
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
            then: vec![],
            occurred_at: None,
            duplicates: 0,
            out_of_order: false,
            delay_ms: 0,
        }
    }

    /// Decides the sale as an issuer would and returns its notices in the order of sending.
    pub fn decide(&self, now: DateTime<Utc>) -> (SaleResponse, Vec<ScheduledNotice>) {
        let (outcome, notices) = self.notices(now);
        let response = SaleResponse {
            provider: self.provider,
            external_id: notices[0].data.external_id.clone(),
            outcome,
            notices: notices.iter().map(|notice| notice.id.clone()).collect(),
        };
        let scheduled = self.timing().of(&notices, &response.external_id);
        (response, scheduled)
    }

    fn timing(&self) -> NoticeTiming {
        NoticeTiming {
            duplicates: self.duplicates,
            delay: Duration::from_millis(self.delay_ms),
        }
    }

    fn notices(&self, now: DateTime<Utc>) -> (Outcome, Vec<CanonicalNotice>) {
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
        let sale = CanonicalSale {
            names: self.names(&external_id, outcome, opened_at),
            ..self.sale(&external_id, last_four, outcome)
        };
        let of_refund = names::of_return(self.payment_type, &external_id, opened_at);
        let dispute_id = new_dispute_id();
        let mut steps = vec![("sale.created", None, false)];
        match outcome {
            Outcome::Captured => steps.push(("sale.captured", None, false)),
            Outcome::Failed => steps.push(("sale.failed", reason, false)),
            Outcome::Canceled => steps.push(("sale.canceled", reason, false)),
            Outcome::Pending => {}
        }
        let then = self.then.iter();
        steps.extend(then.map(|fact| (fact.notice_type(), Some(fact.reason()), fact.is_of_dispute())));
        let mut notices: Vec<_> = (0..)
            .zip(steps)
            .map(|(place, (r#type, reason, of_dispute))| CanonicalNotice {
                id: format!("evt-{}", Uuid::now_v7().simple()),
                r#type,
                occurred_at: opened_at + self.timing().step() * place,
                data: CanonicalSale {
                    reason: reason.map(str::to_owned),
                    dispute_id: of_dispute.then(|| dispute_id.clone()),
                    names: if matches!(r#type, "sale.refunded" | "sale.canceled" | "sale.reversed") {
                        of_refund.clone()
                    } else {
                        sale.names.clone()
                    },
                    ..sale.clone()
                },
            })
            .collect();
        if self.out_of_order {
            notices.reverse();
        }
        (outcome, notices)
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
            names: ReportedNames::default(),
            reason: None,
            dispute_id: None,
            refund_id: None,
        }
    }

    /// A sale that is not paid has the names of its charge.
    fn names(&self, external_id: &str, outcome: Outcome, at: DateTime<Utc>) -> ReportedNames {
        let online = self.terminal.is_none();
        match outcome {
            Outcome::Captured => names::of_payment(self.payment_type, online, external_id, at),
            Outcome::Failed | Outcome::Canceled | Outcome::Pending => {
                names::of_charge(self.payment_type, external_id)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(request: &SaleRequest) -> Vec<&'static str> {
        let (_, notices) = request.notices(Utc::now());
        notices.iter().map(|notice| notice.r#type).collect()
    }

    #[test]
    fn a_test_card_decides_the_outcome_and_only_its_last_four_digits_are_sent() {
        let mut request = SaleRequest::at_terminal("SN-1", 1_000);
        request.card_number = Some("4000 0000 0000 0002".to_owned());
        let (outcome, notices) = request.notices(Utc::now());
        assert_eq!(outcome, Outcome::Failed);
        assert_eq!(notices[1].data.card_last_four.as_deref(), Some("0002"));
        assert!(
            notices
                .iter()
                .all(|notice| !notice.to_json().replace(' ', "").contains("40000000"))
        );
    }

    #[test]
    fn duplicates_and_disorder_can_be_requested() {
        let mut request = SaleRequest::at_terminal("SN-1", 1_000);
        assert_eq!(types(&request), ["sale.created", "sale.captured"]);
        request.out_of_order = true;
        request.duplicates = 1;
        assert_eq!(types(&request), ["sale.captured", "sale.created"]);
        assert_eq!(request.decide(Utc::now()).1.len(), 4);
    }

    #[test]
    fn later_notices_share_one_dispute_and_have_later_times() {
        let request = SaleRequest {
            then: vec![ReversalNotice::DisputeOpened, ReversalNotice::DisputeLost],
            ..SaleRequest::at_terminal("SN-1", 1_000)
        };
        let (_, notices) = request.notices(Utc::now());
        assert_eq!(
            types(&request),
            ["sale.created", "sale.captured", "dispute.opened", "dispute.lost"]
        );
        assert!(notices.is_sorted_by(|a, b| a.occurred_at < b.occurred_at));
        assert_eq!(notices[1].data.dispute_id, None);
        assert!(notices[2].data.dispute_id.is_some());
        assert_eq!(notices[2].data.dispute_id, notices[3].data.dispute_id);
    }

    #[test]
    fn a_pix_charge_has_no_card() {
        let request = SaleRequest {
            payment_type: PaymentType::Pix,
            ..SaleRequest::at_terminal("SN-1", 1_000)
        };
        let (_, notices) = request.notices(Utc::now());
        assert_eq!(
            (&notices[0].data.card_brand, &notices[0].data.card_last_four),
            (&None, &None)
        );
    }
}
