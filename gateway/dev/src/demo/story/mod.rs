//! The story's fixed part, from `fixtures/story`: companies, plans, users, messages and payment links, compiled in.

use ledger_domain::ids::UserId;
use ledger_domain::sale::{PaymentType, Provider, Solution};
use ledger_domain::transfer::BankAccount;
use ledger_domain::{
    BusinessId, Cents, HoldId, PaymentLinkId, PayoutId, PlanId, Rate, SaleId, TerminalId, TransferId,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

use crate::sandbox::Target;

/// The namespace of the story's ids, so that they are the same in every demo. It is not a secret, because the data is
/// invented.
const NAMESPACE: Uuid = Uuid::from_u128(0x7d1f_3c5a_9b2e_4e6d_8f01_52a4_9c3b_6e70);

pub struct Story {
    pub companies: Vec<Company>,
    pub plans: Vec<Plan>,
    pub team: Vec<StoryUser>,
    pub messages: Vec<Message>,
    pub links: Vec<StoryLink>,
}

impl Story {
    /// # Panics
    ///
    /// Panics if a fixture is not as this module expects. A test reads all of them.
    pub fn read() -> Self {
        Self {
            companies: read(include_str!("../../../../../fixtures/story/companies.json")),
            plans: read(include_str!("../../../../../fixtures/story/plans.json")),
            team: read(include_str!("../../../../../fixtures/story/team.json")),
            messages: read(include_str!("../../../../../fixtures/story/messages.json")),
            links: read(include_str!("../../../../../fixtures/story/links.json")),
        }
    }

    /// The targets of the sandbox's stream: all terminals.
    pub fn targets(&self) -> Vec<Target> {
        let terminals = self.companies.iter().flat_map(|company| &company.terminals);
        terminals
            .map(|terminal| Target {
                terminal: Some(terminal.serial_number.clone()),
                business_id: None,
            })
            .collect()
    }

    pub fn receiving_plan_id() -> Uuid {
        id("receiving-plan")
    }

    pub fn transfer_id(key: &str) -> TransferId {
        TransferId::from_uuid(id(&format!("transfer/{key}")))
    }

    /// The company's hold with this name.
    pub fn hold_id(company: &Company, name: &str) -> HoldId {
        HoldId::from_uuid(id(&format!("hold/{}/{name}", company.key)))
    }

    pub fn payout_id(key: &str) -> PayoutId {
        PayoutId::from_uuid(id(&format!("payout/{key}")))
    }

    pub fn order_id(name: &str) -> Uuid {
        id(&format!("order/{name}"))
    }

    pub fn charge_id(name: &str) -> Uuid {
        id(&format!("charge/{name}"))
    }

    /// The sale of an attempt of an order.
    pub fn sale_id(name: &str) -> SaleId {
        SaleId::from_uuid(id(&format!("sale/{name}")))
    }

    pub fn owner_of(&self, company: &Company) -> UserId {
        let owns = |access: &StoryAccess| access.business == company.key && access.role == "owner";
        let owner = self.team.iter().find(|user| user.access.iter().any(owns));
        owner.expect("each company of the story has an owner").id()
    }

    /// A user by e-mail address.
    pub fn user(&self, email: &str) -> &StoryUser {
        let found = self.team.iter().find(|user| user.email == email);
        found.expect("a test reads the story's addresses")
    }

    /// The first staff user with the role `admin`.
    pub fn staff(&self) -> UserId {
        let decides = |user: &&StoryUser| user.roles.iter().any(|role| role == "admin");
        self.team
            .iter()
            .find(decides)
            .expect("the story has a staff admin")
            .id()
    }
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("the story's fixtures are readable")
}

fn id(name: &str) -> Uuid {
    Uuid::new_v5(&NAMESPACE, name.as_bytes())
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Company {
    pub key: String,
    pub name: String,
    pub document: String,
    pub statement_descriptor: String,
    pub opened_days_ago: i64,
    pub provider: Provider,
    /// The destination of its withdrawals, unless they go by PIX.
    pub bank_account: BankAccount,
    /// Plans by the solution's number. Without an entry, the solution's default applies.
    pub plans: BTreeMap<String, String>,
    /// The rules of its reserve, if it has one.
    #[serde(default)]
    pub reserve: Option<StoryReserve>,
    pub terminals: Vec<Terminal>,
    pub trade: Trade,
    /// The codes of its payment links.
    pub links: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryReserve {
    pub percentage: Rate,
    pub days: i16,
    /// Since when it counts.
    pub days_ago: i64,
    pub reason: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terminal {
    pub serial_number: String,
    pub name: Option<String>,
    /// Set if the terminal is rented and not bought.
    #[serde(default)]
    pub rental: Option<Rental>,
    /// Without it, the company has had the terminal since it opened.
    pub owned_days_ago: Option<i64>,
    /// The companies that had the terminal before, the oldest first.
    #[serde(default)]
    pub owners_before: Vec<FormerOwner>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormerOwner {
    /// A company; without it, the stock.
    pub business: Option<String>,
    /// When it received the terminal.
    pub days_ago: i64,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rental {
    pub days_ago: i64,
    /// The price of a month; without it, the installation's default price.
    pub cents: Option<Cents>,
}

/// A company's sales pattern.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trade {
    pub sales_a_day: i64,
    /// Percent of an average day, from Sunday on.
    pub week: [i64; 7],
    /// The hours of the day between which it sells.
    pub opens: i64,
    pub closes: i64,
    /// The smallest and the largest amount, in cents. Small ones are frequent.
    pub ticket: [i64; 2],
    pub mix: Vec<WeightedPayment>,
    /// The payment types of sales by link, at a company that sells by link on some days only.
    #[serde(default)]
    pub some_by_link: Option<Vec<WeightedPayment>>,
}

/// A way to pay, and how often the company's buyers choose it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedPayment {
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub weight: i64,
    #[serde(default = "one")]
    pub installments_max: u8,
}

const fn one() -> u8 {
    1
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub key: String,
    pub description: String,
    pub solution: Solution,
    pub default: bool,
    /// Whether sellers may compare it with theirs.
    #[serde(default)]
    pub offered: bool,
    pub requested: Option<RequestedChange>,
    pub versions: Vec<PlanVersion>,
}

/// A change of a plan that waits for a second person.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestedChange {
    /// The e-mail address of the staff user who requested it.
    pub by: String,
    pub hours_ago: i64,
    /// The changed fields, in the spelling of the API.
    pub before: serde_json::Value,
    pub after: serde_json::Value,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanVersion {
    pub days_ago: i64,
    pub effective: Option<EffectiveFees>,
    pub mdr: Option<MdrGroups>,
    pub percentage_rate: Rate,
    pub flat_rate: Cents,
    pub settlement_days: u8,
    pub boleto_fee: Cents,
    pub pix_percent: Option<Rate>,
    pub pix_fixed: Option<Cents>,
}

/// Each pair is for Visa and Mastercard, then for the other brands. A further installment adds the step.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectiveFees {
    pub debit: [Rate; 2],
    pub credit_first: [Rate; 2],
    pub credit_step: [Rate; 2],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MdrGroups {
    pub visamaster: ledger_domain::fees::MdrFees,
    pub others: ledger_domain::fees::MdrFees,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryUser {
    pub panel: String,
    pub name: String,
    pub email: String,
    pub password: String,
    #[serde(default)]
    pub document: String,
    pub access: Vec<StoryAccess>,
    #[serde(default)]
    pub roles: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryAccess {
    pub business: String,
    /// The company's name, so that the fixture can be read without the others.
    #[serde(rename = "name")]
    pub business_name: String,
    pub role: String,
}

/// A message of a seller to the platform.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The e-mail address of the seller.
    pub from: String,
    pub business: String,
    pub subject: String,
    pub message: String,
    pub hours_ago: i64,
    #[serde(default)]
    pub answers: Vec<Answer>,
    pub closed_hours_ago: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The e-mail address of the staff user.
    pub from: String,
    pub message: String,
    pub hours_ago: i64,
}

/// A payment link. The days are relative to the day of the load.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoryLink {
    pub business: String,
    pub code: String,
    pub description: String,
    pub amount: Option<Cents>,
    pub amount_min: Option<Cents>,
    pub amount_max: Option<Cents>,
    pub payment_types: Vec<PaymentType>,
    pub installments_max: u8,
    pub payer: String,
    pub created_days_ago: i64,
    /// Negative: it has expired.
    pub expires_in_days: Option<i64>,
    pub use_limit: Option<i32>,
    /// Its limit is the number of its uses when the story is loaded.
    #[serde(default)]
    pub all_used: bool,
    pub active: bool,
}

impl StoryLink {
    pub fn id(&self) -> PaymentLinkId {
        PaymentLinkId::from_uuid(id(&format!("payment-link/{}", self.code)))
    }
}

impl Company {
    pub fn id(&self) -> BusinessId {
        Self::id_of(&self.key)
    }

    pub fn id_of(key: &str) -> BusinessId {
        BusinessId::from_uuid(id(&format!("business/{key}")))
    }

    pub fn bank_account_id(&self) -> Uuid {
        id(&format!("bank-account/{}", self.key))
    }

    pub fn reserve_id(&self) -> Uuid {
        id(&format!("reserve/{}", self.key))
    }

    /// The decision by which the company was approved.
    pub fn decision_id(&self) -> Uuid {
        id(&format!("decision/{}", self.key))
    }
}

impl Terminal {
    pub fn id(&self) -> TerminalId {
        TerminalId::from_uuid(id(&format!("terminal/{}", self.serial_number)))
    }
}

impl Plan {
    pub fn id(&self) -> PlanId {
        Self::id_of(&self.key)
    }

    pub fn id_of(key: &str) -> PlanId {
        PlanId::from_uuid(id(&format!("plan/{key}")))
    }

    pub fn requested_change_id(&self) -> Uuid {
        id(&format!("plan-change/{}", self.key))
    }
}

impl Message {
    pub fn id(&self) -> Uuid {
        id(&format!("message/{}", self.subject))
    }

    pub fn answer_id(&self, number: usize) -> Uuid {
        id(&format!("message/{}/{number}", self.subject))
    }
}

impl StoryUser {
    pub fn id(&self) -> UserId {
        UserId::from_uuid(id(&format!("person/{}/{}", self.panel, self.email)))
    }
}

#[cfg(test)]
mod tests;
