//! Finds a notice's sale and company: by its ids, by its terminal, or by the sale's state in the ledger.

use ledger_domain::{BusinessId, SaleId};
use ledger_store::log::{self, StateTable};

use super::intake::Intake;
use super::signed::SignedNotice;
use crate::error::PlatformError;
use crate::exceptions::WaitReason;
use crate::terminals::KnownTerminal;

/// The sale and the company that a notice is taken to be about.
pub(super) struct Target {
    pub business_id: BusinessId,
    pub sale_id: SaleId,
    pub terminal: Option<KnownTerminal>,
    /// Whether only the terminal determined the company, so that a better source can correct it.
    pub(super) by_terminal: bool,
}

impl Intake {
    /// Finds the sale and the company, or why the notice waits.
    pub(super) async fn target(
        &self,
        signed: &SignedNotice,
        assigned: Option<BusinessId>,
    ) -> Result<Result<Target, WaitReason>, PlatformError> {
        let SignedNotice { provider, notice, .. } = signed;
        let sale_id = self.sale_id_of(*provider, notice);
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
            // The notice names our id of a sale, so the ledger must have the sale and its company.
            match self.business_of_signers_sale(signed, sale_id).await? {
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
    async fn business_of_signers_sale(
        &self,
        signed: &SignedNotice,
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

    /// For a notice that names neither a company nor a terminal with an owner, such as one that reports a void. The
    /// ledger may know the sale and its company.
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
        let id = sale_id.uuid();
        Ok(log::businesses_of(&**client, StateTable::Sale, &[id])
            .await?
            .remove(&id))
    }

    /// Reads the terminal again, from the table. Returns a target with its owner at the time of the notice, if the
    /// owner is another company than before.
    pub(super) async fn corrected(
        &self,
        signed: &SignedNotice,
        target: &Target,
    ) -> Result<Option<Target>, PlatformError> {
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
}
