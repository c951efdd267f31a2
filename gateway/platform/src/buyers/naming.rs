//! Whether a text names a buyer. A reason that stays in the ledger or in the audit log must not, because it cannot be
//! erased.

use ledger_domain::SaleId;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::erase::{BuyerKey, buyer_orders, buyer_texts};

/// Shorter words of a name, such as "de", are in many texts that do not name the buyer.
const NAMING_CHARACTERS_MIN: usize = 4;

/// Whether the text contains data of the buyer of a sale.
pub async fn names_buyer_of_sale(
    client: &impl GenericClient,
    sale_id: SaleId,
    text: &str,
) -> Result<bool, Error> {
    let orders = buyer_orders(client, &BuyerKey::Sale(sale_id)).await?;
    let ids: Vec<Uuid> = orders.iter().map(|order| order.id).collect();
    names_buyer_of(client, &ids, text).await
}

/// Whether the text contains data of the buyers of these orders.
pub(super) async fn names_buyer_of(
    client: &impl GenericClient,
    orders: &[Uuid],
    text: &str,
) -> Result<bool, Error> {
    Ok(!orders.is_empty() && names_buyer(text, &buyer_texts(client, orders).await?))
}

/// Whether the text contains one of the buyer's data: numbers with or without masks, names in any case, or a word of
/// the name with at least `NAMING_CHARACTERS_MIN` letters.
fn names_buyer(text: &str, data: &[String]) -> bool {
    let bare = |text: &str| -> String {
        text.to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect()
    };
    let (words, all) = (words_of(text), bare(text));
    // A short datum, such as the name "Ana", must be whole words: its letters are in "semana" too.
    let between_spaces = |words: &[String]| format!(" {} ", words.join(" "));
    let holds = |datum: &str| {
        let bare_datum = bare(datum);
        if bare_datum.chars().count() < NAMING_CHARACTERS_MIN {
            between_spaces(&words).contains(&between_spaces(&words_of(datum)))
        } else {
            all.contains(&bare_datum)
        }
    };
    data.iter().any(|datum| {
        let is_name = datum
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’' | '-' | '.'));
        let mut named = words_of(datum);
        named.retain(|word| word.chars().count() >= NAMING_CHARACTERS_MIN);
        holds(datum) || is_name && named.iter().any(|word| words.contains(word))
    })
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.to_lowercase();
    words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_must_not_name_the_buyer() {
        let data = [
            "Marina de Souza",
            "52998224725",
            "marina@exemplo.example",
            "11987654321",
        ]
        .map(str::to_owned);
        for reason in [
            "Pedido da Marina",
            "CPF 529.982.247-25",
            "Escreveu de MARINA@exemplo.example",
            "Ligou do (11) 98765-4321",
            "pedido de souza",
        ] {
            assert!(names_buyer(reason, &data), "{reason}");
        }
        for reason in [
            "Pedido do titular, protocolo 118",
            "Compra de terceiros",
            "Submarina",
        ] {
            assert!(!names_buyer(reason, &data), "{reason}");
        }
    }

    #[test]
    fn a_short_name_is_found_only_as_a_whole_word() {
        let data = ["Ana".to_owned()];
        for reason in ["Pedido da Ana", "ANA, protocolo 118"] {
            assert!(names_buyer(reason, &data), "{reason}");
        }
        assert!(!names_buyer("Pedido da semana passada", &data));
    }
}
