//! Payment links: their records, their status, a buyer's choices, and how often they were opened and used. `form` and
//! `edit` have the rules of changes.

mod edit;
mod figures;
mod form;
mod list;
mod offer;
mod prices;
mod records;
mod refusal;
mod uses;

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;
use ledger_domain::{Cents, PaymentLinkId};

pub use edit::{LinkEditor, PAYMENT_LINK, SOLUTION, create, update};
pub use figures::{LinkFigures, link_figures, link_opening_add, link_opening_counts, link_order_count};
pub use form::{DESCRIPTION_CHARACTERS_MAX, LinkForm, USE_LIMIT_MAX};
pub use list::{LinkCursor, LinkFilter, LinkSort, links_batch, links_list};
pub use offer::{CardOffer, InstallmentOffer, LinkOffer, credit_installments_max, offer_of};
pub use records::{LinkSeller, NewLink, company_approval_locked, link_by_code, link_create, link_fetch};
pub use refusal::{LinkError, LinkRefusal, field_label};
pub use uses::{link_use_release, link_use_take};

use crate::companies::{Approval, NamedCompany};

/// The payment types that a link can have, in the order of screens.
pub const PAYMENT_TYPES: [PaymentType; 3] = [PaymentType::Credit, PaymentType::Pix, PaymentType::Boleto];

ledger_domain::words! {
    /// The party that pays the fees. With buyer, the seller receives at least the amount.
    pub enum FeePayer {
        Seller = "seller" => "Vendedor",
        Buyer = "buyer" => "Comprador",
    }
}

/// The fields that a user sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFields {
    pub description: String,
    /// `None`: the buyer chooses it, within the bounds.
    pub amount: Option<Cents>,
    pub amount_min: Option<Cents>,
    pub amount_max: Option<Cents>,
    /// In the order of `PAYMENT_TYPES`, each at most once.
    pub payment_types: Vec<PaymentType>,
    /// 1 if the link takes no cards.
    pub installments_max: u8,
    pub payer: FeePayer,
    /// The last day in Brasília on which it can be paid. `None`: it does not expire.
    pub expires_on: Option<Date>,
    /// The orders that can hold a use at a time. `None`: any number.
    pub use_limit: Option<i32>,
    pub active: bool,
}

impl LinkFields {
    /// Whether the fields that a price depends on are the same.
    pub fn is_priced_like(&self, other: &Self) -> bool {
        let priced = |fields: &Self| {
            let amounts = (fields.amount, fields.amount_min, fields.amount_max);
            (amounts, fields.installments_max, fields.payer)
        };
        priced(self) == priced(other) && self.payment_types == other.payment_types
    }

    /// The fixed amount, or the one that the buyer chose within the bounds. `None` if the buyer still has to choose.
    pub fn amount_to_pay(&self, chosen: Option<Cents>) -> Result<Option<Cents>, LinkRefusal> {
        let Some(chosen) = chosen else {
            return Ok(self.amount);
        };
        if let Some(fixed) = self.amount.filter(|fixed| *fixed != chosen) {
            let message = format!("O valor deste link é {fixed}.");
            return Err(LinkRefusal::of_field("amount", &message));
        }
        let least = self.amount_min.unwrap_or(Cents::AMOUNT_MIN);
        let most = self.amount_max.unwrap_or(Cents::AMOUNT_MAX);
        if (least..=most).contains(&chosen) {
            Ok(Some(chosen))
        } else {
            let message = format!("O valor deve ser de {least} a {most}.");
            Err(LinkRefusal::of_field("amount", &message))
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentLink {
    pub id: PaymentLinkId,
    pub company: NamedCompany,
    pub code: String,
    pub fields: LinkFields,
    /// The orders that hold a use.
    pub uses: i32,
    /// Counts the changes by users.
    pub version: i32,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

ledger_domain::words! {
    /// inactive: it is switched off. expired: its last day has passed. exhausted: all uses are taken.
    pub enum LinkStatus {
        Active = "active" => "Ativo",
        Inactive = "inactive" => "Inativo",
        Expired = "expired" => "Expirado",
        Exhausted = "exhausted" => "Esgotado",
    }
}

impl PaymentLink {
    /// The status on a business date. A user's decision to deactivate it comes first, then its last day, then its uses.
    pub fn status(&self, today: Date) -> LinkStatus {
        let LinkFields {
            active,
            expires_on,
            use_limit,
            ..
        } = self.fields;
        if !active {
            LinkStatus::Inactive
        } else if expires_on.is_some_and(|last| last < today) {
            LinkStatus::Expired
        } else if use_limit.is_some_and(|limit| self.uses >= limit) {
            LinkStatus::Exhausted
        } else {
            LinkStatus::Active
        }
    }

    /// The same for buyers, who do not learn why a company cannot sell.
    pub fn status_for_buyers(&self, seller: &LinkSeller, today: Date) -> LinkStatus {
        match seller.approval {
            Approval::Enabled => self.status(today),
            Approval::Pending | Approval::Denied | Approval::Deleted => LinkStatus::Inactive,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use chrono::NaiveDate;
    use ledger_domain::BusinessId;
    use uuid::Uuid;

    use super::*;

    pub fn link() -> PaymentLink {
        PaymentLink {
            id: PaymentLinkId::from_uuid(Uuid::from_u128(1)),
            company: NamedCompany {
                id: BusinessId::from_uuid(Uuid::from_u128(2)),
                name: "Padaria".to_owned(),
                document: "11222333000181".to_owned(),
            },
            code: "0123456789AB".to_owned(),
            fields: LinkFields {
                description: "Bolo".to_owned(),
                amount: Some(Cents::new(100_00)),
                amount_min: None,
                amount_max: None,
                payment_types: PAYMENT_TYPES.to_vec(),
                installments_max: 3,
                payer: FeePayer::Seller,
                expires_on: None,
                use_limit: None,
                active: true,
            },
            uses: 0,
            version: 1,
            created_at: DateTime::UNIX_EPOCH,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    fn day(day: u32) -> Date {
        NaiveDate::from_ymd_opt(2026, 11, day).expect("a date")
    }

    #[test]
    fn a_link_can_be_paid_on_its_last_day_and_until_its_uses_are_taken() {
        let mut link = link();
        link.fields.expires_on = Some(day(20));
        link.fields.use_limit = Some(2);
        link.uses = 1;
        assert_eq!(link.status(day(20)), LinkStatus::Active);
        assert_eq!(link.status(day(21)), LinkStatus::Expired);
        link.uses = 2;
        assert_eq!(link.status(day(20)), LinkStatus::Exhausted);
        assert_eq!(link.status(day(21)), LinkStatus::Expired);
        link.fields.active = false;
        assert_eq!(link.status(day(20)), LinkStatus::Inactive);
    }

    #[test]
    fn a_buyer_pays_the_fixed_amount_or_chooses_one_within_the_bounds() {
        let cents = |cents| Some(Cents::new(cents));
        let fixed = link().fields;
        assert_eq!(fixed.amount_to_pay(None), Ok(cents(100_00)));
        assert_eq!(fixed.amount_to_pay(cents(100_00)), Ok(cents(100_00)));
        assert!(fixed.amount_to_pay(cents(99_99)).is_err());
        let open = LinkFields {
            amount: None,
            amount_min: cents(10_00),
            ..fixed
        };
        assert_eq!(open.amount_to_pay(None), Ok(None));
        assert_eq!(open.amount_to_pay(cents(10_00)), Ok(cents(10_00)));
        assert!(open.amount_to_pay(cents(9_99)).is_err());
        assert!(open.amount_to_pay(cents(Cents::AMOUNT_MAX.get() + 1)).is_err());
    }
}
