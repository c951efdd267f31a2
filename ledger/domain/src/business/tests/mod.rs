//! Tests of the aggregate, and the builders that they share.
//!
//! The builders hold the defaults, so that a test names only what matters to it: R$ 300,00 on Visa in 3 installments,
//! an MDR plan of 3 % without advance, sold on 23 November 2026.

#![allow(clippy::inconsistent_digit_grouping, reason = "300_00 reads as R$ 300,00")]

mod accounts;
mod approvals;
mod held;
mod histories;
mod holds;
mod life;
mod names;
mod notices;
mod refusals;
mod reserve;
mod reversals;
mod sales;
mod settlement;
mod stored;
mod transfers;

use std::sync::Arc;

use chrono::TimeZone;
use cqrs_es::test::{AggregateTestExecutor, TestFramework};
use uuid::Uuid;

use super::*;
use crate::calendar::{Calendar, Date, Instant};
use crate::fees::{FeeTable, MdrFees, PixFee, PlanKind, PlanTerms};
use crate::sale::{
    CardBrand, Initiator, PaymentName, PaymentNames, PaymentType, Provider, SaleFacts, SaleStatus,
    SaleTerminal, Solution,
};
use crate::{BusinessId, Cents, PlanId, Rate, SaleId, TerminalId};

const BUSINESS: BusinessId = BusinessId::from_uuid(Uuid::from_u128(1));
const OTHER_BUSINESS: BusinessId = BusinessId::from_uuid(Uuid::from_u128(2));

fn given(events: Vec<BusinessEvent>) -> AggregateTestExecutor<Business> {
    TestFramework::with(()).given(events)
}

fn given_nothing() -> AggregateTestExecutor<Business> {
    given(vec![])
}

/// The events of the commands, one after the other.
fn history(commands: impl IntoIterator<Item = BusinessCommand>) -> Vec<BusinessEvent> {
    let mut business = Business::default();
    let mut history = vec![];
    for command in commands {
        let events = business
            .decide(&command)
            .expect("a history has only accepted commands");
        events.iter().for_each(|event| business.apply(event));
        history.extend(events);
    }
    history
}

fn replay(events: &[BusinessEvent]) -> Business {
    events.iter().fold(Business::default(), |mut business, event| {
        business.apply(event);
        business
    })
}

fn date(text: &str) -> Date {
    text.parse().expect("a date of the form 2026-11-23")
}

/// Minutes after 23 November 2026, 11:00 in Brasília.
fn minute(minutes: i64) -> Instant {
    let start = chrono::Utc
        .with_ymd_and_hms(2026, 11, 23, 14, 0, 0)
        .single()
        .expect("a date and a time");
    start + chrono::TimeDelta::minutes(minutes)
}

const fn sale_id(number: u128) -> SaleId {
    SaleId::from_uuid(Uuid::from_u128(number))
}

/// The facts of the sale that the builders below create, capture and fail.
fn sale_facts() -> SaleFacts {
    SaleFacts {
        sale_id: sale_id(10),
        provider: Provider::Zoop,
        external_id: "tx-10".to_owned(),
        solution: Solution::CardMachine,
        payment_type: PaymentType::Credit,
        card_brand: Some(CardBrand::Visa),
        installments: 3,
        amount: Cents::new(300_00),
        terminal: Some(SaleTerminal {
            id: TerminalId::from_uuid(Uuid::from_u128(20)),
            serial_number: "SN-20".to_owned(),
        }),
        payment_link_code: None,
        card_last_four: Some("4242".to_owned()),
        authorization_code: Some("A1B2C3".to_owned()),
        names: PaymentNames::default(),
    }
}

fn pix_facts() -> SaleFacts {
    SaleFacts {
        payment_type: PaymentType::Pix,
        card_brand: None,
        installments: 1,
        terminal: None,
        card_last_four: None,
        authorization_code: None,
        ..sale_facts()
    }
}

fn rate(percent: &str) -> Rate {
    Rate::parse(percent).expect("a rate in percent")
}

fn mdr() -> MdrFees {
    MdrFees {
        debit: rate("1"),
        credit_1: rate("2"),
        credit_2to6: rate("3"),
        credit_7to12: rate("4"),
        credit_13to21: rate("5"),
        advance: Rate::ZERO,
    }
}

fn terms() -> PlanTerms {
    PlanTerms {
        plan_id: PlanId::from_uuid(Uuid::from_u128(30)),
        name: "Plano padrão".to_owned(),
        version: 4,
        solution: Solution::CardMachine,
        kind: PlanKind::Mdr {
            visamaster: mdr(),
            others: mdr(),
        },
        percentage_rate: Rate::ZERO,
        flat_rate: Cents::ZERO,
        settlement_days: 1,
        boleto_fee: Cents::new(3_50),
        pix_fee: PixFee::Percent(rate("1")),
    }
}

/// Every installment settles on the next business day.
fn advanced_terms() -> PlanTerms {
    let advanced = MdrFees {
        advance: rate("1.8"),
        ..mdr()
    };
    PlanTerms {
        kind: PlanKind::Mdr {
            visamaster: advanced.clone(),
            others: advanced,
        },
        ..terms()
    }
}

fn context_at(terms_at: Instant) -> SaleContext {
    SaleContext {
        business_id: BUSINESS,
        company_status: CompanyStatus::Active,
        terms: Some(Arc::new(terms())),
        terms_at,
        terminal_owner: Some(BUSINESS),
        calendar: Arc::new(Calendar::default()),
        reserve: None,
    }
}

fn create_at(minutes: i64) -> CreateSale {
    CreateSale {
        sale: sale_facts(),
        occurred_at: minute(minutes),
        context: context_at(minute(minutes)),
    }
}

fn capture_at(minutes: i64) -> CaptureSale {
    CaptureSale {
        sale: sale_facts(),
        occurred_at: minute(minutes),
        context: context_at(minute(minutes)),
    }
}

/// A capture of a sale that was created before, with the plan's terms of that time.
fn capture_of_created(created: i64, captured: i64) -> CaptureSale {
    CaptureSale {
        context: context_at(minute(created)),
        ..capture_at(captured)
    }
}

fn fail_at(minutes: i64) -> FailSale {
    FailSale {
        sale: sale_facts(),
        occurred_at: minute(minutes),
        reason: Some("insufficient_funds".to_owned()),
        context: context_at(minute(minutes)),
    }
}

fn void_at(minutes: i64) -> VoidSale {
    VoidSale {
        names: PaymentNames::default(),
        sale_id: sale_facts().sale_id,
        initiator: Initiator::Acquirer,
        occurred_at: minute(minutes),
        reason: Some("expired".to_owned()),
    }
}

fn settle(due_date: &str, installments: &[u8]) -> SettleReceivables {
    SettleReceivables {
        due_date: date(due_date),
        today: date(due_date),
        installments: installments
            .iter()
            .map(|number| (sale_facts().sale_id, *number))
            .collect(),
        reserve: None,
    }
}

macro_rules! into_command {
    ($($command:ident),+) => {
        $(impl From<$command> for BusinessCommand {
            fn from(command: $command) -> Self {
                Self::$command(command)
            }
        })+
    };
}
into_command!(
    CreateSale,
    CaptureSale,
    FailSale,
    VoidSale,
    NameSale,
    SettleReceivables
);
into_command!(
    RequestTransfer,
    GiveTransferApproval,
    ProcessTransfer,
    ApproveTransfer,
    RefuseTransfer
);
into_command!(FailTransfer, ReopenTransfer, ReturnTransfer);
into_command!(PayoutPaid, PayoutFailed, PayoutReturned);
into_command!(
    MakeManualTransfer,
    PlaceHold,
    ChangeHold,
    ReleaseHold,
    ReleaseReserve,
    PayCourt,
    ReleaseSales,
    WriteOffDebt
);
into_command!(
    CancelSale,
    RefundPart,
    AnswerRefund,
    RefundSale,
    ReverseSale,
    DisputeSale
);
into_command!(OpenDispute, WinDispute, LoseDispute);
into_command!(ChargeTerminalRental, CancelTerminalRental);
