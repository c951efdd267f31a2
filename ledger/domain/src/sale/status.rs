//! The statuses of a sale, and the status groups that filters offer.
//!
//! The business aggregate decides the transitions.

use crate::words;
use crate::words::ParseEnumError;

words! {
    pub enum SaleStatus {
        New = "new" => "Criado",
        Created = "created" => "Criado",
        /// Waits for the buyer to pay a boleto or a PIX.
        Pending = "pending" => "Pendente",
        Succeeded = "succeeded" => "Aprovado",
        Failed = "failed" => "Falha",
        /// Voided before the capture, or canceled after it.
        Canceled = "canceled" => "Cancelado",
        /// Refunded by the acquirer at the buyer's request.
        Refunded = "refunded" => "Estornado",
        /// Reversed by the acquirer.
        Reversed = "reversed" => "Estornado",
        Dispute = "dispute" => "Contestado",
        ChargedBack = "charged_back" => "Chargeback",
    }
}

impl SaleStatus {
    pub const fn group(self) -> Option<StatusGroup> {
        match self {
            Self::Succeeded => Some(StatusGroup::Succeeded),
            Self::Reversed | Self::Refunded => Some(StatusGroup::Reversed),
            Self::Dispute | Self::ChargedBack => Some(StatusGroup::Dispute),
            Self::Canceled => Some(StatusGroup::Canceled),
            Self::New | Self::Created | Self::Pending | Self::Failed => None,
        }
    }
}

words! {
    pub enum StatusGroup {
        Succeeded = "succeeded" => "Aprovado",
        Reversed = "reversed" => "Estornado",
        Dispute = "dispute" => "Contestado",
        Canceled = "canceled" => "Cancelado",
    }
}

impl StatusGroup {
    pub const fn members(self) -> &'static [SaleStatus] {
        match self {
            Self::Succeeded => &[SaleStatus::Succeeded],
            Self::Reversed => &[SaleStatus::Reversed, SaleStatus::Refunded],
            Self::Dispute => &[SaleStatus::Dispute, SaleStatus::ChargedBack],
            Self::Canceled => &[SaleStatus::Canceled],
        }
    }

    /// The statuses of a filter value: the members of a group, or one status. A word that names both is the group.
    pub fn statuses_named(word: &str) -> Result<Vec<SaleStatus>, ParseEnumError> {
        match Self::parse(word) {
            Ok(group) => Ok(group.members().to_vec()),
            Err(_) => SaleStatus::parse(word).map(|status| vec![status]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_spelled_as_specified() {
        let words: Vec<_> = SaleStatus::ALL.iter().map(|status| status.as_str()).collect();
        assert_eq!(
            words,
            [
                "new",
                "created",
                "pending",
                "succeeded",
                "failed",
                "canceled",
                "refunded",
                "reversed",
                "dispute",
                "charged_back"
            ]
        );
        for status in SaleStatus::ALL {
            let json = serde_json::to_string(status).expect("statuses serialize");
            assert_eq!(json, format!("\"{status}\""));
            assert_eq!(
                serde_json::from_str::<SaleStatus>(&json).expect("statuses read back"),
                *status
            );
        }
        assert_eq!(
            "paid".parse::<SaleStatus>().map_err(|error| error.enum_name),
            Err("SaleStatus")
        );
    }

    #[test]
    fn a_group_has_the_statuses_whose_group_it_is() {
        for group in StatusGroup::ALL {
            let named: Vec<_> = SaleStatus::ALL
                .iter()
                .copied()
                .filter(|status| status.group() == Some(*group))
                .collect();
            let mut members = group.members().to_vec();
            members.sort();
            assert_eq!(members, named, "{group}");
        }
    }

    #[test]
    fn a_filter_accepts_a_group_or_a_status() {
        let reversed = [SaleStatus::Reversed, SaleStatus::Refunded];
        assert_eq!(
            StatusGroup::statuses_named("reversed").as_deref(),
            Ok(reversed.as_slice())
        );
        assert_eq!(
            StatusGroup::statuses_named("refunded"),
            Ok(vec![SaleStatus::Refunded])
        );
        assert_eq!(
            StatusGroup::statuses_named("pending"),
            Ok(vec![SaleStatus::Pending])
        );
        assert!(StatusGroup::statuses_named("Aprovado").is_err());
    }
}
