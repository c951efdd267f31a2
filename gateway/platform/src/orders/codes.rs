//! Checks the PIX code or boleto of an acquirer's answer against the order, and the scheme of a challenge's address.
//! Buyers see only codes that agree with the order.

use gateway_acquirers::charge::NextAction;
use gateway_formats::agreement::{AnsweredBoleto, OrderedBoleto, check_boleto, check_pix};
use ledger_domain::SaleId;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use super::attempt::Attempt;

/// A code or an address with which the buyer can pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Pix {
        code: String,
        expires_at: Option<Instant>,
    },
    Boleto {
        line: String,
        barcode: String,
        /// With which the boleto can be paid too. Only a code that agrees with the order.
        pix: Option<String>,
        /// Why the acquirer's PIX code is not shown with the boleto.
        refused_pix: Option<Disagreement>,
    },
    Challenge {
        url: String,
    },
}

/// Why an answer must not be shown. `detail` repeats no code, so that it can be logged and shown to staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Disagreement {
    pub reason: &'static str,
    pub detail: String,
}

impl Shown {
    pub(super) fn of(attempt: &Attempt, answered: &NextAction) -> Result<Self, Disagreement> {
        let differs = |reason, detail: String| Disagreement { reason, detail };
        match answered {
            NextAction::Pix { code, expires_at } => {
                check_pix(code, attempt.total)
                    .map_err(|error| differs("pix_code_differs", error.to_string()))?;
                Ok(Self::Pix {
                    code: code.clone(),
                    expires_at: *expires_at,
                })
            }
            NextAction::Boleto {
                line, barcode, pix, ..
            } => {
                let due = attempt
                    .due_on
                    .ok_or_else(|| differs("boleto_differs", "no boleto was ordered".to_owned()))?;
                let answered = AnsweredBoleto {
                    line,
                    barcode: barcode.as_deref(),
                };
                let ordered = OrderedBoleto {
                    amount: attempt.total,
                    due,
                };
                let boleto = check_boleto(answered, ordered)
                    .map_err(|error| differs("boleto_differs", error.to_string()))?;
                let written = boleto.barcode().and_then(|barcode| Ok((boleto.line()?, barcode)));
                let (line, barcode) =
                    written.map_err(|error| differs("boleto_differs", error.to_string()))?;
                // The boleto can be paid without its PIX code.
                let (pix, refused_pix) = match pix.as_ref().map(|code| check_pix(code, attempt.total)) {
                    Some(Err(error)) => (None, Some(differs("boleto_pix_code_differs", error.to_string()))),
                    Some(Ok(_)) | None => (pix.clone(), None),
                };
                Ok(Self::Boleto {
                    // The digits alone, without dots and spaces.
                    line: line.as_str().to_owned(),
                    barcode: barcode.as_str().to_owned(),
                    pix,
                    refused_pix,
                })
            }
            NextAction::Challenge { url } if url.starts_with("https://") || url.starts_with("http://") => {
                Ok(Self::Challenge { url: url.clone() })
            }
            NextAction::Challenge { .. } => Err(differs(
                "challenge_differs",
                "the challenge's address is not an http or https URL".to_owned(),
            )),
        }
    }

    /// Why a part of the answer is not shown.
    pub(super) const fn refused_part(&self) -> Option<&Disagreement> {
        match self {
            Self::Boleto { refused_pix, .. } => refused_pix.as_ref(),
            Self::Pix { .. } | Self::Challenge { .. } => None,
        }
    }

    /// False if the same was stored before, or the attempt has ended.
    pub(super) async fn store(&self, client: &impl GenericClient, sale_id: SaleId) -> Result<bool, Error> {
        let (mut pix, mut line, mut barcode, mut challenge, mut expires_at) = (None, None, None, None, None);
        let mut boleto_pix = None;
        match self {
            Self::Pix { code, expires_at: at } => (pix, expires_at) = (Some(code), *at),
            Self::Boleto {
                line: digits,
                barcode: bars,
                pix: code,
                refused_pix: _,
            } => (line, barcode, boleto_pix) = (Some(digits), Some(bars), code.as_ref()),
            Self::Challenge { url } => challenge = Some(url),
        }
        let stored = client
            .execute_typed(
                "UPDATE order_attempt
                    SET pix_code = $2, boleto_line = $3, boleto_barcode = $4, challenge_url = $5,
                        expires_at = CASE WHEN $6 > ordered_at THEN $6 ELSE expires_at END, boleto_pix_code = $7
                  WHERE sale_id = $1 AND ended_at IS NULL
                    AND (pix_code, boleto_line, boleto_barcode, challenge_url, boleto_pix_code)
                        IS DISTINCT FROM ($2, $3, $4, $5, $7)",
                &[
                    (&sale_id.uuid(), Type::UUID),
                    (&pix, Type::TEXT),
                    (&line, Type::TEXT),
                    (&barcode, Type::TEXT),
                    (&challenge, Type::TEXT),
                    (&expires_at, Type::TIMESTAMPTZ),
                    (&boleto_pix, Type::TEXT),
                ],
            )
            .await?;
        Ok(stored > 0)
    }
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, Utc};
    use ledger_domain::BusinessId;
    use ledger_domain::sale::{PaymentType, Provider};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_boleto_is_shown_without_a_pix_code_that_does_not_agree() {
        let attempt = Attempt {
            sale_id: SaleId::from_uuid(Uuid::nil()),
            order_id: Uuid::nil(),
            business_id: BusinessId::from_uuid(Uuid::nil()),
            provider: Provider::Iugu,
            payment_type: PaymentType::Boleto,
            installments: 1,
            total: ledger_domain::Cents::new(149_90),
            card_brand: None,
            card_last_four: None,
            card_token: None,
            ordered_at: Utc::now(),
            expires_at: Utc::now(),
            due_on: NaiveDate::from_ymd_opt(2026, 12, 10),
            charge_id: None,
            cancel_asked: false,
        };
        let answered = NextAction::Boleto {
            line: "34191091233456789012334567890123416560000014990".to_owned(),
            barcode: None,
            pix: Some("00020126".to_owned()),
            due_on: None,
        };
        let shown = Shown::of(&attempt, &answered).expect("the boleto agrees");
        assert!(matches!(shown, Shown::Boleto { pix: None, .. }), "{shown:?}");
        let refused = shown.refused_part().expect("its PIX code does not");
        assert_eq!(refused.reason, "boleto_pix_code_differs");
    }
}
