//! Charges an attempt. Its sale is recorded in the ledger first, then the acquirer is called.

use gateway_acquirers::charge::{Buyer, BuyerAddress, ChargeAnswer, ChargeOrder, PaymentMethod};
use ledger_domain::business::{BusinessCommand, CreateSale, SaleContext};
use ledger_domain::documents::Document;
use ledger_domain::sale::{PaymentNames, PaymentType, SaleFacts, Solution};
use ledger_store::{Actor, Job, Metadata, Outcome, Submission};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::Orders;
use super::attempt::Attempt;
use crate::error::Result;

/// The longest text on a card statement, as in the check of the column `business.statement_descriptor`.
const DESCRIPTOR_CHARACTERS_MAX: usize = 22;

/// The result of recording an attempt's sale in the ledger, which must precede its charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SaleCreation {
    /// The ledger has the sale: created now, or by an earlier try.
    Created,
    /// The ledger did not create the sale. The log line has the reason.
    NotCreated,
    /// The ledger gave no answer. The attempt is tried again.
    Unavailable,
}

/// The data of a charge that are not in the attempt's own row.
pub(super) struct ChargeDetails {
    pub link_code: String,
    description: String,
    reference: String,
    panel_url: String,
    statement_descriptor: String,
    buyer: Result<Buyer, NotChargeable>,
}

/// Why the attempt's acquirer is not asked to charge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotChargeable {
    BuyerErased,
    /// A newer version of the program may be able to read the buyer's document.
    BuyerUnreadable,
    AcquirerNotConfigured,
    /// Debit cannot be charged online.
    NoDebit,
    /// A fault of the program: every attempt by card is stored with its token.
    NoCardToken,
    /// A fault of the program: every attempt by boleto is stored with its due date.
    NoDueDate,
}

impl NotChargeable {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::BuyerErased => "buyer_erased",
            Self::BuyerUnreadable => "buyer_unreadable",
            Self::AcquirerNotConfigured => "acquirer_not_configured",
            Self::NoDebit => "no_debit",
            Self::NoCardToken => "no_card_token",
            Self::NoDueDate => "no_due_date",
        }
    }
}

impl ChargeDetails {
    pub(super) async fn fetch(client: &impl GenericClient, attempt: &Attempt) -> Result<Self> {
        let row = client
            .query_typed_one(
                "SELECT l.code, o.description, o.reference, o.panel_url,
                        coalesce(b.statement_descriptor, b.trade_name, b.name) AS descriptor, p.*
                   FROM link_order o
                   JOIN payment_link l ON l.id = o.link_id
                   JOIN business b ON b.id = o.business_id
                   JOIN order_buyer p ON p.order_id = o.id
                  WHERE o.id = $1",
                &[(&attempt.order_id, Type::UUID)],
            )
            .await?;
        Ok(Self {
            link_code: row.get("code"),
            description: row.get("description"),
            reference: row.get("reference"),
            panel_url: row.get("panel_url"),
            statement_descriptor: descriptor(row.get("descriptor")),
            buyer: buyer(&row),
        })
    }
}

/// The buyer of an order. `None` if it is erased, or cannot be read.
pub async fn order_buyer(client: &impl GenericClient, order_id: Uuid) -> Result<Option<Buyer>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT * FROM order_buyer WHERE order_id = $1",
            &[(&order_id, Type::UUID)],
        )
        .await?;
    Ok(row.and_then(|row| buyer(&row).ok()))
}

fn buyer(row: &Row) -> Result<Buyer, NotChargeable> {
    let street: Option<String> = row.get("street");
    let address = street.and_then(|street| {
        Some(BuyerAddress {
            street,
            postal_code: row.get::<_, Option<String>>("postal_code")?,
            number: row.get::<_, Option<String>>("number")?,
            complement: row.get("complement"),
            district: row.get::<_, Option<String>>("district")?,
            city: row.get::<_, Option<String>>("city")?,
            state: row.get::<_, Option<String>>("state")?,
        })
    });
    let text = |column: &str| {
        row.get::<_, Option<String>>(column)
            .ok_or(NotChargeable::BuyerErased)
    };
    let document = Document::parse(&text("document")?).map_err(|_| NotChargeable::BuyerUnreadable)?;
    Ok(Buyer {
        name: text("name")?,
        document,
        email: text("email")?,
        phone: text("phone")?,
        address,
    })
}

/// Card statements have letters without accents, digits and single spaces. The text is empty for a name without Latin
/// letters and digits.
fn descriptor(name: &str) -> String {
    let plain = name.chars().map(without_accent);
    let kept: String = plain
        .filter(|character| character.is_ascii_alphanumeric() || character.is_whitespace())
        .collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    let text: String = words.join(" ").chars().take(DESCRIPTOR_CHARACTERS_MAX).collect();
    text.trim_end().to_owned()
}

const fn without_accent(character: char) -> char {
    match character {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'Á' | 'À' | 'Â' | 'Ã' | 'Ä' => 'A',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'É' | 'È' | 'Ê' | 'Ë' => 'E',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'Í' | 'Ì' | 'Î' | 'Ï' => 'I',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'Ó' | 'Ò' | 'Ô' | 'Õ' | 'Ö' => 'O',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'Ú' | 'Ù' | 'Û' | 'Ü' => 'U',
        'ç' => 'c',
        'Ç' => 'C',
        other => other,
    }
}

impl Orders {
    /// Records the sale in the ledger before an acquirer is called. A repeat records nothing.
    pub(super) async fn create_sale(&self, attempt: &Attempt, details: &ChargeDetails) -> SaleCreation {
        let command = BusinessCommand::CreateSale(CreateSale {
            sale: SaleFacts {
                sale_id: attempt.sale_id,
                provider: attempt.provider,
                // The acquirer's id is not known yet. The attempt stores it later.
                external_id: attempt.sale_id.to_string(),
                solution: Solution::PaymentLink,
                payment_type: attempt.payment_type,
                card_brand: attempt.card_brand.clone(),
                installments: attempt.installments,
                amount: attempt.total,
                terminal: None,
                payment_link_code: Some(details.link_code.clone()),
                card_last_four: attempt.card_last_four.clone(),
                authorization_code: None,
                names: PaymentNames::default(),
            },
            occurred_at: attempt.ordered_at,
            // The writer puts the reference data here before it decides.
            context: SaleContext::unknown(attempt.business_id, attempt.ordered_at),
        });
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: attempt.business_id,
            command,
            metadata: Metadata {
                cause: Some(details.reference.clone()),
                ..Metadata::by(Actor::Job(Job::Checkout))
            },
            // The sale's id prevents a second recording.
            idempotency: None,
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(_) | Outcome::Duplicate { .. } => SaleCreation::Created,
            Outcome::NotOwner | Outcome::Unknown => SaleCreation::Unavailable,
            outcome @ (Outcome::Refused(_)
            | Outcome::Rejected
            | Outcome::BelongsToOther(_)
            | Outcome::KeyReused) => {
                tracing::error!(
                    code = "sale_not_created", sale_id = %attempt.sale_id, business_id = %attempt.business_id,
                    ?outcome, "the ledger did not create the sale of an order"
                );
                SaleCreation::NotCreated
            }
        }
    }

    /// Asks the attempt's acquirer to charge it.
    pub(super) async fn charge(
        &self,
        attempt: &Attempt,
        details: ChargeDetails,
    ) -> Result<ChargeAnswer, NotChargeable> {
        let acquirer = self.acquirers.of(attempt.provider);
        let acquirer = acquirer.ok_or(NotChargeable::AcquirerNotConfigured)?;
        let payment_method = match attempt.payment_type {
            PaymentType::Credit => PaymentMethod::Card {
                token: attempt.card_token.clone().ok_or(NotChargeable::NoCardToken)?,
                installments: attempt.installments,
                return_url: format!("{}/transacao/{}/status", details.panel_url, details.reference),
            },
            PaymentType::Pix => PaymentMethod::Pix {
                expires_at: attempt.expires_at,
            },
            PaymentType::Boleto => PaymentMethod::Boleto {
                due_on: attempt.due_on.ok_or(NotChargeable::NoDueDate)?,
            },
            PaymentType::Debit => return Err(NotChargeable::NoDebit),
        };
        let order = ChargeOrder {
            sale_id: attempt.sale_id,
            amount: attempt.total,
            description: details.description,
            statement_descriptor: details.statement_descriptor,
            buyer: details.buyer?,
            payment_method,
            notice_url: self.acquirers.notice_url(attempt.provider),
        };
        Ok(acquirer.charge(&order).await)
    }
}

#[cfg(test)]
mod tests {
    use super::descriptor;

    #[test]
    fn a_statement_has_plain_letters_and_single_spaces() {
        assert_eq!(descriptor("Padaria São João & Cia."), "Padaria Sao Joao Cia");
        assert_eq!(descriptor(&"a".repeat(40)).len(), 22);
    }

    #[test]
    fn a_name_without_latin_letters_has_no_statement_text() {
        assert_eq!(descriptor("日本"), "");
    }
}
