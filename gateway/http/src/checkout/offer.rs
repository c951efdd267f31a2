//! The payment types that a link offers now: those that its seller chose and that a configured acquirer supports. Also
//! checks the price of a buyer's choice.

use gateway_acquirers::port::{Acquirer, CardTokens};
use gateway_platform::links::{LinkFields, PaymentLink, offer_of};
use gateway_platform::orders::NewCard;
use ledger_domain::Cents;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use tokio_postgres::{Error, GenericClient};

use super::choices::Choice;
use crate::AppState;
use crate::problem::{Problem, Result};

const PRICE_CHANGED: &str = "O preço mudou. Confira o novo valor e tente de novo.";
const NOT_OFFERED: &str = "Este link não aceita esta forma de pagamento.";

/// The acquirer that is asked first to charge the payment type, and those that are asked after it. A 422 if the link
/// does not offer the payment type.
pub(crate) async fn acquirers_of(
    state: &AppState,
    client: &impl GenericClient,
    link: &PaymentLink,
    payment_type: PaymentType,
) -> Result<(Provider, Vec<Provider>)> {
    let mut route = route(state, client, link, payment_type).await?.into_iter();
    match route.next() {
        Some(first) if link.fields.payment_types.contains(&payment_type) => Ok((first, route.collect())),
        _ => Err(Problem::field("payment_type", NOT_OFFERED)),
    }
}

/// The acquirers that are asked to charge the payment type, in this order. For cards it is at most one, because a
/// card's token is valid at one acquirer only.
async fn route(
    state: &AppState,
    client: &impl GenericClient,
    link: &PaymentLink,
    payment_type: PaymentType,
) -> Result<Vec<Provider>, Error> {
    if payment_type == PaymentType::Credit {
        let taker = card_acquirer(state, client, link).await?;
        return Ok(taker.map(|(provider, _)| provider).into_iter().collect());
    }
    state.acquirers.route(client, link.company.id, payment_type).await
}

/// The acquirer that charges the link's cards, and the endpoint at which a browser gets its tokens.
async fn card_acquirer(
    state: &AppState,
    client: &impl GenericClient,
    link: &PaymentLink,
) -> Result<Option<(Provider, CardTokens)>, Error> {
    let route = state
        .acquirers
        .route(client, link.company.id, PaymentType::Credit)
        .await?;
    Ok(route.into_iter().find_map(|provider| {
        let tokens = state.acquirers.of(provider).and_then(Acquirer::card_tokens)?;
        Some((provider, tokens))
    }))
}

/// The payment options of a link that an acquirer can charge now.
pub struct Offered {
    /// The link's fields, with only those payment types that an acquirer supports, and with no more installments than
    /// the acquirer of its cards takes.
    pub fields: LinkFields,
    /// `None` if no card is taken.
    pub card_tokens: Option<CardTokens>,
}

/// Reads which payment options of the link an acquirer can charge now.
pub async fn offered(
    state: &AppState,
    client: &impl GenericClient,
    link: &PaymentLink,
) -> Result<Offered, Error> {
    let mut fields = link.fields.clone();
    fields.payment_types.clear();
    let mut card_tokens = None;
    for payment_type in link.fields.payment_types.iter().copied() {
        let is_taken = if payment_type == PaymentType::Credit {
            card_tokens = card_acquirer(state, client, link)
                .await?
                .map(|(_, tokens)| tokens);
            card_tokens.is_some()
        } else {
            !route(state, client, link, payment_type).await?.is_empty()
        };
        if is_taken {
            fields.payment_types.push(payment_type);
        }
    }
    if let Some(tokens) = &card_tokens {
        fields.installments_max = fields.installments_max.min(tokens.installments_max);
    }
    Ok(Offered { fields, card_tokens })
}

/// Checks that the choice is offered at the price that the buyer saw.
pub fn check_price(
    terms: Option<&PlanTerms>,
    fields: &LinkFields,
    amount: Cents,
    choice: &Choice,
) -> Result<()> {
    let offer = terms
        .map(|terms| offer_of(terms, fields, amount))
        .unwrap_or_default();
    let price = match (&choice.card, choice.payment_type) {
        (Some(card), _) => {
            let brand = card.priced_brand().priced_as();
            let group = offer.credit.iter().find(|group| has_brand(&group.brands, brand));
            let Some(group) = group else {
                if let Some(told) = card.other_brand() {
                    return Err(other_brand(card, told, None));
                }
                return Err(Problem::field(
                    "card.brand",
                    "Este link não aceita esta bandeira.",
                ));
            };
            let chosen = group
                .installments
                .iter()
                .find(|offer| offer.count == card.installments);
            match chosen {
                Some(chosen) if chosen.total != choice.total && card.other_brand().is_some() => {
                    return Err(other_brand(card, card.priced_brand(), Some(chosen.total)));
                }
                Some(chosen) => Some(chosen.total),
                None => {
                    let message = "Este link não aceita esse número de parcelas.";
                    return Err(Problem::field("card.installments", message));
                }
            }
        }
        (None, PaymentType::Boleto) => offer.boleto,
        (None, PaymentType::Pix) => offer.pix,
        (None, PaymentType::Credit | PaymentType::Debit) => None,
    };
    match price {
        None => Err(Problem::field("payment_type", NOT_OFFERED)),
        Some(price) if price != choice.total => Err(Problem::conflict(PRICE_CHANGED)),
        Some(_) => Ok(()),
    }
}

/// A card of another brand than the buyer's browser derived from its number. `total` is what the buyer pays with the
/// card's own brand; `None` if the link does not take it.
fn other_brand(card: &NewCard, told: &CardBrand, total: Option<Cents>) -> Problem {
    let (told_name, named) = (told.label(), card.brand.label());
    let advice = match total {
        Some(total) => format!("Com {told_name}, o total é R$ {total}. Confira e pague de novo."),
        None => {
            "Este link não aceita essa bandeira. Use outro cartão ou outra forma de pagamento.".to_owned()
        }
    };
    let message = format!("O cartão é {told_name}, e não {named}. {advice}");
    Problem {
        card_brand: Some(Box::new(told.clone())),
        ..Problem::field("card.brand", &message)
    }
}

fn has_brand(brands: &[CardBrand], brand: Option<&CardBrand>) -> bool {
    brand.is_some_and(|brand| brands.contains(brand))
}

#[cfg(test)]
mod tests {
    use gateway_platform::links::{FeePayer, PAYMENT_TYPES};
    use ledger_domain::fees::{FeeTable, PixFee, PlanKind};
    use ledger_domain::sale::Solution;
    use ledger_domain::{PlanId, Rate};
    use uuid::Uuid;

    use super::*;

    const AMOUNT: Cents = Cents::new(100_00);

    fn checked(payment_type: PaymentType) -> Result<()> {
        let zero = || Rate::parse("0").expect("a rate");
        let terms = PlanTerms {
            plan_id: PlanId::from_uuid(Uuid::from_u128(1)),
            name: "Links".to_owned(),
            version: 1,
            solution: Solution::PaymentLink,
            kind: PlanKind::Effective {
                fees: FeeTable::new(vec![]).expect("a table"),
            },
            percentage_rate: zero(),
            flat_rate: Cents::ZERO,
            settlement_days: 2,
            boleto_fee: Cents::new(2_49),
            pix_fee: PixFee::Percent(zero()),
        };
        let fields = LinkFields {
            description: "Bolo".to_owned(),
            amount: Some(AMOUNT),
            amount_min: None,
            amount_max: None,
            payment_types: PAYMENT_TYPES.to_vec(),
            installments_max: 3,
            payer: FeePayer::Seller,
            expires_on: None,
            use_limit: None,
            active: true,
        };
        let choice = Choice {
            payment_type,
            total: AMOUNT,
            card: None,
        };
        check_price(Some(&terms), &fields, AMOUNT, &choice)
    }

    #[test]
    fn a_choice_of_credit_or_debit_without_card_data_has_no_price() {
        let not_offered = || Err(Problem::field("payment_type", NOT_OFFERED));
        assert_eq!(checked(PaymentType::Pix), Ok(()));
        assert_eq!(checked(PaymentType::Boleto), Ok(()));
        assert_eq!(checked(PaymentType::Credit), not_offered());
        assert_eq!(checked(PaymentType::Debit), not_offered());
    }
}
