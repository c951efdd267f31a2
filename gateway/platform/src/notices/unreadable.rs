//! Stores notices that can never be read. Their provider would send them again for ever, and a notice may be about
//! money, so staff see each of them once.

use ledger_domain::sale::Provider;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::processing::Notices;
use crate::buyers::known_fields;
use crate::error::PlatformError;
use crate::exceptions::by_hand::{self, ManualException};
use crate::providers::{FieldErrors, free_text};

/// A longer body is not stored: its hash identifies it in the provider's own records.
const BODY_BYTES_MAX: usize = 20_000;
const ID_CHARACTERS_MAX: usize = 200;

/// A notice with a valid signature that cannot be read.
#[derive(Debug, Clone)]
pub struct UnreadableNotice {
    /// The notice's id, if that much is readable.
    pub id: Option<String>,
    pub errors: FieldErrors,
    sha256: String,
    /// The fields by which notices are decided. Free text may name a buyer, and is left out.
    fields: Option<Value>,
}

impl UnreadableNotice {
    pub fn of(text: &str, errors: FieldErrors) -> Self {
        let mut body: Option<Value> = serde_json::from_str(text).ok();
        if let Some(body) = &mut body {
            free_text::clean(body);
        }
        let id = body
            .as_ref()
            .filter(|body| !free_text::is_damaged(body))
            .and_then(|body| body["id"].as_str())
            .filter(|id| (1..=ID_CHARACTERS_MAX).contains(&id.chars().count()));
        let fields = body
            .as_ref()
            .map(Value::to_string)
            .filter(|body| body.len() <= BODY_BYTES_MAX)
            .and_then(|body| serde_json::from_str(&known_fields(&body)).ok());
        Self {
            id: id.map(str::to_owned),
            errors,
            sha256: hex::encode(Sha256::digest(text)),
            fields,
        }
    }
}

impl Notices {
    /// A repeat adds no second exception.
    pub async fn keep_unreadable(
        &self,
        provider: Provider,
        unreadable: &UnreadableNotice,
    ) -> Result<(), PlatformError> {
        let UnreadableNotice {
            id, errors, sha256, ..
        } = unreadable;
        let new = ManualException {
            provider,
            kind: "notice.unreadable",
            reason: "notice_unreadable",
            subject: &format!("{} {sha256}", id.as_deref().unwrap_or_default()),
            parameters: json!({
                "notice": id, "sha256": sha256, "errors": errors.clone().into_inner(), "body": unreadable.fields,
            }),
            business_id: None,
            sale_id: None,
        };
        let client = self.pool.get().await?;
        by_hand::add(&**client, &new).await?;
        Ok(())
    }
}
