//! The story's buyers of payment links. They are invented; their documents have valid check digits.

use gateway_acquirers::charge::{Buyer, BuyerAddress};
use ledger_domain::documents::Document;

use super::rng::DemoRng;

const FIRST_NAMES: [&str; 12] = [
    "Ana", "Bruno", "Carla", "Diego", "Elaine", "Fábio", "Gabriela", "Heitor", "Isabela", "João", "Larissa",
    "Marcos",
];
const LAST_NAMES: [&str; 12] = [
    "Almeida", "Barbosa", "Cardoso", "Dias", "Esteves", "Ferreira", "Gomes", "Lima", "Moreira", "Nunes",
    "Ramos", "Teixeira",
];

/// Postal code, street, district, city and state.
const ADDRESSES: [[&str; 5]; 4] = [
    ["01310100", "Avenida Paulista", "Bela Vista", "São Paulo", "SP"],
    [
        "30130010",
        "Avenida Afonso Pena",
        "Centro",
        "Belo Horizonte",
        "MG",
    ],
    ["20040002", "Avenida Rio Branco", "Centro", "Rio de Janeiro", "RJ"],
    ["80020310", "Rua XV de Novembro", "Centro", "Curitiba", "PR"],
];

/// The buyer of the order with this name. Only boletos need an address.
pub(super) fn buyer_of(order: &str, with_address: bool) -> Buyer {
    let mut rng = DemoRng::seeded_by(&format!("{order}/buyer"));
    let (first, last) = (*rng.one_of(&FIRST_NAMES), *rng.one_of(&LAST_NAMES));
    let number = rng.between(1, 99);
    let plain = |name: &str| name.to_lowercase().replace(['á', 'ã'], "a");
    let phone = format!("119{:08}", rng.below(100_000_000));
    let document = cpf(&format!("{:09}", rng.between(100_000_000, 899_999_999)));
    let [postal_code, street, district, city, state] = rng.one_of(&ADDRESSES).map(str::to_owned);
    let address = with_address.then(|| BuyerAddress {
        postal_code,
        street,
        number: rng.between(10, 1_999).to_string(),
        complement: None,
        district,
        city,
        state,
    });
    Buyer {
        name: format!("{first} {last}"),
        document,
        email: format!("{}.{}{number}@exemplo.com.br", plain(first), plain(last)),
        phone,
        address,
    }
}

/// The CPF with these first nine digits.
fn cpf(digits: &str) -> Document {
    let mut candidates = (0..100).filter_map(|check| Document::parse(&format!("{digits}{check:02}")).ok());
    candidates
        .next()
        .expect("one of the hundred endings is the check digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buyer_is_the_same_every_time_and_has_an_address_only_on_request() {
        let (buyer, again) = (buyer_of("a", true), buyer_of("a", true));
        assert!(buyer == again && buyer.address.is_some());
        assert!(buyer_of("a", false).address.is_none());
        assert!(buyer_of("b", true).email.ends_with("@exemplo.com.br"));
    }
}
