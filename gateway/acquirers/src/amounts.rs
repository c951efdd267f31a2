//! Amounts as acquirers write them. Decimals are read and written exactly.

use ledger_domain::Cents;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Reads reais in whole cents, for example `543.21`, `1000` or `3.5`. `None` for any other text, such as `-1.00`.
pub fn cents(reais: &str) -> Option<Cents> {
    let (whole, fraction) = reais.split_once('.').unwrap_or((reais, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || fraction.len() > 2 {
        return None;
    }
    let reais: i64 = whole.parse().ok()?;
    let rest: i64 = format!("{fraction:0<2}").parse().ok()?;
    Some(Cents::new(reais.checked_mul(100)?.checked_add(rest)?))
}

/// Writes an amount that is not negative, for example `543.21`.
pub fn reais(amount: Cents) -> String {
    format!("{}.{:02}", amount.get() / 100, amount.get() % 100)
}

/// An amount in reais: a number or a string in JSON. Written as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reais(pub Cents);

impl Serialize for Reais {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = RawValue::from_string(reais(self.0)).map_err(S::Error::custom)?;
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Reais {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Box::<RawValue>::deserialize(deserializer)?;
        let text = written.get().trim_matches('"');
        cents(text)
            .map(Self)
            .ok_or_else(|| D::Error::custom("not an amount in reais"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reais_are_read_and_written_exactly() {
        for (text, amount) in [
            ("543.21", 543_21),
            ("60", 60_00),
            ("3.5", 3_50),
            ("0.03", 3),
            ("1000.000", 1000_00),
            ("90071992547409.93", 90_071_992_547_409_93),
        ] {
            assert_eq!(cents(text), Some(Cents::new(amount)), "{text}");
            let number: Reais = serde_json::from_str(text).expect("a number");
            assert_eq!(number, Reais(Cents::new(amount)));
            let string: Reais = serde_json::from_str(&format!("\"{text}\"")).expect("a string");
            assert_eq!(string, number);
        }
        assert_eq!(
            serde_json::to_string(&Reais(Cents::new(3))).expect("it serializes"),
            "0.03"
        );
    }

    #[test]
    fn only_whole_nonnegative_cents_are_accepted() {
        for text in [
            "",
            ".5",
            "-1.00",
            "1.005",
            "1,50",
            "1e3",
            "99999999999999999999",
            "R$ 1.00",
        ] {
            assert_eq!(cents(text), None, "{text}");
        }
    }
}
