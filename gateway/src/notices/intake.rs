//! From a read notice to the ledger's answer: whose sale it is, which command says it, and what to do when the ledger
//! knows better.
//!
//! The common path (a company named, a terminal known) asks the database nothing of its own: the writer's look-up is
//! the only one. Nothing here is kept or answered; see `receive` and `exceptions`.

use std::sync::Arc;

use deadpool_postgres::Pool;
use ledger_domain::business::{
    BusinessCommand, CaptureSale, CreateSale, FailSale, Refusal, SaleContext, VoidSale,
};
use ledger_domain::sale::{Provider, SaleFacts, SaleTerminal};
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Idempotency, Metadata, Outcome, Submission, Writer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::decision::{Decided, Waits};
use crate::Problem;
use crate::back_office::{KnownTerminal, Terminals};
use crate::http::request_id;
use crate::ids::Ids;
use crate::providers::{FieldErrors, Notice, Told, ToldSale, reader};

/// A company told by the directory of sales, then by a terminal read afresh: more corrections than these would mean
/// that the back office changes faster than a notice is decided, and the sender may as well try again.
const CORRECTIONS_MAX: usize = 3;

pub struct Intake {
    pub(super) pool: Pool,
    pub(super) writer: Writer,
    pub(super) ids: Ids,
    terminals: Terminals,
}

/// A notice of a known provider, as it was signed.
#[derive(Debug, Clone)]
pub struct Signed {
    pub provider: Provider,
    pub notice: Notice,
    /// As it came, for the queue of those that wait.
    pub body: String,
    /// In one spelling, whatever its sender's order of fields and white space: what tells two bodies apart.
    pub canonical: Vec<u8>,
}

impl Signed {
    /// Reads one notice by its provider's adapter. The text is known to be JSON.
    pub fn read(provider: Provider, body: &str) -> Result<Self, FieldErrors> {
        let told: Value = serde_json::from_str(body).map_err(|error| unreadable_json(&error))?;
        let notice = reader(provider).read(&told)?;
        Ok(Self {
            provider,
            notice,
            body: body.to_owned(),
            canonical: serde_json::to_vec(&told).expect("a value serialises"),
        })
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
struct Target {
    business_id: BusinessId,
    sale_id: SaleId,
    terminal: Option<KnownTerminal>,
    /// Whether the company follows from the terminal alone, so that a better source may correct it.
    by_terminal: bool,
}

impl Intake {
    pub fn new(pool: Pool, writer: Writer, ids: Ids, terminals: Terminals) -> Arc<Self> {
        Arc::new(Self {
            pool,
            writer,
            ids,
            terminals,
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
        match signed.notice.told.payout() {
            Some(payout) => Some(payout.transfer_id.uuid()),
            None => self.sale_named(signed.provider, &signed.notice).map(SaleId::uuid),
        }
    }

    /// Decides a notice. `assigned` is the company that staff said it belongs to, where they did.
    pub async fn decide(&self, signed: &Signed, assigned: Option<BusinessId>) -> Result<Decided, Problem> {
        if let Some(payout) = signed.notice.told.payout() {
            return self.decide_payout(signed, assigned, payout).await;
        }
        let mut target = match self.target(signed, assigned).await? {
            Ok(target) => target,
            Err(waits) => return Ok(Decided::Waits(waits)),
        };
        for _ in 0..=CORRECTIONS_MAX {
            let about = |waits: Waits| waits.about(Some(target.business_id), Some(target.sale_id));
            match self.writer.submit(self.submission(signed, &target)).await {
                Outcome::Recorded(receipt) => return Ok(Decided::Recorded(receipt.position())),
                Outcome::Already { position } => return Ok(Decided::Already(position)),
                // The sale was heard of before, of another company: first writer wins.
                Outcome::Elsewhere(business_id) if target.by_terminal => {
                    target = Target {
                        business_id,
                        by_terminal: false,
                        ..target
                    };
                }
                Outcome::Elsewhere(other) => {
                    let waits = Waits::for_reason("sale_of_another_business");
                    return Ok(Decided::Waits(about(
                        waits.with(serde_json::json!({ "business_id": other })),
                    )));
                }
                // The directory of terminals may be older than the ledger's own look at it.
                Outcome::Refused(Refusal::TerminalOfAnotherBusiness) if target.by_terminal => {
                    match self.corrected(signed, &target).await? {
                        Some(corrected) => target = corrected,
                        None => {
                            return Ok(Decided::Waits(about(Waits::refused(
                                &Refusal::TerminalOfAnotherBusiness,
                            ))));
                        }
                    }
                }
                Outcome::Refused(refusal) => return Ok(Decided::Waits(about(Waits::refused(&refusal)))),
                Outcome::KeyReused => {
                    return Ok(Decided::Waits(about(Waits::for_reason("notice_id_reused"))));
                }
                Outcome::NotOwner => return Ok(Decided::Unavailable),
                Outcome::Poisoned => {
                    return Err(Problem::internal("the ledger could not append a notice's event"));
                }
            }
        }
        Ok(Decided::Unavailable)
    }

    async fn target(
        &self,
        signed: &Signed,
        assigned: Option<BusinessId>,
    ) -> Result<Result<Target, Waits>, Problem> {
        let Signed { provider, notice, .. } = signed;
        let sale_id = self.sale_named(*provider, notice);
        let waits = |reason, business_id| Ok(Err(Waits::for_reason(reason).about(business_id, sale_id)));
        match notice.told {
            Told::UnknownType => return waits("unknown_type", assigned.or(notice.business_id)),
            Told::NotInLedgerYet => return waits("type_not_in_ledger_yet", assigned.or(notice.business_id)),
            Told::PayoutPaid(_) | Told::PayoutFailed(..) => unreachable!("a payout is no sale's notice"),
            Told::Created(_) | Told::Captured(_) | Told::Failed(..) | Told::Canceled(_) => {}
        }
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
            match self.business_of(sale_id).await? {
                None => return waits("unknown_sale", named),
                Some(business_id) => named = named.or(Some(business_id)),
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
                known.ok_or_else(|| Waits::for_reason("no_business").about(None, Some(sale_id)))
            }),
        }
    }

    /// Neither company nor machine named, as in a notice that only says that a sale was given up: the sale may be known.
    async fn target_by_sale(&self, sale_id: SaleId) -> Result<Option<Target>, Problem> {
        let business_id = self.business_of(sale_id).await?;
        Ok(business_id.map(|business_id| Target {
            business_id,
            sale_id,
            terminal: None,
            by_terminal: false,
        }))
    }

    async fn business_of(&self, sale_id: SaleId) -> Result<Option<BusinessId>, Problem> {
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
    async fn corrected(&self, signed: &Signed, target: &Target) -> Result<Option<Target>, Problem> {
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

    fn submission(&self, signed: &Signed, target: &Target) -> Submission {
        let Signed {
            provider,
            notice,
            canonical,
            ..
        } = signed;
        Submission {
            command_id: self.ids.new_uuid(),
            business_id: target.business_id,
            command: command(*provider, notice, target),
            metadata: Metadata {
                actor: Some(format!("provider:{}", provider.slug())),
                audience: Some("provider".to_owned()),
                request_id: Some(request_id::current()),
                cause: Some(notice.id.clone()),
                ..Metadata::default()
            },
            idempotency: Some(Idempotency::new(provider.slug(), &notice.id, canonical)),
        }
    }
}

fn command(provider: Provider, notice: &Notice, target: &Target) -> BusinessCommand {
    let occurred_at = notice.occurred_at;
    let context = SaleContext::unknown(target.business_id, occurred_at);
    match &notice.told {
        Told::Created(told) => BusinessCommand::CreateSale(CreateSale {
            sale: facts(provider, notice, told, target),
            occurred_at,
            context,
        }),
        Told::Captured(told) => BusinessCommand::CaptureSale(CaptureSale {
            sale: facts(provider, notice, told, target),
            occurred_at,
            context,
        }),
        Told::Failed(told, reason) => BusinessCommand::FailSale(FailSale {
            sale: facts(provider, notice, told, target),
            occurred_at,
            reason: reason.clone(),
            context,
        }),
        Told::Canceled(reason) => BusinessCommand::VoidSale(VoidSale {
            sale_id: target.sale_id,
            occurred_at,
            reason: reason.clone(),
        }),
        Told::PayoutPaid(_) | Told::PayoutFailed(..) | Told::NotInLedgerYet | Told::UnknownType => {
            unreachable!("`target` lets no notice without rules pass")
        }
    }
}

fn facts(provider: Provider, notice: &Notice, told: &ToldSale, target: &Target) -> SaleFacts {
    let terminal = target.terminal.as_ref().zip(notice.terminal_serial.as_ref());
    SaleFacts {
        sale_id: target.sale_id,
        provider,
        external_id: told.external_id.clone(),
        solution: told.solution,
        payment_type: told.payment_type,
        card_brand: told.card_brand.clone(),
        installments: told.installments,
        amount: told.amount,
        terminal: terminal.map(|(known, serial)| SaleTerminal {
            id: known.id,
            serial_number: serial.clone(),
        }),
        payment_link_code: told.payment_link_code.clone(),
        card_last_four: told.card_last_four.clone(),
        authorization_code: told.authorization_code.clone(),
    }
}
