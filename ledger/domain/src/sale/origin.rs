//! Where a sale comes from: its acquirer, and how it is made.

use crate::numbers;

numbers! {
    /// An acquirer or payment provider.
    pub enum Provider {
        Zoop = 1, "zoop" => "Zoop",
        Iugu = 2, "iugu" => "Iugu",
        ZoopV2 = 3, "zoop_v2" => "Zoop V2",
        Valori = 4, "valori" => "Valori",
        Entrepay = 5, "entrepay" => "Entrepay",
        Barte = 6, "barte" => "Barte",
        Ceopag = 7, "ceopag" => "CeoPag",
        CeopagP2 = 8, "ceopag_p2" => "CeoPag P2",
    }
}

impl Provider {
    /// The label for a stored number, which may be unknown.
    pub fn label_of(number: Option<u8>) -> String {
        match number.map(|number| (number, Self::from_number(number))) {
            None => "N/A".to_owned(),
            Some((_, Ok(provider))) => provider.label().to_owned(),
            Some((number, Err(_))) => format!("#{number}"),
        }
    }
}

numbers! {
    /// How a sale is made. Each solution has its own plans.
    pub enum Solution {
        CardMachine = 1, "machine_card" => "Maquininha",
        Ecommerce = 2, "ecommerce" => "E-commerce",
        InfoProduct = 3, "info_product" => "Info Produto",
        PaymentLink = 4, "payment_link" => "Link de pagamento",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_and_solutions_are_numbers_in_json() {
        let numbers = |json: Result<String, serde_json::Error>| json.expect("enums serialize");
        assert_eq!(numbers(serde_json::to_string(Provider::ALL)), "[1,2,3,4,5,6,7,8]");
        assert_eq!(numbers(serde_json::to_string(Solution::ALL)), "[1,2,3,4]");
        assert_eq!(
            serde_json::from_str::<Provider>("8").expect("a number"),
            Provider::CeopagP2
        );
        assert!(serde_json::from_str::<Provider>("9").is_err());
        assert!(serde_json::from_str::<Solution>("0").is_err());
    }

    #[test]
    fn each_reads_back_from_its_slug_and_its_number() {
        for provider in Provider::ALL {
            assert_eq!(Provider::from_slug(provider.slug()), Ok(*provider));
            assert_eq!(provider.number().to_string().parse(), Ok(*provider));
        }
        for solution in Solution::ALL {
            assert_eq!(solution.to_string().parse(), Ok(*solution));
        }
        assert!(Provider::from_slug("ZOOP").is_err());
        assert!(Solution::parse("5").is_err());
    }

    #[test]
    fn an_unknown_provider_is_shown_as_its_number() {
        assert_eq!(Provider::label_of(Some(1)), "Zoop");
        assert_eq!(Provider::label_of(Some(3)), "Zoop V2");
        assert_eq!(Provider::label_of(Some(42)), "#42");
        assert_eq!(Provider::label_of(None), "N/A");
    }
}
