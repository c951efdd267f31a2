//! One adapter, and the steps that the cases share.

use std::time::Duration;

use chrono::TimeDelta;
use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::{
    Buyer, BuyerAddress, CardToken, Charge, ChargeAnswer, ChargeKey, ChargeOrder, ChargeState, PaymentMethod,
    SecretUrl, WholeCharge,
};
use gateway_acquirers::port::{Acquirer, TokenFormat};
use gateway_acquirers::registration::Registration;
use gateway_environment::config::{AcquirerConfig, AcquirerServer, Live, Secret};
use ledger_domain::calendar::{Date, business_date, days_after};
use ledger_domain::documents::Document;
use ledger_domain::sale::PaymentType;
use ledger_domain::{Cents, SaleId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::world::{World, now};
use crate::sandbox::acquirers::contract::Contract;

/// The result of a case that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The adapter or its contract lacks the feature.
    NotOffered,
    /// The acquirer cannot cancel such a charge, so the adapter answers that it is still pending.
    StaysPending,
}

impl Verdict {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Passed => "ok",
            Self::NotOffered => "not offered",
            Self::StaysPending => "stays pending",
        }
    }
}

/// Fails a case if the condition is false.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}
pub(super) use ensure;

pub type Outcome = Result<Verdict, String>;

/// The adapter of a contract in a world, and variants of it that some cases need.
pub struct Run<'a> {
    pub world: &'a World,
    pub contract: Contract,
    pub adapter: Box<dyn Acquirer>,
    pub with_wrong_key: Box<dyn Acquirer>,
    pub without_server: Box<dyn Acquirer>,
    pub with_limited_refunds: Box<dyn Acquirer>,
}

/// No call of the suite waits this long: if an answer is lost, its connection ends.
const TIMEOUT: Duration = Duration::from_secs(60);

impl<'a> Run<'a> {
    pub fn new(world: &'a World, contract: Contract) -> Self {
        let sandbox = format!("http://{}", world.sandbox);
        let key = "zpk_test_sandbox";
        Self {
            world,
            contract,
            adapter: adapter(contract, &sandbox, key, TIMEOUT),
            with_wrong_key: adapter(contract, &sandbox, "zpk_test_wrong", TIMEOUT),
            // No server listens there.
            without_server: adapter(contract, "http://127.0.0.1:9", key, TIMEOUT),
            with_limited_refunds: adapter(
                contract,
                &format!("http://{}", world.limiting_sandbox),
                key,
                TIMEOUT,
            ),
        }
    }

    pub fn takes(&self, payment_type: PaymentType) -> bool {
        self.adapter.payment_types().contains(&payment_type)
    }

    pub fn pix_order(&self, amount: i64) -> ChargeOrder {
        self.order(
            amount,
            PaymentMethod::Pix {
                expires_at: now() + TimeDelta::minutes(30),
            },
        )
    }

    pub fn boleto_order(&self, amount: i64) -> ChargeOrder {
        self.order(amount, PaymentMethod::Boleto { due_on: due_on() })
    }

    /// An order of a card with these last four digits, in three installments.
    pub async fn card_order(&self, last_four: &str) -> Result<ChargeOrder, String> {
        let token = self.card_token(last_four).await?;
        let payment_method = PaymentMethod::Card {
            token: CardToken(token),
            installments: 3,
            return_url: "http://checkout.example/transacao/7Q2M4Z9XKD/status".to_owned(),
        };
        Ok(self.order(300_00, payment_method))
    }

    /// Makes a token as a buyer's browser does.
    pub async fn card_token(&self, last_four: &str) -> Result<String, String> {
        let tokens = self.adapter.card_tokens().ok_or("no token endpoint")?;
        let number = card_number(last_four);
        let body = match &tokens.format {
            TokenFormat::Sandbox => json!({
                "number": number, "holder": "ANA LIMA", "month": "12", "year": "2030", "security_code": "123",
            }),
            TokenFormat::Iugu { account_id, test } => json!({
                "account_id": account_id, "method": "credit_card", "test": test,
                "data": {
                    "number": number, "verification_value": "123", "first_name": "ANA", "last_name": "LIMA",
                    "month": "12", "year": "2030",
                },
            }),
        };
        let response = self.world.http.post(&tokens.url).json(&body).send().await;
        let answer: Value = response
            .map_err(|error| error.to_string())?
            .json()
            .await
            .map_err(|error| error.to_string())?;
        let token = answer["token"].as_str().or_else(|| answer["id"].as_str());
        token.map(str::to_owned).ok_or(format!("no token: {answer}"))
    }

    fn order(&self, amount: i64, payment_method: PaymentMethod) -> ChargeOrder {
        let takes_notice_url = self.contract.0.suite.takes_notice_url;
        ChargeOrder {
            sale_id: SaleId::from_uuid(Uuid::now_v7()),
            amount: Cents::new(amount),
            description: "Bolo de cenoura".to_owned(),
            statement_descriptor: "PADARIA".to_owned(),
            buyer: buyer(),
            payment_method,
            notice_url: takes_notice_url
                .then(|| SecretUrl(format!("http://{}/of-an-order/secret", self.world.gateway))),
        }
    }

    /// Charges an order. Fails if the acquirer does not answer.
    pub async fn charge(&self, order: &ChargeOrder) -> Result<Charge, String> {
        answered(self.adapter.charge(order).await)
    }

    pub async fn look_up(&self, key: &ChargeKey) -> Result<Charge, String> {
        answered(self.adapter.look_up(key).await)
    }

    /// Looks up a charge by both keys, which must agree.
    pub async fn state(&self, order: &ChargeOrder, charge: &Charge) -> Result<ChargeState, String> {
        let by_id = self.look_up(&key(order, charge)).await?;
        let by_sale = self.look_up(&sale_key(order)).await?;
        ensure!(by_id == by_sale, "by id {by_id:?}, by sale {by_sale:?}");
        Ok(by_id.state)
    }

    /// Changes a charge of the sandbox as its buyer, issuer or acquirer does.
    pub async fn change(&self, order: &ChargeOrder, change: &str) -> Result<(), String> {
        let url = format!(
            "http://{}/sandbox/charges/{}/{change}",
            self.world.sandbox, order.sale_id
        );
        let response = self.world.http.post(url).send().await;
        let status = response.map_err(|error| error.to_string())?.status();
        ensure!(status.is_success(), "{change}: {status}");
        Ok(())
    }

    pub async fn paid_pix(&self, amount: i64) -> Result<(ChargeOrder, Charge), String> {
        let order = self.pix_order(amount);
        let charge = self.charge(&order).await?;
        self.change(&order, "pay").await?;
        Ok((order, charge))
    }

    /// Fails unless the adapter looked up the charge and then requested the change exactly once. A contract
    /// that repeats safely is not checked.
    pub fn requested_once(&self, charge: &Charge, change: &str) -> Outcome {
        let repeats_safely = self.contract.0.suite.repeats_safely;
        let requests = self.world.requests_of(&charge.charge_id);
        let is_change = |request: &&String| request.ends_with(&format!("/{change}"));
        let changes = requests.iter().filter(is_change).count();
        ensure!(changes == 1 || repeats_safely, "{requests:?}");
        let before = requests.iter().take_while(|request| !is_change(request));
        let looked_up = before.filter(|request| request.starts_with("GET ")).count() > 0;
        ensure!(looked_up || repeats_safely, "{requests:?}");
        Ok(Verdict::Passed)
    }

    /// How many charges the sandbox has of a sale.
    pub fn charges_of(&self, order: &ChargeOrder) -> usize {
        let charges = self.world.charges.list();
        let of_sale = charges.iter().filter(|charge| charge.sale_id == order.sale_id);
        of_sale.count()
    }
}

/// The adapter, connected to a server as to the sandbox.
pub fn adapter(contract: Contract, server: &str, key: &str, timeout: Duration) -> Box<dyn Acquirer> {
    let provider = contract.0.provider;
    let text = || Some("sandbox".to_owned());
    let config = AcquirerConfig {
        provider,
        server: AcquirerServer::Sandbox,
        key: Live::new(Secret::new(key.to_owned())),
        account: text(),
        seller: text(),
        test: true,
        signing_key: None,
        timeout,
    };
    let registration = Registration::of(provider).expect("a registered adapter");
    registration.connect(&config, server).expect("an adapter")
}

pub fn answered(answer: ChargeAnswer) -> Result<Charge, String> {
    match answer {
        CallOutcome::Answered(charge) => Ok(charge),
        other => Err(format!("{other:?}")),
    }
}

pub fn key(order: &ChargeOrder, charge: &Charge) -> ChargeKey {
    ChargeKey {
        sale_id: order.sale_id,
        charge_id: Some(charge.charge_id.clone()),
    }
}

pub const fn sale_key(order: &ChargeOrder) -> ChargeKey {
    ChargeKey {
        sale_id: order.sale_id,
        charge_id: None,
    }
}

/// The charge with its whole amount, to capture or refund it.
pub fn whole_charge(order: &ChargeOrder, charge: &Charge) -> WholeCharge {
    WholeCharge {
        key: key(order, charge),
        amount: order.amount,
    }
}

pub fn due_on() -> Date {
    days_after(business_date(now()), 3)
}

fn buyer() -> Buyer {
    Buyer {
        name: "Ana Lima".to_owned(),
        document: Document::parse("529.982.247-25").expect("a CPF"),
        email: "ana@example.com".to_owned(),
        phone: "11987654321".to_owned(),
        address: Some(BuyerAddress {
            postal_code: "01001000".to_owned(),
            street: "Praça da Sé".to_owned(),
            number: "1".to_owned(),
            complement: None,
            district: "Sé".to_owned(),
            city: "São Paulo".to_owned(),
            state: "SP".to_owned(),
        }),
    }
}

/// A number with these last four digits and a valid check digit (Luhn).
fn card_number(last_four: &str) -> String {
    let numbers = (0..10).map(|digit| format!("40000000000{digit}{last_four}"));
    let sum = |number: &str| -> u32 {
        let digits = number.chars().rev().filter_map(|digit| digit.to_digit(10));
        digits
            .enumerate()
            .map(|(place, digit)| {
                let doubled = digit * (1 + place as u32 % 2);
                doubled / 10 + doubled % 10
            })
            .sum()
    };
    let mut valid = numbers.filter(|number| sum(number).is_multiple_of(10));
    valid.next().expect("one of ten digits fits")
}
