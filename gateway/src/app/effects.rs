//! Starts the effects of one process, and sets the provider that activates terminals.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use gateway_acquirers::registration::ConnectError;
use gateway_environment::config::{Panel, PayoutProvider, RefundProvider, TerminalProvider};
use gateway_http::AppState;
use gateway_mail::{EmailOutbox, InvalidSmtpUrl, Mailing};
use gateway_outbox::WorkerHandle;
use gateway_platform::effects::payouts::{PayoutEffects, PayoutOutbox};
use gateway_platform::effects::refunds::{RefundEffects, RefundOutbox};
use gateway_platform::effects::{EffectHandler, Following, follow_log};
use gateway_platform::orders::{ExpiryJob, OrderEffects, OrderOutbox};
use gateway_platform::providers::payouts::{AcquirerPayouts, Payouts, SandboxBank};
use gateway_platform::providers::refunds::{AcquirerRefunds, SandboxAcquirer};
use gateway_platform::providers::terminals::SandboxTerminals;
use thiserror::Error;
use tokio::sync::Notify;

pub struct Effects {
    following: Vec<Following>,
    /// Without a configured provider, payouts and refunds have no worker. Orders always have one.
    workers: Vec<WorkerHandle>,
    mailing: Mailing,
    order_expiry: ExpiryJob,
}

#[derive(Debug, Error)]
pub enum EffectsError {
    #[error("a provider's client cannot be made: {0}")]
    Provider(#[from] reqwest::Error),
    #[error(transparent)]
    Mail(#[from] InvalidSmtpUrl),
    #[error(transparent)]
    Acquirer(#[from] ConnectError),
}

impl Effects {
    pub fn start(state: &AppState, sandbox: SocketAddr) -> Result<Self, EffectsError> {
        let [payouts, refunds]: [Arc<Notify>; 2] = Default::default();
        let handlers: [Arc<dyn EffectHandler>; 3] = [
            Arc::new(PayoutEffects {
                woken: Arc::clone(&payouts),
                seller_panel_url: state.config.hosts.url(Panel::Seller),
            }),
            Arc::new(RefundEffects {
                woken: Arc::clone(&refunds),
            }),
            Arc::new(OrderEffects::new(Arc::clone(&state.orders))),
        ];
        let workers = [
            payout_outbox(state, sandbox, payouts)?.map(|outbox| outbox.start(&state.supervisor)),
            refund_outbox(state, sandbox, refunds)?.start(&state.supervisor),
            Some(order_outbox(state).start(&state.supervisor)),
        ];
        let mailing = EmailOutbox::new(
            state.pool.clone(),
            Arc::clone(&state.mail),
            state.config.mail.clone(),
            state.clock,
        )?;
        let mailing = mailing.start(&state.supervisor);
        let recorded = state.writer.recorded();
        let follow =
            |effect_handler| follow_log(state.pool.clone(), &recorded, effect_handler, &state.supervisor);
        Ok(Self {
            following: handlers.into_iter().map(follow).collect(),
            workers: workers.into_iter().flatten().collect(),
            mailing,
            order_expiry: state.orders.start_expiry(&state.supervisor),
        })
    }

    /// Stops the effects. Waits for the calls in hand, and aborts those that take too long.
    pub async fn stop(self) {
        drop(self.order_expiry);
        let workers = join_all(self.workers.into_iter().map(WorkerHandle::stop));
        tokio::join!(workers, self.mailing.stop());
        join_all(self.following.into_iter().map(Following::stop)).await;
    }
}

/// Sets the provider that activates terminals for the handlers. None is set if none is configured.
pub fn set_terminal_provider(state: &AppState, sandbox: SocketAddr) -> Result<(), EffectsError> {
    let terminals = &state.config.terminals;
    let provider = match terminals.provider {
        Some(TerminalProvider::Sandbox) => {
            SandboxTerminals::new(&format!("http://{sandbox}"), terminals.timeout)?
        }
        None => return Ok(()),
    };
    // A program starts once, so the cell is empty.
    let _already_set = state.terminal_provider.set(Box::new(provider));
    Ok(())
}

/// It runs even while no acquirer is configured, because orders still end. It makes no calls then, so any time limit
/// does.
fn order_outbox(state: &AppState) -> OrderOutbox {
    let configured = &state.config.acquirers.configured;
    let timeout = configured.iter().map(|acquirer| acquirer.timeout).max();
    OrderOutbox {
        orders: Arc::clone(&state.orders),
        timeout: timeout.unwrap_or(state.config.refunds.timeout),
    }
}

fn payout_outbox(
    state: &AppState,
    sandbox: SocketAddr,
    woken: Arc<Notify>,
) -> Result<Option<PayoutOutbox>, reqwest::Error> {
    let withdrawals = &state.config.withdrawals;
    let Some(provider) = withdrawals.payouts else {
        return Ok(None);
    };
    let bank: Arc<dyn Payouts> = match provider {
        PayoutProvider::Sandbox => Arc::new(SandboxBank::new(
            &format!("http://{sandbox}"),
            withdrawals.payout_timeout,
        )?),
        PayoutProvider::Acquirer(_) => Arc::new(AcquirerPayouts {
            pool: state.pool.clone(),
            acquirers: Arc::clone(&state.acquirers),
            provider,
        }),
    };
    Ok(Some(PayoutOutbox {
        pool: state.pool.clone(),
        writer: state.writer.clone(),
        timeout: payout_timeout(state, provider),
        bank,
        woken,
        clock: state.clock,
    }))
}

/// The longest time to wait for an answer. An acquirer's adapter has a time limit for each call, and makes several.
fn payout_timeout(state: &AppState, provider: PayoutProvider) -> Duration {
    /// One to send the payout, and five to read the pages of Iugu's list for an earlier one.
    const CALLS_MAX: u32 = 6;
    let acquirer = provider.acquirer();
    let acquirer = acquirer.and_then(|acquirer| state.config.acquirers.of(acquirer));
    acquirer.map_or(state.config.withdrawals.payout_timeout, |acquirer| {
        CALLS_MAX * acquirer.timeout
    })
}

/// Refunds of charges wait while no acquirer is configured, other ones while no service is.
fn refund_outbox(
    state: &AppState,
    sandbox: SocketAddr,
    woken: Arc<Notify>,
) -> Result<RefundOutbox, reqwest::Error> {
    let refunds = &state.config.refunds;
    let reported = refunds
        .provider
        .map(|RefundProvider::Sandbox| SandboxAcquirer::new(&format!("http://{sandbox}"), refunds.timeout));
    let configured = &state.config.acquirers.configured;
    let charged = configured.iter().map(|acquirer| acquirer.timeout).max();
    let charged = charged.map(|call_timeout| AcquirerRefunds {
        pool: state.pool.clone(),
        acquirers: Arc::clone(&state.acquirers),
        call_timeout,
    });
    Ok(RefundOutbox {
        pool: state.pool.clone(),
        writer: state.writer.clone(),
        notices: Arc::clone(&state.notices),
        clock: state.clock,
        charged: charged.map(|refunds| Arc::new(refunds) as _),
        reported: reported.transpose()?.map(|refunds| Arc::new(refunds) as _),
        woken,
    })
}
