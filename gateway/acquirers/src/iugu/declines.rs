//! Iugu's codes of declines (`LR`), in groups by what the buyer can do.

use crate::charge::Decline;

/// A code is written with or without leading zeros.
pub fn decline(code: Option<&str>) -> Decline {
    let upper = code.unwrap_or_default().trim().to_uppercase();
    let code = upper.trim_start_matches('0');
    match code {
        "51" | "61" | "70" | "DM" | "BL" | "N4" => Decline::InsufficientFunds,
        "54" => Decline::ExpiredCard,
        // Iugu lists 63 as wrong data. In ISO 8583 it is a security violation.
        "63" => Decline::SecurityCode,
        "12" | "14" | "15" | "30" | "56" | "AV" | "BM" | "C2" | "KA" | "U3" | "6P" => Decline::CardData,
        "22" | "23" | "24" | "EB" | "EE" => Decline::Installments,
        "1" => Decline::CallIssuer,
        "59" | "AF01" | "AF02" => Decline::Risk,
        "4" | "7" | "41" | "43" | "46" | "57" | "62" | "74" | "81" | "88" | "93" | "R0" | "R1" | "R2"
        | "R3" | "SC" | "IR" | "146" | "5C" => Decline::BlockedCard,
        "28" | "60" | "89" | "91" | "92" | "96" | "98" | "99" | "999" | "99A" | "99B" | "99C" | "99TA"
        | "99Z" | "AA" | "BP900" | "BP901" | "BP902" | "BP903" | "BP904" | "475" | "911" | "912" => {
            Decline::Temporary
        }
        _ => Decline::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_zeros_and_case_do_not_matter() {
        assert_eq!(decline(Some("04")), Decline::BlockedCard);
        assert_eq!(decline(Some("4")), Decline::BlockedCard);
        assert_eq!(decline(Some("99a")), Decline::Temporary);
        assert_eq!(decline(Some("05")), Decline::Other);
        assert_eq!(decline(None), Decline::Other);
    }
}
