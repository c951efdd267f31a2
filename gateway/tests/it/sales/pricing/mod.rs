//! The cost of a sale over HTTP: the explanation of a stored net amount, and the simulation of a sale that is not
//! made yet.

mod explanation;
mod simulation;

use gateway_identity::roles::SellerRole;
use ledger_domain::fees::{FeeRow, FeeTable, MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{Cents, PlanId, Rate};

use crate::support::{Answer, Client, Company, Sale, TestApp, plan};

fn rate(percent: &str) -> Rate {
    Rate::parse(percent).expect("a rate")
}

/// Taxa Efetiva: 4,49 % for Visa in three installments, 7 % for Elo in three, 1,99 % for Visa debit. All installments
/// are due four days after the sale.
fn effective(plan_id: PlanId) -> PlanTerms {
    let row = |card_brand, percent| FeeRow {
        card_brand,
        payment_type: PaymentType::Credit,
        number_installments: 3,
        percent_amount: rate(percent),
    };
    let rows = vec![
        row(CardBrand::Visa, "4.49"),
        row(CardBrand::Elo, "7"),
        FeeRow {
            payment_type: PaymentType::Debit,
            number_installments: 1,
            ..row(CardBrand::Visa, "1.99")
        },
    ];
    PlanTerms {
        kind: PlanKind::Effective {
            fees: FeeTable::new(rows).expect("a list"),
        },
        settlement_days: 4,
        ..plan(plan_id)
    }
}

/// Taxa MDR with 1,5 % a month for the advance of each credit installment. The plan itself takes 0,35 % and R$ 0,30
/// more.
fn advanced(plan_id: PlanId) -> PlanTerms {
    let fees = MdrFees {
        debit: rate("1.45"),
        credit_1: rate("2.5"),
        credit_2to6: rate("3"),
        credit_7to12: rate("3.5"),
        credit_13to21: rate("4.1234"),
        advance: rate("1.5"),
    };
    PlanTerms {
        kind: PlanKind::Mdr {
            visamaster: fees.clone(),
            others: fees,
        },
        percentage_rate: rate("0.35"),
        flat_rate: Cents::new(30),
        settlement_days: 1,
        pix_fee: PixFee::Fixed(Cents::new(99)),
        ..plan(plan_id)
    }
}

fn credit(amount: i64, installments: u8) -> Sale {
    let mut sale = Sale::card().amount(amount);
    sale.facts.installments = installments;
    sale
}

fn debit(amount: i64) -> Sale {
    let mut sale = credit(amount, 1);
    sale.facts.payment_type = PaymentType::Debit;
    sale
}

fn boleto(amount: i64) -> Sale {
    let mut sale = Sale::pix().amount(amount);
    sale.facts.payment_type = PaymentType::Boleto;
    sale
}

async fn seller_of(app: &TestApp, company: &Company) -> Client {
    let user = app.seller(&[(company, SellerRole::Operator)]).await;
    app.sign_in(&user).await
}

fn ok(answer: Answer) -> Answer {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}
