//! Sales that the writer records.

use chrono::TimeDelta;
use ledger_domain::business::{BusinessCommand, CaptureSale, CreateSale, FailSale, SaleContext};
use ledger_domain::calendar::{Instant, start_of};
use ledger_domain::sale::{
    CardBrand, PaymentNames, PaymentType, Provider, SaleFacts, SaleTerminal, Solution,
};
use ledger_domain::{Cents, SaleId, TerminalId};
use ledger_store::LedgerPosition;
use uuid::Uuid;

use super::TestApp;
use super::companies::Company;

/// A sale to record.
#[derive(Clone)]
pub struct Sale {
    pub facts: SaleFacts,
    pub days_ago: i64,
    pub minutes_past_noon: i64,
}

impl Sale {
    /// R$ 300,00 on a Visa in three installments, yesterday.
    pub fn card() -> Self {
        let sale_id = SaleId::from_uuid(Uuid::now_v7());
        let facts = SaleFacts {
            sale_id,
            provider: Provider::Zoop,
            external_id: format!("ext-{}", sale_id.uuid().simple()),
            solution: Solution::CardMachine,
            payment_type: PaymentType::Credit,
            card_brand: Some(CardBrand::Visa),
            installments: 3,
            amount: Cents::new(300_00),
            terminal: Some(SaleTerminal {
                // The ledger does not check that the terminal exists.
                id: TerminalId::from_uuid(Uuid::from_u128(9)),
                serial_number: "PB0001".to_owned(),
            }),
            payment_link_code: None,
            card_last_four: Some("4242".to_owned()),
            authorization_code: Some("A1B2C3".to_owned()),
            names: PaymentNames::default(),
        };
        Self {
            facts,
            days_ago: 1,
            minutes_past_noon: 0,
        }
    }

    /// R$ 50,00 by PIX, yesterday.
    pub fn pix() -> Self {
        let mut sale = Self::card();
        sale.facts.payment_type = PaymentType::Pix;
        sale.facts.installments = 1;
        sale.facts.amount = Cents::new(50_00);
        sale.facts.card_brand = None;
        sale.facts.card_last_four = None;
        sale.facts.authorization_code = None;
        sale.facts.terminal = None;
        sale
    }

    pub fn brand(mut self, brand: CardBrand) -> Self {
        self.facts.card_brand = Some(brand);
        self
    }

    pub fn amount(mut self, cents: i64) -> Self {
        self.facts.amount = Cents::new(cents);
        self
    }

    pub fn days_ago(mut self, days: i64) -> Self {
        self.days_ago = days;
        self
    }

    pub fn minutes_past_noon(mut self, minutes: i64) -> Self {
        self.minutes_past_noon = minutes;
        self
    }
}

impl TestApp {
    pub async fn create_sale(&self, company: &Company, sale: &Sale) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let command = CreateSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            context,
        };
        self.submit(company, BusinessCommand::CreateSale(command)).await
    }

    pub async fn capture(&self, company: &Company, sale: &Sale) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let command = CaptureSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            context,
        };
        self.submit(company, BusinessCommand::CaptureSale(command)).await
    }

    pub async fn fail(&self, company: &Company, sale: &Sale, reason: &str) -> LedgerPosition {
        let (at, context) = self.at(company, sale);
        let reason = Some(reason.to_owned());
        let command = FailSale {
            sale: sale.facts.clone(),
            occurred_at: at,
            reason,
            context,
        };
        self.submit(company, BusinessCommand::FailSale(command)).await
    }

    fn at(&self, company: &Company, sale: &Sale) -> (Instant, SaleContext) {
        let at = self.noon(sale.days_ago) + TimeDelta::minutes(sale.minutes_past_noon);
        (at, SaleContext::unknown(company.id, at))
    }

    /// Noon in Brasília, this number of days before today.
    pub fn noon(&self, days_ago: i64) -> Instant {
        start_of(self.today() - TimeDelta::days(days_ago)) + TimeDelta::hours(12)
    }
}
