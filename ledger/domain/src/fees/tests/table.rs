//! Selecting the plan's fee for a sale.

use super::*;

fn row(card_brand: CardBrand, number_installments: u8, percent: &str) -> FeeRow {
    FeeRow {
        card_brand,
        payment_type: PaymentType::Credit,
        number_installments,
        percent_amount: rate(percent),
    }
}

fn brand(text: &str) -> CardBrand {
    CardBrand::parse(text).expect("a brand")
}

/// The percentage fee of R$ 100,00, in cents: 2 % is 200.
fn fee(terms: &PlanTerms, card_brand: Option<CardBrand>, installments: u8) -> i64 {
    quoted(
        terms,
        &PricingInput {
            card_brand,
            ..credit(100_00, installments)
        },
    )
    .fees
    .percentage_fee
    .get()
}

#[test]
fn an_effective_plan_prices_by_brand_and_installments() {
    let rows = vec![
        row(CardBrand::Visa, 1, "2"),
        row(CardBrand::Mastercard, 1, "3"),
        row(CardBrand::Visa, 2, "4"),
        row(CardBrand::Elo, 1, "5"),
        row(CardBrand::Banes, 1, "7"),
        row(CardBrand::Amex, 1, "6"),
        row(CardBrand::Amex, 2, "8"),
        FeeRow {
            payment_type: PaymentType::Debit,
            ..row(CardBrand::Cabal, 1, "9")
        },
    ];
    let terms = terms(PlanKind::Effective {
        fees: FeeTable::new(rows).expect("a valid table"),
    });
    assert_eq!(fee(&terms, Some(CardBrand::Visa), 1), 2_00);
    assert_eq!(fee(&terms, Some(CardBrand::Visa), 2), 4_00);
    assert_eq!(fee(&terms, Some(CardBrand::Elo), 1), 5_00);
    assert_eq!(fee(&terms, Some(CardBrand::VisaElectron), 1), 2_00);
    assert_eq!(fee(&terms, Some(CardBrand::Maestro), 1), 3_00);
    assert_eq!(fee(&terms, Some(CardBrand::Banese), 1), 7_00);
    // Unknown or missing brand: the highest fee of the group of other brands, for that payment type and installments.
    assert_eq!(fee(&terms, Some(brand("sorocred")), 1), 7_00);
    assert_eq!(fee(&terms, None, 1), 7_00);

    let debit = PricingInput {
        card_brand: Some(CardBrand::Visa),
        payment_type: PaymentType::Debit,
        ..credit(100_00, 1)
    };
    let quoted = quote(&terms, &debit, date("2026-11-23"), &Calendar::default());
    assert_eq!(quoted, Err(QuoteError::NoFee));
}

#[test]
fn an_mdr_plan_prices_by_group_and_band() {
    let fees = |first: u8| {
        let rate = |more: u8| rate(&(first + more).to_string());
        MdrFees {
            debit: rate(0),
            credit_1: rate(1),
            credit_2to6: rate(2),
            credit_7to12: rate(3),
            credit_13to21: rate(4),
            advance: Rate::ZERO,
        }
    };
    let terms = terms(PlanKind::Mdr {
        visamaster: fees(1),
        others: fees(11),
    });
    let bands = [(1, 2), (2, 3), (6, 3), (7, 4), (12, 4), (13, 5), (21, 5)];
    for (installments, percent) in bands {
        assert_eq!(fee(&terms, Some(CardBrand::Maestro), installments), percent * 100);
        assert_eq!(
            fee(&terms, Some(CardBrand::Elo), installments),
            (percent + 10) * 100
        );
        assert_eq!(
            fee(&terms, Some(brand("sorocred")), installments),
            (percent + 10) * 100
        );
        assert_eq!(fee(&terms, None, installments), (percent + 10) * 100);
    }
    assert_eq!(
        quoted(&terms, &paid_by(PaymentType::Debit, 100_00))
            .fees
            .percentage_fee
            .get(),
        1_00
    );
}

#[test]
fn a_table_with_duplicate_or_impossible_rows_is_refused() {
    let twice = vec![
        row(CardBrand::Visa, 1, "2"),
        row(CardBrand::Elo, 1, "2"),
        row(CardBrand::Visa, 1, "3"),
    ];
    let (card_brand, payment_type, installments) = (CardBrand::Visa, PaymentType::Credit, 1);
    assert_eq!(
        FeeTable::new(twice),
        Err(FeeTableError::Twice {
            card_brand,
            payment_type,
            installments
        })
    );

    let excluded = vec![row(CardBrand::VisaElectron, 1, "2")];
    assert_eq!(
        FeeTable::new(excluded),
        Err(FeeTableError::Brand(CardBrand::VisaElectron))
    );

    for (payment_type, installments) in [
        (PaymentType::Credit, 22),
        (PaymentType::Debit, 2),
        (PaymentType::Pix, 1),
    ] {
        let row = FeeRow {
            payment_type,
            ..row(CardBrand::Visa, installments, "2")
        };
        assert_eq!(
            FeeTable::new(vec![row]),
            Err(FeeTableError::Installments {
                payment_type,
                installments
            })
        );
    }
}
