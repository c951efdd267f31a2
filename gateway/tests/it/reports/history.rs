//! A random history of sales, and the figures to which each of its events adds, computed from the log itself.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use ledger_domain::business::{
    BusinessCommand, BusinessEvent, CancelTerminalRental, ChargeTerminalRental, ReverseSale, SaleCaptured,
    SaleEvent, TransferEvent,
};
use ledger_domain::calendar::{Instant, business_date};
use ledger_domain::sale::{Cancellation, CardBrand, PaymentNames, PaymentType, SaleFacts, SaleTerminal};
use ledger_domain::{BusinessId, Cents, SaleId, TerminalId, TransferId};
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::projections::reversal_commands::{cancel, dispute, lose, open, refund, win};
use crate::support::{Company, Sale, TestApp};

/// One event's contribution to the figures of a report.
pub struct Fact {
    pub company: BusinessId,
    pub date: NaiveDate,
    pub sale: SaleFacts,
    /// Each figure's path in the answer, and the number that the event adds to it.
    pub adds: Additions,
}

/// Sales of ten weeks with random reversals, settled up to today, and terminal rentals.
pub async fn random_history(app: &TestApp, companies: &[Company], rng: &mut StdRng) {
    let mut captured: Vec<(&Company, SaleId, Instant)> = vec![];
    for _ in 0..70 {
        let company = &companies[rng.random_range(0..companies.len())];
        let sale = random_sale(rng);
        app.capture(company, &sale).await;
        let at = app.noon(sale.days_ago) + TimeDelta::minutes(sale.minutes_past_noon);
        captured.push((company, sale.facts.sale_id, at));
    }
    app.settle_due().await;
    for (number, (company, sale, at)) in captured.into_iter().enumerate() {
        // A refused command is part of a random history too.
        for command in random_reversals(rng, sale, at, &format!("dp-{number}")) {
            app.outcome_of(company.id, command).await;
        }
    }
    charge_rentals(app, &companies[0]).await;
    app.settle_due().await;
}

fn random_sale(rng: &mut StdRng) -> Sale {
    let mut sale = if rng.random_bool(0.7) {
        Sale::card()
    } else {
        Sale::pix()
    };
    sale.facts.amount = Cents::new(rng.random_range(10_00..600_00));
    if sale.facts.payment_type == PaymentType::Credit {
        sale.facts.installments = rng.random_range(1..=3);
        let brands = [CardBrand::Visa, CardBrand::Mastercard, CardBrand::Elo];
        sale.facts.card_brand = Some(brands[rng.random_range(0..3)].clone());
    }
    if rng.random_bool(0.3) {
        sale.facts.terminal = None;
        sale.facts.payment_link_code = Some("2F6F4F5A1B0B".to_owned());
    }
    // From midnight to three in the morning of the next day, so that some business dates and UTC days differ.
    sale.days_ago(rng.random_range(3..70))
        .minutes_past_noon(rng.random_range(-720..900))
}

/// No command for six sales in fourteen on average.
fn random_reversals(
    rng: &mut StdRng,
    sale: SaleId,
    captured_at: Instant,
    dispute_id: &str,
) -> Vec<BusinessCommand> {
    let later = |hours| captured_at + TimeDelta::hours(hours);
    match rng.random_range(0..14) {
        0 => vec![cancel(sale, later(2))],
        1 => vec![refund(sale, later(30))],
        2 => vec![BusinessCommand::ReverseSale(ReverseSale {
            names: PaymentNames::default(),
            sale_id: sale,
            occurred_at: later(5),
            reason: None,
        })],
        3 => vec![dispute(sale, dispute_id, later(3))],
        4 => vec![open(sale, dispute_id, later(3)), win(sale, dispute_id, later(40))],
        5 => vec![
            open(sale, dispute_id, later(3)),
            lose(sale, dispute_id, later(30)),
        ],
        6 => vec![lose(sale, dispute_id, later(4))],
        7 => vec![
            open(sale, dispute_id, later(3)),
            win(sale, dispute_id, later(20)),
            open(sale, &format!("{dispute_id}-b"), later(50)),
        ],
        _ => vec![],
    }
}

/// Three rentals; the first one is canceled.
async fn charge_rentals(app: &TestApp, company: &Company) {
    for number in 0..3 {
        let transfer_id = TransferId::from_uuid(Uuid::now_v7());
        let rental = ChargeTerminalRental {
            transfer_id,
            terminal: SaleTerminal {
                id: TerminalId::from_uuid(Uuid::from_u128(9)),
                serial_number: "PB0001".to_owned(),
            },
            due_date: app.today() - TimeDelta::days(5 + number),
            amount: Cents::new(49_90),
            occurred_at: app.noon(5 + number),
        };
        app.outcome_of(company.id, BusinessCommand::ChargeTerminalRental(rental))
            .await;
        if number == 0 {
            let cancel = CancelTerminalRental {
                transfer_id,
                reason: Some("maquininha devolvida".to_owned()),
                occurred_at: app.noon(4),
            };
            app.outcome_of(company.id, BusinessCommand::CancelTerminalRental(cancel))
                .await;
        }
    }
}

/// The facts of all events of the companies, and the sum of each company's terminal rentals.
pub async fn facts_of(app: &TestApp, companies: &[Company]) -> (Vec<Fact>, HashMap<BusinessId, i64>) {
    let client = app.app.state.pool.get().await.expect("a connection");
    let (mut facts, mut rentals) = (vec![], HashMap::new());
    for company in companies {
        let mut sales = CapturedSales::default();
        let events = ledger_store::log::of_business(&**client, company.id, 0, 10_000).await;
        for stored in events.expect("events") {
            let event = stored.decode().expect("an event");
            let date = business_date(stored.occurred_at);
            facts.extend(sales.additions(&event).into_iter().map(|(sale, adds)| Fact {
                company: company.id,
                date,
                sale,
                adds,
            }));
            let rental = match event {
                BusinessEvent::Transfer(TransferEvent::TerminalRentalCharged(event)) => event.amount.get(),
                BusinessEvent::Transfer(TransferEvent::TerminalRentalCanceled(event)) => -event.amount.get(),
                _ => continue,
            };
            *rentals.entry(company.id).or_default() += rental;
        }
    }
    (facts, rentals)
}

/// The facts of captures that later events of the sales need.
#[derive(Default)]
struct CapturedSales {
    facts: HashMap<SaleId, SaleFacts>,
    /// The gross of each installment.
    gross: HashMap<(SaleId, u8), i64>,
}

type Additions = Vec<(&'static str, i64)>;

impl CapturedSales {
    /// The figures that an event adds to, with the amounts, for each of its sales.
    fn additions(&mut self, event: &BusinessEvent) -> Vec<(SaleFacts, Additions)> {
        let of = |sale_id: &SaleId, adds: Additions| vec![(self.facts[sale_id].clone(), adds)];
        let BusinessEvent::Sale(event) = event else {
            return vec![];
        };
        match event {
            SaleEvent::SaleCaptured(event) => self.capture(event),
            SaleEvent::SaleCanceled(event) => {
                let paths = match event.outcome {
                    Cancellation::Canceled => ["/canceled/count", "/canceled/gross", "/canceled/net"],
                    Cancellation::Refunded => ["/refunded/count", "/refunded/gross", "/refunded/net"],
                    Cancellation::Reversed => ["/reversed/count", "/reversed/gross", "/reversed/net"],
                };
                let numbers = [1, event.amount.get(), event.net.get()];
                of(&event.sale_id, paths.into_iter().zip(numbers).collect())
            }
            SaleEvent::SaleDisputed(event) => {
                let adds = vec![("/disputed/count", 1), ("/disputed/amount", event.amount.get())];
                of(&event.sale_id, adds)
            }
            SaleEvent::DisputeWon(event) => {
                let adds = vec![
                    ("/disputes_won/count", 1),
                    ("/disputes_won/amount", event.amount.get()),
                ];
                of(&event.sale_id, adds)
            }
            SaleEvent::SaleChargedBack(event) => {
                let adds = vec![
                    ("/charged_back/count", 1),
                    ("/charged_back/amount", event.amount.get()),
                ];
                of(&event.sale_id, adds)
            }
            SaleEvent::ReceivablesSettled(event) => {
                let settled = event.settled.iter().map(|part| {
                    let adds = vec![
                        ("/settled/count", 1),
                        ("/settled/gross", self.gross[&(part.sale_id, part.number)]),
                        ("/settled/amount", part.net.get()),
                    ];
                    (self.facts[&part.sale_id].clone(), adds)
                });
                settled.collect()
            }
            _ => vec![],
        }
    }

    fn capture(&mut self, event: &SaleCaptured) -> Vec<(SaleFacts, Additions)> {
        let (sale, fees) = (&event.sale, &event.fees);
        for receivable in &event.receivables {
            self.gross
                .insert((sale.sale_id, receivable.number), receivable.gross.get());
        }
        self.facts.insert(sale.sale_id, sale.clone());
        let adds = vec![
            ("/count", 1),
            ("/gross", sale.amount.get()),
            (
                "/installment_gross",
                if sale.installments > 1 {
                    sale.amount.get()
                } else {
                    0
                },
            ),
            ("/percentage_fee", fees.percentage_fee.get()),
            ("/flat_fee", fees.flat_fee.get()),
            ("/percentage_rate", fees.percentage_rate.get()),
            ("/flat_rate", fees.flat_rate.get()),
            ("/fees", fees.total().get()),
            ("/net", event.net.get()),
        ];
        vec![(sale.clone(), adds)]
    }
}

fn zeros() -> Value {
    let returned = json!({ "count": 0, "gross": 0, "net": 0 });
    let counted = json!({ "count": 0, "amount": 0 });
    json!({
        "count": 0, "gross": 0, "installment_gross": 0, "percentage_fee": 0, "flat_fee": 0, "percentage_rate": 0, "flat_rate": 0,
        "fees": 0, "net": 0, "canceled": returned, "refunded": returned, "reversed": returned,
        "disputed": counted, "disputes_won": counted, "charged_back": counted,
        "settled": { "count": 0, "gross": 0, "amount": 0 },
    })
}

/// The figures of a report that counts these facts.
pub fn sum<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Value {
    let mut figures = zeros();
    for (path, number) in facts.into_iter().flat_map(|fact| &fact.adds) {
        let place = figures.pointer_mut(path).expect("a figure");
        *place = json!(place.as_i64().expect("a number") + number);
    }
    figures
}

pub fn within(fact: &Fact, start: &Value, end: &Value) -> bool {
    let date = |value: &Value| -> NaiveDate { value.as_str().expect("a date").parse().expect("a date") };
    (date(start)..=date(end)).contains(&fact.date)
}
