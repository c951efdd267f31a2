//! The choices of a buyer on a link: the payment types and installments that the plan prices, each with the buyer's
//! total. The prices are computed as those of a sale.

use ledger_domain::fees::{PlanTerms, PricingInput, QuoteError, gross_for_net, sale_fees};
use ledger_domain::money::split;
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{Cents, Rate};

use super::{FeePayer, LinkFields};

/// The choices of a buyer for one amount.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkOffer {
    /// One for each group of brands with the same fees. Brands that the plan does not price are in none.
    pub credit: Vec<CardOffer>,
    /// The total for the buyer. `None` if the link does not offer PIX, or if no valid sale results.
    pub pix: Option<Cents>,
    /// The same as for PIX.
    pub boleto: Option<Cents>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardOffer {
    pub brands: Vec<CardBrand>,
    /// By number of installments, from 1.
    pub installments: Vec<InstallmentOffer>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstallmentOffer {
    pub count: u8,
    pub total: Cents,
    /// The first installment, which also has the cents that a division leaves over.
    pub first: Cents,
    /// Each further installment.
    pub each: Cents,
}

/// The number of installments up to which the plan prices each number for at least one brand. Zero if it does not price
/// a single credit payment.
pub fn credit_installments_max(terms: &PlanTerms) -> u8 {
    let rate = |brand, count| terms.kind.card_rate(Some(brand), PaymentType::Credit, count);
    let priced = |count: &u8| {
        CardBrand::IN_PLANS
            .iter()
            .any(|brand| rate(brand, *count).is_some())
    };
    (1..=PaymentType::INSTALLMENTS_MAX)
        .take_while(priced)
        .last()
        .unwrap_or(0)
}

/// The offer of a link for an amount.
pub fn offer_of(terms: &PlanTerms, fields: &LinkFields, amount: Cents) -> LinkOffer {
    let single_payment = |payment_type: PaymentType| {
        let sale = PricingInput {
            amount,
            payment_type,
            card_brand: None,
            installments: 1,
        };
        let is_offered = fields.payment_types.contains(&payment_type);
        is_offered
            .then(|| buyer_total(terms, &sale, fields.payer).ok().flatten())
            .flatten()
    };
    let credit = if fields.payment_types.contains(&PaymentType::Credit) {
        credit_offers(terms, fields, amount)
    } else {
        vec![]
    };
    LinkOffer {
        credit,
        pix: single_payment(PaymentType::Pix),
        boleto: single_payment(PaymentType::Boleto),
    }
}

/// The amount that the buyer pays in all. `None` if the fees consume it.
fn buyer_total(terms: &PlanTerms, sale: &PricingInput, payer: FeePayer) -> Result<Option<Cents>, QuoteError> {
    match payer {
        FeePayer::Buyer => gross_for_net(terms, sale).map(Some),
        FeePayer::Seller => {
            let fees = sale_fees(terms, sale)?;
            Ok((fees.total() < sale.amount).then_some(sale.amount))
        }
    }
}

fn credit_offers(terms: &PlanTerms, fields: &LinkFields, amount: Cents) -> Vec<CardOffer> {
    let mut groups: Vec<(Vec<FeeKey>, CardOffer)> = vec![];
    for brand in CardBrand::IN_PLANS {
        let key = fee_key(terms, brand, fields.installments_max);
        if let Some((_, group)) = groups.iter_mut().find(|(other, _)| *other == key) {
            group.brands.push(brand.clone());
            continue;
        }
        let sale = |installments| PricingInput {
            amount,
            payment_type: PaymentType::Credit,
            card_brand: Some(brand.clone()),
            installments,
        };
        let installments = (1..=fields.installments_max).map_while(|count| {
            let total = buyer_total(terms, &sale(count), fields.payer).ok().flatten()?;
            installment(count, total)
        });
        let offer = CardOffer {
            brands: vec![brand.clone()],
            installments: installments.collect(),
        };
        groups.push((key, offer));
    }
    let offers = groups.into_iter().map(|(_, offer)| offer);
    offers.filter(|offer| !offer.installments.is_empty()).collect()
}

/// `None` if an installment would be of zero cents.
fn installment(count: u8, total: Cents) -> Option<InstallmentOffer> {
    let parts = split(total, count);
    let (first, each) = (*parts.first()?, *parts.last()?);
    (each > Cents::ZERO).then_some(InstallmentOffer {
        count,
        total,
        first,
        each,
    })
}

/// A brand's fee and advance cost for one number of installments. `None`: the plan does not price it. Brands with equal
/// keys share an offer.
type FeeKey = Option<(Rate, Option<Rate>)>;

fn fee_key(terms: &PlanTerms, brand: &CardBrand, installments_max: u8) -> Vec<FeeKey> {
    let advance = terms.kind.advance(brand);
    (1..=installments_max)
        .map(|count| {
            let rate = terms.kind.card_rate(Some(brand), PaymentType::Credit, count)?;
            Some((rate, advance))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use ledger_domain::PlanId;
    use ledger_domain::fees::{FeeRow, FeeTable, MdrFees, PixFee, PlanKind};
    use ledger_domain::sale::Solution;
    use uuid::Uuid;

    use super::*;
    use crate::links::tests::link;

    fn rate(percent: &str) -> Rate {
        Rate::parse(percent).expect("a rate")
    }

    fn terms(kind: PlanKind) -> PlanTerms {
        PlanTerms {
            plan_id: PlanId::from_uuid(Uuid::from_u128(1)),
            name: "Links".to_owned(),
            version: 1,
            solution: Solution::PaymentLink,
            kind,
            percentage_rate: rate("0"),
            flat_rate: Cents::ZERO,
            settlement_days: 2,
            boleto_fee: Cents::new(2_49),
            pix_fee: PixFee::Percent(rate("1")),
        }
    }

    fn mdr(others: &str) -> PlanTerms {
        let fees = |percent: &str| MdrFees {
            debit: rate("1"),
            credit_1: rate(percent),
            credit_2to6: rate(percent),
            credit_7to12: rate(percent),
            credit_13to21: rate(percent),
            advance: rate("0"),
        };
        let (visamaster, others) = (fees("5"), fees(others));
        terms(PlanKind::Mdr { visamaster, others })
    }

    /// Visa in up to `visa` installments and Elo in one.
    fn effective(visa: u8) -> PlanTerms {
        let row = |card_brand, number_installments| FeeRow {
            card_brand,
            payment_type: PaymentType::Credit,
            number_installments,
            percent_amount: rate("5"),
        };
        let rows = (1..=visa).map(|count| row(CardBrand::Visa, count));
        let rows = rows.chain([row(CardBrand::Elo, 1)]).collect();
        let fees = FeeTable::new(rows).expect("a table");
        terms(PlanKind::Effective { fees })
    }

    #[test]
    fn a_seller_who_pays_the_fees_asks_for_the_amount_itself() {
        let offer = offer_of(&mdr("6"), &link().fields, Cents::new(100_00));
        assert_eq!(
            (offer.pix, offer.boleto),
            (Some(Cents::new(100_00)), Some(Cents::new(100_00)))
        );
        assert_eq!(offer.credit.len(), 2, "two groups of brands");
        let third = offer.credit[0].installments[2];
        assert_eq!(
            (third.count, third.total, third.first, third.each),
            (3, Cents::new(100_00), Cents::new(33_34), Cents::new(33_33)),
            "33,34 + 2 * 33,33 = 100,00"
        );
    }

    #[test]
    fn a_buyer_who_pays_the_fees_pays_them_on_top_of_the_amount() {
        let mut fields = link().fields;
        fields.payer = FeePayer::Buyer;
        let offer = offer_of(&mdr("6"), &fields, Cents::new(95_00));
        assert_eq!(offer.credit[0].brands, [CardBrand::Visa, CardBrand::Mastercard]);
        assert_eq!(
            offer.credit[0].installments[0].total,
            Cents::new(100_00),
            "5 percent of 100,00 are 5,00, which leaves 95,00"
        );
        assert_eq!(
            offer.credit[1].installments[0].total,
            Cents::new(101_06),
            "6 percent of 101,06 are 6,06, and one cent less leaves 94,99"
        );
        assert_eq!(offer.boleto, Some(Cents::new(97_49)), "95,00 + 2,49");
    }

    #[test]
    fn brands_without_a_fee_are_not_offered_and_installments_end_with_the_plan() {
        let plan = effective(4);
        assert_eq!(credit_installments_max(&plan), 4);
        let mut fields = link().fields;
        fields.installments_max = 6;
        let offer = offer_of(&plan, &fields, Cents::new(100_00));
        let counts: Vec<_> = offer
            .credit
            .iter()
            .map(|group| (group.brands.len(), group.installments.len()))
            .collect();
        assert_eq!(
            counts,
            [(1, 4), (1, 1)],
            "Visa up to the plan's 4 of the link's 6 installments; Elo in one"
        );
        fields.payment_types = vec![PaymentType::Pix];
        assert_eq!(
            offer_of(&plan, &fields, Cents::new(100_00)).credit,
            [],
            "the link takes PIX only"
        );
    }

    #[test]
    fn an_amount_that_the_fees_consume_is_not_offered() {
        let offer = offer_of(&mdr("6"), &link().fields, Cents::new(2_49));
        assert_eq!(offer.boleto, None, "the fee of a boleto is 2,49");
        assert_eq!(offer.pix, Some(Cents::new(2_49)), "1 percent of 2,49 are 0,02");
        let one_cent = offer_of(&mdr("6"), &link().fields, Cents::new(1));
        assert_eq!(
            one_cent.credit[0].installments.len(),
            1,
            "no installment of zero cents"
        );
    }
}
