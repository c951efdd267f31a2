//! Executes the story's cancels, withdrawals, adjustments and holds, with the commands and the times of users'
//! actions in the panels.
//!
//! Each command has its own key, so that an interrupted load repeats nothing.

use chrono::Duration;
use deadpool_postgres::Pool;
use gateway_environment::config::PayoutProvider;
use gateway_platform::companies::withdrawal_reference_data;
use gateway_platform::files::{MediaType, NewFile};
use gateway_platform::holds::documents::{NewHoldDocument, add_hold_document};
use ledger_domain::business::{
    Approvals, ApproveTransfer, BusinessCommand, CancelSale, FailTransfer, HoldRequest, MakeManualTransfer,
    PayoutPaid, PlaceHold, ProcessTransfer, RefuseTransfer, ReleaseHold, ReopenTransfer, RequestTransfer,
    ReturnTransfer, ReturnedFee,
};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::hold::CourtOrder;
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{DestinationKind, Direction};
use ledger_domain::{Cents, PayoutId, SaleId, TransferId};
use ledger_store::{Actor, Idempotency, LedgerPosition, Metadata, Outcome, Submission, Writer};
use projections::balance::balance_fetch;
use projections::{ReadModelGroup, Wake};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::loader::{CATCH_UP_TIMEOUT, DemoError};
use super::story::{Company, Story};
use super::withdrawal_plan::{ANALYSIS, Adjustment, PlannedHold, Withdrawal, WithdrawalStep};
use crate::sandbox::names;

/// Whole tens of reais, as users request them.
const ROUND_TO: i64 = 10_00;
/// The smallest withdrawal. A company with less available money requests none.
const AMOUNT_MIN: i64 = 50_00;

/// The price of a machine that was not returned.
const MACHINE_PRICE: i64 = 89_90;
/// What the court ordered above the company's balance.
const MISSING_FOR_COURT: i64 = 250_00;

/// An empty page.
const DOCUMENT: &[u8] = b"%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
";

/// The actions of users in the panels.
pub struct PanelActions<'a> {
    pub story: &'a Story,
    pub pool: &'a Pool,
    pub writer: &'a Writer,
    pub wake: &'a Wake,
    /// The ledger position after the actions, for later readers.
    pub reached: LedgerPosition,
}

/// The actor of a command.
enum CommandActor {
    Owner,
    Staff,
    Bank,
}

impl PanelActions<'_> {
    pub async fn withdraw(&mut self, company: &Company, withdrawal: &Withdrawal) -> Result<(), DemoError> {
        let available = self.available(company).await?;
        if available < AMOUNT_MIN {
            return Ok(());
        }
        let amount = (available * withdrawal.share / 100 / ROUND_TO * ROUND_TO).max(AMOUNT_MIN);
        let client = self.pool.get().await?;
        let withdrawing = withdrawal_reference_data(&**client, company.id())
            .await?
            .expect("the story's records are installed");
        drop(client);
        let transfer_id = Story::transfer_id(&withdrawal.key);
        let request = BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id,
            amount: Cents::new(amount),
            destination: withdrawal.destination,
            confirm_duplicate: true,
            confirm_destination: true,
            occurred_at: withdrawal.requested_at,
            context: withdrawing.context(withdrawal.destination),
        });
        self.submit(company, &withdrawal.key, "request", CommandActor::Owner, request)
            .await?;
        let (payout_id, staff) = (Story::payout_id(&withdrawal.key), self.story.staff());
        for (number, (minutes, step)) in withdrawal.outcome.steps().iter().enumerate() {
            let at = withdrawal.requested_at + Duration::minutes(*minutes);
            let actor_kind = match step {
                WithdrawalStep::PaidByTheBank => CommandActor::Bank,
                _ => CommandActor::Staff,
            };
            let command = command(*step, transfer_id, payout_id, staff, at);
            self.submit(company, &withdrawal.key, &number.to_string(), actor_kind, command)
                .await?;
        }
        Ok(())
    }

    pub async fn adjust(
        &mut self,
        company: &Company,
        day: Date,
        at: Instant,
        adjustment: Adjustment,
    ) -> Result<(), DemoError> {
        let key = format!("{}/{day}/adjustment", company.key);
        let command = match adjustment {
            Adjustment::Transfer(direction, amount, description) => {
                BusinessCommand::MakeManualTransfer(MakeManualTransfer {
                    transfer_id: Story::transfer_id(&key),
                    direction,
                    amount: Cents::new(amount),
                    description: description.to_owned(),
                    allow_negative: false,
                    occurred_at: at,
                })
            }
            Adjustment::Hold(hold) => place_hold(company, hold, day, at),
            Adjustment::Release(name, amount, reason) => BusinessCommand::ReleaseHold(ReleaseHold {
                hold_id: Story::hold_id(company, name),
                amount: Cents::new(amount),
                reason: reason.to_owned(),
                occurred_at: at,
            }),
        };
        self.submit(company, &key, "adjust", CommandActor::Staff, command)
            .await
    }

    /// A court orders more than the company has, so the hold takes its next credits too.
    pub async fn order_by_court(&mut self, company: &Company, at: Instant) -> Result<(), DemoError> {
        let available = self.available(company).await?.max(0);
        let command = BusinessCommand::PlaceHold(PlaceHold {
            hold_id: Story::hold_id(company, "bloqueio"),
            reason: "Bloqueio ordenado pelo juiz em execução de dívida".to_owned(),
            until: None,
            documents: vec![],
            sale_id: None,
            what: HoldRequest::Judicial(CourtOrder {
                case_number: "0009999-99.2026.8.26.0114".to_owned(),
                court: "3ª Vara Cível de Campinas".to_owned(),
                ordered: Cents::new(available + MISSING_FOR_COURT),
            }),
            occurred_at: at,
        });
        let key = format!("{}/bloqueio", company.key);
        self.submit(company, &key, "order", CommandActor::Staff, command)
            .await
    }

    /// Staff charge a machine to a company that has nothing left, so the company owes it.
    pub async fn charge_machine(&mut self, company: &Company, at: Instant) -> Result<(), DemoError> {
        let key = format!("{}/maquininha", company.key);
        let command = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: Story::transfer_id(&key),
            direction: Direction::Out,
            amount: Cents::new(MACHINE_PRICE),
            description: "Maquininha não devolvida".to_owned(),
            allow_negative: true,
            occurred_at: at,
        });
        self.submit(company, &key, "charge", CommandActor::Staff, command)
            .await
    }

    /// The owner sends the first document that the company's analysis asks for.
    pub async fn send_document(&self, company: &Company, at: Instant) -> Result<(), DemoError> {
        let models = [ReadModelGroup::Holds];
        self.wake
            .wait_for(self.pool, &models, &self.reached, CATCH_UP_TIMEOUT)
            .await?;
        let hold_id = Story::hold_id(company, ANALYSIS.name);
        let sha256 = Sha256::digest(DOCUMENT).to_vec();
        let new = NewHoldDocument {
            asked: ANALYSIS.documents[0].to_owned(),
            file_name: "notas-fiscais.pdf".to_owned(),
            file: NewFile {
                id: Uuid::now_v7(),
                media_type: MediaType::Pdf,
                content: DOCUMENT,
                sha256: &sha256,
                created_at: at,
            },
            pixels: None,
            sent_by: self.story.owner_of(company),
        };
        let mut client = self.pool.get().await?;
        let tx = client.transaction().await?;
        let added = add_hold_document(&*tx, company.id(), hold_id, new).await;
        added.map_err(|error| DemoError::NotRecorded {
            id: hold_id.to_string(),
            why: error.to_string(),
        })?;
        Ok(tx.commit().await?)
    }

    /// The owner cancels a sale, if the balance covers it.
    pub async fn cancel(
        &mut self,
        company: &Company,
        sale_id: SaleId,
        amount: i64,
        at: Instant,
    ) -> Result<(), DemoError> {
        if self.available(company).await? < amount {
            return Ok(());
        }
        let command = BusinessCommand::CancelSale(CancelSale {
            sale_id,
            occurred_at: at,
            reason: Some("Compra cancelada no balcão".to_owned()),
        });
        self.submit(
            company,
            &sale_id.to_string(),
            "cancel",
            CommandActor::Owner,
            command,
        )
        .await
    }

    /// The company's available balance, after the read model has caught up.
    async fn available(&self, company: &Company) -> Result<i64, DemoError> {
        self.wake
            .wait_for(
                self.pool,
                &[ReadModelGroup::Balance],
                &self.reached,
                CATCH_UP_TIMEOUT,
            )
            .await?;
        let client = self.pool.get().await?;
        Ok(balance_fetch(&**client, company.id()).await?.available.get())
    }

    async fn submit(
        &mut self,
        company: &Company,
        key: &str,
        step: &str,
        actor_kind: CommandActor,
        command: BusinessCommand,
    ) -> Result<(), DemoError> {
        let actor = match actor_kind {
            CommandActor::Owner => Actor::Seller(self.story.owner_of(company)),
            CommandActor::Staff => Actor::Admin(self.story.staff()),
            CommandActor::Bank => Actor::Bank(PayoutProvider::Sandbox.to_string()),
        };
        let submission = Submission {
            command_id: Uuid::now_v7(),
            business_id: company.id(),
            command,
            metadata: Metadata::by(actor),
            idempotency: Some(Idempotency::new("demo", &format!("{key}/{step}"), b"")),
        };
        match self.writer.submit(submission).await {
            Outcome::Recorded(receipt) => self.reached.merge(&receipt.position()),
            Outcome::Duplicate { position } => self.reached.merge(&position),
            other => {
                return Err(DemoError::NotRecorded {
                    id: format!("{key}/{step}"),
                    why: format!("{other:?}"),
                });
            }
        }
        Ok(())
    }
}

fn place_hold(company: &Company, hold: PlannedHold, day: Date, at: Instant) -> BusinessCommand {
    let amount = Cents::new(hold.amount);
    BusinessCommand::PlaceHold(PlaceHold {
        hold_id: Story::hold_id(company, hold.name),
        reason: hold.reason.to_owned(),
        until: Some(day + Duration::days(hold.review_after)),
        documents: hold.documents.iter().map(|name| (*name).to_owned()).collect(),
        sale_id: None,
        what: if hold.by_contract {
            HoldRequest::Contract(amount)
        } else {
            HoldRequest::Analysis(amount)
        },
        occurred_at: at,
    })
}

/// The ledger's command for a step.
fn command(
    step: WithdrawalStep,
    transfer_id: TransferId,
    payout_id: PayoutId,
    by: UserId,
    at: Instant,
) -> BusinessCommand {
    let occurred_at = at;
    match step {
        WithdrawalStep::Process => BusinessCommand::ProcessTransfer(ProcessTransfer {
            transfer_id,
            payout_id: None,
            by,
            approvals: Approvals::One,
            occurred_at,
        }),
        WithdrawalStep::Approve => BusinessCommand::ApproveTransfer(ApproveTransfer {
            transfer_id,
            by,
            approvals: Approvals::One,
            occurred_at,
        }),
        WithdrawalStep::Refuse(reason) => BusinessCommand::RefuseTransfer(RefuseTransfer {
            transfer_id,
            reason: reason.to_owned(),
            occurred_at,
        }),
        WithdrawalStep::Fail(reason) => BusinessCommand::FailTransfer(FailTransfer {
            transfer_id,
            reason: reason.to_owned(),
            occurred_at,
        }),
        WithdrawalStep::Reopen => BusinessCommand::ReopenTransfer(ReopenTransfer {
            transfer_id,
            occurred_at,
        }),
        WithdrawalStep::Return(reason) => BusinessCommand::ReturnTransfer(ReturnTransfer {
            transfer_id,
            reason: reason.to_owned(),
            occurred_at,
            fee: ReturnedFee::Kept,
        }),
        WithdrawalStep::PaidByTheBank => BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id,
            payout_id,
            names: names::of_payout(DestinationKind::Pix, &payout_id.to_string(), at)
                .checked()
                .0,
            occurred_at,
        }),
    }
}
