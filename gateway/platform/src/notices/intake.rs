//! From a read notice to the ledger's answer: whose sale it is, which command says it, and what to do when the ledger
//! knows better.
//!
//! The common path (a company named, a terminal known) asks the database nothing of its own: the writer's look-up is
//! the only one. Nothing here is kept or answered; see `taking` and `exceptions`.

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
use crate::back_office::{KnownTerminal, Terminals};
use crate::effects::refunds;
use crate::error::PlatformError;
use crate::exceptions::WaitReason;
use crate::providers::{
    FieldErrors, Notice, NoticeContent, SaleReport, free_text, holds_card_number, reader,
};

/// A company told by the directory of sales, then by a terminal read afresh: more corrections than these would mean
/// that the back office changes faster than a notice is decided, and the sender may as well try again.
const CORRECTIONS_MAX: usize = 3;

/// Clocks differ by minutes. A fact dated later than this has not happened yet.
const AHEAD_MAX: TimeDelta = TimeDelta::days(1);

pub struct Intake {
    pub(super) pool: Pool,
    pub(super) writer: Writer,
    pub(super) ids: Ids,
    terminals: Terminals,
    clock: BusinessClock,
}

/// A notice of a known provider, as it was signed.
#[derive(Debug, Clone)]
pub struct Signed {
    pub provider: Provider,
    pub notice: Notice,
    /// As it came. It may hold card numbers: `kept_body` is the one to store.
    body: String,
    /// In one spelling, whatever its sender's order of fields and white space, with clean free text. Two notices differ
    /// where this differs.
    pub canonical: String,
    /// Whether the body as it came differs from the clean one.
    altered: bool,
    /// Whether an id held a control character, so that it can't be told whose it is.
    damaged: bool,
}

impl Signed {
    /// Reads one notice by its provider's adapter. The text is known to be JSON.
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

    /// What the exceptions queue keeps: the body as it came where it holds no card number, else the clean one.
    ///
    /// A repeated field or an escaped digit could hide a card number from the reader, but not from the database.
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

/// Where a body stops being JSON; the fault is of the whole, so its pointer is empty.
pub fn unreadable_json(error: &serde_json::Error) -> FieldErrors {
    let place = format!(
        "JSON inválido na linha {}, coluna {}.",
        error.line(),
        error.column()
    );
    FieldErrors::one("", place)
}

/// Whose sale the notice is taken to be about.
pub(super) struct Target {
    pub business_id: BusinessId,
    pub sale_id: SaleId,
    pub terminal: Option<KnownTerminal>,
    /// Whether the company follows from the terminal alone, so that a better source may correct it.
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

    /// The sale that the notice names: ours where it says so, else the provider's own.
    pub fn sale_named(&self, provider: Provider, notice: &Notice) -> Option<SaleId> {
        let reference = &notice.reference;
        reference
            .sale_id
            .or_else(|| Some(self.ids.sale(provider, reference.external_id.as_deref()?)))
    }

    /// What a notice is about, where that can be told: notices of one subject are taken in their order.
    pub fn subject(&self, signed: &Signed) -> Option<Uuid> {
        match &signed.notice.content {
            NoticeContent::Payout(reported) => Some(reported.transfer_id.uuid()),
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_named(signed.provider, &signed.notice).map(SaleId::uuid)
            }
        }
    }

    /// Decides a notice. `assigned` is the company that staff said it belongs to, where they did.
    pub async fn decide(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
    ) -> Result<Decided, PlatformError> {
        let notice = &signed.notice;
        let wait = |waits: WaitReason| {
            let business_id = assigned.or(notice.business_id);
            Ok(Decided::WaitReason(
                waits.about(business_id, self.sale_of(signed)),
            ))
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

    /// The sale that a notice is about; none where its id was damaged, for then it is another sale's or no sale's.
    pub fn sale_of(&self, signed: &Signed) -> Option<SaleId> {
        match signed.notice.content {
            NoticeContent::Payout(_) => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType if signed.damaged => None,
            NoticeContent::Sale(_) | NoticeContent::UnknownType => {
                self.sale_named(signed.provider, &signed.notice)
            }
        }
    }

    /// What no ledger needs to be asked about. The time limit goes by the machine's clock too, because in development the
    /// sandbox lives on another day than the business.
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
            Err(waits) => return Ok(Decided::WaitReason(waits)),
        };
        if let Some(refusal) = self.of_another_amount(signed, target.sale_id).await? {
            let waits = WaitReason::refused(&refusal);
            return Ok(Decided::WaitReason(
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
                    return Ok(Decided::already(target.business_id, position));
                }
                // The sale was heard of before, of another company: first writer wins.
                Outcome::BelongsToOther(business_id) if target.by_terminal => {
                    target = Target {
                        business_id,
                        by_terminal: false,
                        ..target
                    };
                }
                Outcome::BelongsToOther(other) => {
                    let waits = WaitReason::for_reason("sale_of_another_business");
                    return Ok(Decided::WaitReason(about(
                        waits.with(json!({ "business_id": other })),
                    )));
                }
                // The directory of terminals may be older than the ledger's own look at it.
                Outcome::Refused(Refusal::TerminalOfAnotherBusiness) if target.by_terminal => {
                    match self.corrected(signed, &target).await? {
                        Some(corrected) => target = corrected,
                        None => {
                            return Ok(Decided::WaitReason(about(WaitReason::refused(
                                &Refusal::TerminalOfAnotherBusiness,
                            ))));
                        }
                    }
                }
                Outcome::Refused(refusal) => {
                    return Ok(Decided::WaitReason(about(WaitReason::refused(&refusal))));
                }
                Outcome::KeyReused => {
                    return Ok(Decided::WaitReason(about(WaitReason::for_reason(
                        "notice_id_reused",
                    ))));
                }
                Outcome::NotOwner | Outcome::Unknown => return Ok(Decided::Unavailable),
                Outcome::Rejected => {
                    return Err(PlatformError::NotAppended);
                }
            }
        }
        Ok(Decided::Unavailable)
    }

    /// Part of a sale given back must not be recorded as the whole. A sale's amount never changes, so that it may be
    /// compared before the ledger decides; of a sale not heard of yet it can't be, and the notice waits for it.
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
            // Said to be a sale of ours: then the directory of sales knows it, and its company with it.
            match self.sale_of_signer(signed, sale_id).await? {
                Ok(business_id) => named = named.or(Some(business_id)),
                Err(reason) => return waits(reason, named),
            }
        }
        if let Some(business_id) = named {
            // Whom staff chose weighs more than the machine, which then is no fact of this sale.
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

    /// The company of a sale that the notice names by our id, or why the notice waits. A provider moves only the sales
    /// that it captured or was asked to collect. Its secret must not move another provider's.
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

    /// Neither company nor machine named, as in a notice that only says that a sale was given up: the sale may be known.
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

    /// The company by the terminal's table itself, where that says another one than before.
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

    /// What a notice amounts to, in its provider's name.
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
