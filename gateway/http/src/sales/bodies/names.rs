//! The names of a payment outside of the platform.

use ledger_domain::sale::{self, PaymentName};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::schemas::Word;

pub type FraudLiability = Word<sale::FraudLiability>;

/// The names by which a bank, an acquirer or a buyer asks about a payment or a refund, as the acquirer reported them. A
/// name that it did not report is null.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentNames {
    /// PIX: the central bank's id of the payment, or of its return.
    #[schema(required = true, example = "E60746948202611231403A1b2C3d4E5f")]
    pub end_to_end_id: Option<String>,
    /// PIX: the receiver's id of the charge.
    #[schema(required = true, example = json!(null))]
    pub txid: Option<String>,
    /// Cards: the number of the transaction at the terminal or the acquirer.
    #[schema(required = true, example = json!(null))]
    pub nsu: Option<String>,
    /// Cards: the acquirer's id of the transaction.
    #[schema(required = true, example = json!(null))]
    pub tid: Option<String>,
    /// The acquirer's id of the charge, if `external_id` is the platform's.
    #[schema(required = true, example = json!(null))]
    pub acquirer_id: Option<String>,
    /// Boletos: the bank's number of the boleto (nosso número).
    #[schema(required = true, example = json!(null))]
    pub our_number: Option<String>,
    /// Cards: the result of the buyer's authentication.
    #[schema(required = true)]
    pub three_d_secure: Option<ThreeDSecure>,
}

/// The result of a 3-D Secure authentication. What the acquirer did not report is null.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreeDSecure {
    /// The version of the protocol.
    #[schema(required = true, example = "2.2.0")]
    pub version: Option<String>,
    /// The electronic commerce indicator. Its meaning depends on the brand.
    #[schema(required = true, example = "05")]
    pub eci: Option<String>,
    /// Who bears the loss if the buyer disputes the payment as fraud.
    #[schema(required = true)]
    pub liability: Option<FraudLiability>,
}

impl From<&sale::PaymentNames> for PaymentNames {
    fn from(names: &sale::PaymentNames) -> Self {
        let text = |name: &Option<PaymentName>| name.as_ref().map(PaymentName::to_string);
        Self {
            end_to_end_id: text(&names.end_to_end_id),
            txid: text(&names.txid),
            nsu: text(&names.nsu),
            tid: text(&names.tid),
            acquirer_id: text(&names.acquirer_id),
            our_number: text(&names.our_number),
            three_d_secure: names.three_d_secure.as_deref().map(|result| ThreeDSecure {
                version: text(&result.version),
                eci: text(&result.eci),
                liability: result.liability.map(Word),
            }),
        }
    }
}
