//! Takes a parsed notice to the ledger's answer: finds the company of the sale, builds the command and corrects the
//! company if the ledger knows another one.
//!
//! The common path (the notice names a company and a known terminal) runs no query here: the writer's look-up is the
//! only one. Storing and answering are in `processing` and `exceptions`.

use std::sync::Arc;

use chrono::{TimeDelta, Utc};
use deadpool_postgres::Pool;
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use gateway_environment::request_context;
use ledger_domain::business::{BusinessCommand, Refusal};
use ledger_domain::sale::Provider;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Actor, Idempotency, Metadata, Outcome, Submission, Writer, log};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::decision::Decided;
use crate::effects::refunds;
use crate::error::PlatformError;
use crate::exceptions::WaitReason;
use crate::providers::{
    FieldErrors, Notice, NoticeContent, SaleReport, free_text, holds_card_number, reader,
};
use crate::terminals::{KnownTerminal, Terminals};

/// The largest number of corrections: first by the directory of sales, then by re-reading the terminal. More would mean
/// that the reference data changes faster than a notice is decided; the provider can send it again.
const CORRECTIONS_MAX: usize = 3;

/// Clocks differ by minutes. A notice dated later than this reports a fact that has not happened yet.
const AHEAD_MAX: TimeDelta = TimeDelta::days(1);

pub struct Intake {
    pub(super) pool: Pool,
    pub(super) writer: Writer,
    pub(super) ids: Ids,
    terminals: Terminals,
    clock: BusinessClock,
}

/// A signed notice of a known provider.
#[derive(Debug, Clone)]
pub struct Signed {
    pub provider: Provider,
    pub notice: Notice,
    /// The body as received. It may contain card numbers: `kept_body` is the one to store.
    body: String,
    /// The canonical JSON: with cleaned free text, independent of field order and white space. Two notices are
    /// different if this differs.
    pub canonical: String,
    /// Whether cleaning changed the body.
    altered: bool,
    /// Whether an id contained a control character, so that its owner cannot be determined.
    damaged: bool,
}

impl Signed {
    /// Parses one notice with its provider's adapter. The text is known to be JSON.
    pub fn read(provider: Provider, body: &str) -> Result<Self, FieldErrors> {
        let mut reported: Value = serde_json::from_str(body).map_err(|error| unreadable_json(&error))?;
        let altered = free_text::clean(&mut reported);
        let notice = reader(provider).read(&reported)?;
        Ok(Self {
            provider,
            notice,
            body: body.to_owned(),
            canonical: serde_json::to_string(&reported).expect("a value serialises"),
            altered,
            damaged: free_text::is_damaged(&reported),
        })
    }

    /// The body that the exceptions queue stores: the received one if it contains no card number, else the cleaned one.
    ///
    /// A repeated field or an escaped digit could hide a card number from the parser. A reader of the database would
    /// still see it.
    pub fn kept_body(&self) -> &str {
        if self.altered || self.body.contains("\\u") || holds_card_number(&self.body) {
            &self.canonical
        } else {
            &self.body
        }
    }

    pub fn fingerprint(&self) -> [u8; 32] {
        Sha256::digest(&self.canonical).into()
    }
}

/// Says where a body stops being JSON. The error is about the whole body, so its pointer is empty.
pub fn unreadable_json(error: &serde_json::Error) -> FieldErrors {
    let place = format!(
        "JSON inválido na linha {}, coluna {}.",
        error.line(),
        error.column()
    );
    FieldErrors::one("", place)
}

/// The sale and the company that a notice is taken to be about.
pub(super) struct Target {
    pub business_id: BusinessId,
    pub sale_id: SaleId,
    pub terminal: Option<KnownTerminal>,
    /// Whether only the terminal determined the company, so that a better source can correct it.
    by_terminal: bool,
}

impl Intake {
    pub fn new(
        pool: Pool,
        writer: Writer,
        ids: Ids,
        terminals: Terminals,
        clock: BusinessClock,
    ) -> Arc<Self> {
        Arc::new(Self {
            pool,
            writer,
            ids,
            terminals,
            clock,
        })
    }

    /// The sale that the notice names: by our id if it has one, else by the provider's id.
    pub fn sale_named(&self, provider: Provider, notice: &Notice) -> Option<SaleId> {
        let reference = &notice.reference;
        reference
            .sale_id
            .or_else(|| Some(self.ids.sale(provider, reference.external_id.as_deref()?)))
    }

    /// The sale or transfer of a notice, if known. Notices of one subject are taken in order.
    pub fn subject(&self, signed: &Signed) -> Option<Uuid> {
        match &signed.notice.content {
            NoticeContent::Payout(reported) => Some(reported.transfer_id.uuid()),
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_named(signed.provider, &signed.notice).map(SaleId::uuid)
            }
        }
    }

    /// Decides a notice. `assigned` is the company that staff assigned, if any.
    pub async fn decide(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
    ) -> Result<Decided, PlatformError> {
        let notice = &signed.notice;
        let wait = |waits: WaitReason| {
            let business_id = assigned.or(notice.business_id);
            Ok(Decided::Waits(waits.about(business_id, self.sale_of(signed))))
        };
        if let Some(waits) = self.not_to_be_decided(signed) {
            return wait(waits);
        }
        match &notice.content {
            NoticeContent::Sale(reported) => self.decide_sale(signed, assigned, reported).await,
            NoticeContent::Payout(reported) => self.decide_payout(signed, assigned, reported).await,
            NoticeContent::UnknownType => wait(WaitReason::for_reason("unknown_type")),
        }
    }

    /// The sale that a notice is about. `None` if its id was damaged, because the id may then name another sale.
    pub fn sale_of(&self, signed: &Signed) -> Option<SaleId> {
        match signed.notice.content {
            NoticeContent::Payout(_) => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType if signed.damaged => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_named(signed.provider, &signed.notice)
            }
        }
    }

    /// The reasons to wait that do not need the ledger. The time limit also uses the machine's clock, because in
    /// development the sandbox and the business can have different days.
    fn not_to_be_decided(&self, signed: &Signed) -> Option<WaitReason> {
        if signed.damaged {
            return Some(WaitReason::for_reason("control_characters"));
        }
        let occurred_at = signed.notice.occurred_at;
        let now = self.clock.now().max(Utc::now());
        (occurred_at > now + AHEAD_MAX)
            .then(|| WaitReason::for_reason("dated_ahead").with(json!({ "occurred_at": occurred_at })))
    }

    async fn decide_sale(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
        reported: &SaleReport,
    ) -> Result<Decided, PlatformError> {
        let mut target = match self.target(signed, assigned).await? {
            Ok(target) => target,
            Err(waits) => return Ok(Decided::Waits(waits)),
        };
        if let Some(refusal) = self.of_another_amount(signed, target.sale_id).await? {
            let waits = WaitReason::refused(&refusal);
            return Ok(Decided::Waits(
                waits.about(Some(target.business_id), Some(target.sale_id)),
            ));
        }
        for _ in 0..=CORRECTIONS_MAX {
            let about = |waits: WaitReason| waits.about(Some(target.business_id), Some(target.sale_id));
            let command = reported.command(signed, &target);
            let submission = self.submission(signed, target.business_id, command);
            match self.writer.submit(submission).await {
                Outcome::Recorded(receipt) => return Ok(Decided::of(target.business_id, &receipt)),
                Outcome::Duplicate { position } => {
                    if reported.is_reversal() {
                        let client = self.pool.get().await?;
                        refunds::refunded(&**client, target.sale_id, signed.provider).await?;
                    }
                    return Ok(Decided::duplicate(target.business_id, position));
                }
                // The sale is recorded for another company. The first writer wins.
                Outcome::BelongsToOther(business_id) if target.by_terminal => {
                    target = Target {
                        business_id,
                        by_terminal: false,
                        ..target
                    };
                }
                Outcome::BelongsToOther(other) => {
                    let waits = WaitReason::for_reason("sale_of_another_business");
                    return Ok(Decided::Waits(about(waits.with(json!({ "business_id": other })))));
                }
                // The directory of terminals may be older than the ledger's own look-up.
                Outcome::Refused(Refusal::TerminalOfAnotherBusiness) if target.by_terminal => {
                    match self.corrected(signed, &target).await? {
                        Some(corrected) => target = corrected,
                        None => {
                            return Ok(Decided::Waits(about(WaitReason::refused(
                                &Refusal::TerminalOfAnotherBusiness,
                            ))));
                        }
                    }
                }
                Outcome::Refused(refusal) => {
                    return Ok(Decided::Waits(about(WaitReason::refused(&refusal))));
                }
                Outcome::KeyReused => {
                    return Ok(Decided::Waits(about(WaitReason::for_reason("notice_id_reused"))));
                }
                Outcome::NotOwner | Outcome::Unknown => return Ok(Decided::Unavailable),
                Outcome::Rejected => {
                    return Err(PlatformError::NotAppended);
                }
            }
        }
        Ok(Decided::Unavailable)
    }

    /// Finds a notice whose amount differs from the sale's. A partial return must not be recorded as a full one. A
    /// sale's amount never changes, so it can be compared before the ledger decides. A notice for an unknown sale waits
    /// for the sale.
    async fn of_another_amount(
        &self,
        signed: &Signed,
        sale_id: SaleId,
    ) -> Result<Option<Refusal>, PlatformError> {
        let Some(reported) = signed.notice.amount else {
            return Ok(None);
        };
        let client = self.pool.get().await?;
        Ok(match log::sale_states(&**client, &[sale_id]).await?.pop() {
            None => Some(Refusal::UnknownSale),
            Some((_, known)) => {
                let recorded = known.state.amount;
                (recorded != reported).then_some(Refusal::AmountDiffers { recorded, reported })
            }
        })
    }

    async fn target(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
    ) -> Result<Result<Target, WaitReason>, PlatformError> {
        let Signed { provider, notice, .. } = signed;
        let sale_id = self.sale_named(*provider, notice);
        let waits = |reason, business_id| Ok(Err(WaitReason::for_reason(reason).about(business_id, sale_id)));
        let mut named = assigned.or(notice.business_id);
        let Some(sale_id) = sale_id else {
            return waits("unknown_sale", named);
        };
        let terminal = match &notice.terminal_serial {
            None => None,
            Some(serial) => match self.terminals.find(&self.pool, serial).await? {
                Some(terminal) => Some(terminal),
                None => return waits("unknown_terminal", named),
            },
        };
        if notice.reference.sale_id.is_some() {
            // The notice names our sale id, so the directory of sales knows the sale and its company.
            match self.sale_of_signer(signed, sale_id).await? {
                Ok(business_id) => named = named.or(Some(business_id)),
                Err(reason) => return waits(reason, named),
            }
        }
        if let Some(business_id) = named {
            // The company that staff assigned takes precedence over the terminal's owner. A terminal of another owner
            // is then not recorded with the sale.
            let terminal = terminal.filter(|terminal| {
                assigned.is_none() || terminal.owner_at(notice.occurred_at) == Some(business_id)
            });
            return Ok(Ok(Target {
                business_id,
                sale_id,
                terminal,
                by_terminal: false,
            }));
        }
        match terminal
            .as_ref()
            .map(|terminal| terminal.owner_at(notice.occurred_at))
        {
            Some(Some(business_id)) => Ok(Ok(Target {
                business_id,
                sale_id,
                terminal,
                by_terminal: true,
            })),
            Some(None) | None => self.target_by_sale(sale_id).await.map(|known| {
                known.ok_or_else(|| WaitReason::for_reason("no_business").about(None, Some(sale_id)))
            }),
        }
    }

    /// The company of a sale that the notice names by our id, or why the notice waits. A provider can change only sales
    /// that it captured or was asked to collect: its secret must not change another provider's sales.
    async fn sale_of_signer(
        &self,
        signed: &Signed,
        sale_id: SaleId,
    ) -> Result<Result<BusinessId, &'static str>, PlatformError> {
        let client = self.pool.get().await?;
        let Some((_, known)) = log::sale_states(&**client, &[sale_id]).await?.pop() else {
            return Ok(Err("unknown_sale"));
        };
        if known.state.provider != signed.provider {
            return Ok(Err("sale_of_another_provider"));
        }
        let reported = signed.notice.reference.external_id.as_ref();
        if reported.is_some_and(|reported| *reported != known.state.external_id) {
            return Ok(Err("external_id_differs"));
        }
        Ok(Ok(known.business_id))
    }

    /// The notice names neither a company nor a terminal, such as one that only reports a void. The sale may be known.
    async fn target_by_sale(&self, sale_id: SaleId) -> Result<Option<Target>, PlatformError> {
        let business_id = self.business_of(sale_id).await?;
        Ok(business_id.map(|business_id| Target {
            business_id,
            sale_id,
            terminal: None,
            by_terminal: false,
        }))
    }

    async fn business_of(&self, sale_id: SaleId) -> Result<Option<BusinessId>, PlatformError> {
        let client = self.pool.get().await?;
        let row = client
            .query_opt(
                "SELECT business_id FROM sale_state WHERE sale_id = $1",
                &[&sale_id.uuid()],
            )
            .await?;
        Ok(row.map(|row| BusinessId::from_uuid(row.get::<_, Uuid>(0))))
    }

    /// Reads the terminal's owner at the time of the notice from the table, if it is another company than before.
    async fn corrected(&self, signed: &Signed, target: &Target) -> Result<Option<Target>, PlatformError> {
        let Some(serial) = &signed.notice.terminal_serial else {
            return Ok(None);
        };
        let terminal = self.terminals.read(&self.pool, serial).await?;
        let owner = terminal
            .as_ref()
            .and_then(|terminal| terminal.owner_at(signed.notice.occurred_at));
        Ok(owner
            .filter(|owner| *owner != target.business_id)
            .map(|business_id| Target {
                business_id,
                sale_id: target.sale_id,
                terminal,
                by_terminal: true,
            }))
    }

    /// The submission of a notice's command, in its provider's name.
    pub(super) fn submission(
        &self,
        signed: &Signed,
        business_id: BusinessId,
        command: BusinessCommand,
    ) -> Submission {
        let Signed {
            provider,
            notice,
            canonical,
            ..
        } = signed;
        Submission {
            command_id: self.ids.new_uuid(),
            business_id,
            command,
            metadata: Metadata {
                request_id: Some(request_context::current().id),
                cause: Some(notice.id.clone()),
                ..Metadata::by(Actor::Provider(*provider))
            },
            idempotency: Some(Idempotency::new(
                provider.slug(),
                &notice.id,
                canonical.as_bytes(),
            )),
        }
    }
}
