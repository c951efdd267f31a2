//! Card brands, and which of a plan's fees a brand takes.
//!
//! An unknown brand is kept, trimmed and in lower case, because a capture is a fact.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::words::ParseEnumError;
use crate::{text_form, words};

words! {
    /// visamaster: Visa and Mastercard, with Visa Electron and Maestro. others: every other brand.
    pub enum BrandGroup {
        Visamaster = "visamaster",
        Others = "others",
    }
}

/// The name of an unknown brand: lower case, 1 to 20 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrandName(String);

impl BrandName {
    pub const CHARACTERS_MAX: usize = 20;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! brands {
    ($($variant:ident = $word:literal $(| $alias:literal)* => $label:literal,)+) => {
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CardBrand {
            $($variant,)+
            Unknown(BrandName),
        }

        impl CardBrand {
            /// The known brands, in alphabetical order of their codes.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown(name) => name.as_str(),
                }
            }

            /// The name for screens and spreadsheets.
            pub fn label(&self) -> &str {
                match self {
                    $(Self::$variant => $label,)+
                    Self::Unknown(name) => name.as_str(),
                }
            }

            fn known(lower_case: &str) -> Option<Self> {
                match lower_case {
                    $($word $(| $alias)* => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

brands! {
    Alelo = "alelo" => "Alelo",
    Amex = "amex" | "american express" | "americanexpress" | "american_express" => "Amex",
    Aura = "aura" => "Aura",
    Banes = "banes" => "Banescard",
    Banese = "banese" => "Banese Card",
    Boleto = "boleto" => "Boleto",
    Cabal = "cabal" => "Cabal",
    Credtodos = "credtodos" => "Credtodos",
    Diners = "diners" | "diners club" | "dinersclub" | "diners_club" => "Diners Club",
    Discover = "discover" => "Discover",
    Elo = "elo" => "Elo",
    Goodcard = "goodcard" => "GoodCard",
    Hiper = "hiper" => "Hiper",
    Hipercard = "hipercard" => "Hipercard",
    Jcb = "jcb" => "JCB",
    Maestro = "maestro" => "Maestro",
    Mastercard = "mastercard" | "master" | "master card" => "Mastercard",
    Visa = "visa" => "Visa",
    VisaElectron = "visaelectron" | "visa-electron" => "Visa Electron",
    Vr = "vr" => "VR",
}

impl CardBrand {
    /// The brands that plans have fees for: Visa and Mastercard, then the others, in the specification's order.
    pub const IN_PLANS: &'static [Self] = &[
        Self::Visa,
        Self::Mastercard,
        Self::Elo,
        Self::Amex,
        Self::Diners,
        Self::Hipercard,
        Self::Hiper,
        Self::Discover,
        Self::Aura,
        Self::Banes,
        Self::Jcb,
        Self::Cabal,
        Self::Credtodos,
        Self::Goodcard,
    ];

    /// Ignores case and surrounding spaces. An error if an unknown brand is empty, too long or has a control character.
    pub fn parse(text: &str) -> Result<Self, ParseEnumError> {
        let name = text.trim().to_lowercase();
        if let Some(known) = Self::known(&name) {
            return Ok(known);
        }
        let fits = (1..=BrandName::CHARACTERS_MAX).contains(&name.chars().count());
        if fits && !name.chars().any(char::is_control) {
            Ok(Self::Unknown(BrandName(name)))
        } else {
            Err(ParseEnumError {
                enum_name: "card brand",
                value: text.to_owned(),
            })
        }
    }

    /// The brand in plans whose fee applies. `None` if plans do not list it: it is then priced in the group of all
    /// brands but Visa and Mastercard, under an effective plan at the group's highest fee.
    pub const fn priced_as(&self) -> Option<&Self> {
        match self {
            Self::VisaElectron => Some(&Self::Visa),
            Self::Maestro => Some(&Self::Mastercard),
            // Our decision: the specification lists banes and banese as brands, but gives plans a fee for banes only.
            Self::Banese => Some(&Self::Banes),
            Self::Visa
            | Self::Mastercard
            | Self::Elo
            | Self::Amex
            | Self::Diners
            | Self::Hipercard
            | Self::Hiper
            | Self::Discover
            | Self::Aura
            | Self::Banes
            | Self::Jcb
            | Self::Cabal
            | Self::Credtodos
            | Self::Goodcard => Some(self),
            Self::Alelo | Self::Boleto | Self::Vr | Self::Unknown(_) => None,
        }
    }

    pub const fn brand_group(&self) -> BrandGroup {
        match self.priced_as() {
            Some(Self::Visa | Self::Mastercard) => BrandGroup::Visamaster,
            _ => BrandGroup::Others,
        }
    }
}

text_form!(CardBrand);

impl Serialize for CardBrand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CardBrand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&<Cow<'de, str>>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brand(text: &str) -> CardBrand {
        CardBrand::parse(text).expect("a brand")
    }

    #[test]
    fn every_brand_of_the_specification_is_known() {
        let listed = "alelo amex aura banese boleto cabal diners discover elo goodcard hiper hipercard jcb maestro \
                      mastercard visa visaelectron vr banes credtodos";
        let mut listed: Vec<_> = listed.split_whitespace().map(brand).collect();
        listed.sort();
        assert_eq!(listed, CardBrand::KNOWN);
        assert_eq!(brand("visa-electron"), CardBrand::VisaElectron);
        assert_eq!(brand(" VISA "), CardBrand::Visa);
    }

    #[test]
    fn an_unknown_brand_is_kept_in_lower_case() {
        let sorocred = brand("Sorocred");
        assert_eq!(sorocred.as_str(), "sorocred");
        let json = serde_json::to_string(&sorocred).expect("brands serialize");
        assert_eq!(json, r#""sorocred""#);
        assert_eq!(
            serde_json::from_str::<CardBrand>(&json).expect("brands read back"),
            sorocred
        );
    }

    #[test]
    fn an_invalid_brand_is_refused() {
        for text in ["", "  ", "vi\0sa", &"v".repeat(21)] {
            assert!(CardBrand::parse(text).is_err(), "{text:?}");
        }
        assert!(CardBrand::parse(&"ç".repeat(20)).is_ok());
    }

    #[test]
    fn a_brand_takes_the_fees_of_its_group() {
        for main in ["visa", "mastercard", "visaelectron", "maestro"] {
            assert_eq!(brand(main).brand_group(), BrandGroup::Visamaster, "{main}");
        }
        for other in ["elo", "amex", "hiper", "goodcard", "alelo", "sorocred", "banese"] {
            assert_eq!(brand(other).brand_group(), BrandGroup::Others, "{other}");
        }
    }

    #[test]
    fn every_known_brand_is_priced_as_a_brand_of_plans_or_has_none() {
        for brand in CardBrand::IN_PLANS {
            assert_eq!(brand.priced_as(), Some(brand));
        }
        for brand in CardBrand::KNOWN {
            let listed = brand
                .priced_as()
                .is_none_or(|priced_as| CardBrand::IN_PLANS.contains(priced_as));
            assert!(listed, "{brand}");
        }
        assert_eq!(brand("visa-electron").priced_as(), Some(&CardBrand::Visa));
        assert_eq!(brand("maestro").priced_as(), Some(&CardBrand::Mastercard));
        assert_eq!(brand("sorocred").priced_as(), None);
    }

    proptest! {
        #[test]
        fn a_brand_reads_back_as_itself(text in "\\PC{0,24}") {
            if let Ok(brand) = CardBrand::parse(&text) {
                prop_assert_eq!(CardBrand::parse(brand.as_str()), Ok(brand));
            }
        }
    }
}
