//! Runs the program's long-lived tasks and keeps them alive.
//!
//! A task that panics or returns an error is started again after a pause. It counts as failing until it has completed
//! a round of work; readiness and metrics read that here. Other modules must not call `tokio::spawn` (`clippy.toml`),
//! except in measurements and tests.

use std::any::Any;
use std::error::Error;
use std::future::{Future, pending};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use serde::Serialize;
use tokio::sync::futures::Notified;
use tokio::sync::{Notify, watch};
use tokio::task::futures::TaskLocalFuture;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};

use crate::causes::Causes;

/// The pause after a first failure. It doubles with each further failure.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The limit of that doubling. It is short, because a task stays down for the rest of its pause if nothing calls
/// `retry_failing` once the cause of the failure is gone.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// A task that ran this long before it failed starts again after the first pause.
const STEADY: Duration = Duration::from_secs(60);

tokio::task_local! {
    static WORK: Arc<str>;
}

/// What the calling code works for: the name of its task, or the route of its request. For logs and metrics.
pub fn current_work() -> Option<Arc<str>> {
    WORK.try_with(Arc::clone).ok()
}

/// Runs the future as the work of this name.
pub fn working_for<F: Future>(name: impl Into<Arc<str>>, work: F) -> TaskLocalFuture<Arc<str>, F> {
    WORK.scope(name.into(), work)
}

pub type Failure = Box<dyn Error + Send + Sync>;

/// A long-lived task. Its fields outlive a failure; what `run` holds on its stack does not.
#[async_trait]
pub trait Task: Send + 'static {
    /// Works until it is stopped or fails. `Ok` is the intended end: the task is not started again.
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure>;

    /// Runs during the pause after a failure. A task with a queue answers its callers here, who would otherwise wait
    /// for the restart. Returning ends the pause; a panic is reported, and the pause goes on.
    async fn while_down(&mut self) {
        pending().await
    }
}

/// Starts tasks and knows which of them fail. Clones share one register.
#[derive(Debug, Clone, Default)]
pub struct Supervisor(Arc<Mutex<Vec<Arc<State>>>>);

/// A task reports here that it works.
#[derive(Debug, Clone)]
pub struct Pulse(Arc<State>);

#[derive(Debug)]
struct State {
    name: String,
    failing: AtomicBool,
    failures: AtomicU64,
    reason: Mutex<String>,
    /// Ends a pause.
    retry: Notify,
    #[cfg(any(test, feature = "faults"))]
    broken: watch::Sender<bool>,
}

/// The status of a task for operators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskStatus {
    pub task: String,
    #[serde(skip)]
    pub failing: bool,
    /// Since the first start.
    pub failures: u64,
    /// The error or the panic's message of the last failure.
    pub reason: String,
}

/// A running task. Dropping it ends the task at once.
#[derive(Debug)]
pub struct Supervised {
    handle: JoinHandle<()>,
    state: Arc<State>,
    supervisor: Supervisor,
}

impl Supervisor {
    /// Runs the task until it ends by itself or the handle is dropped.
    pub fn start(&self, name: impl Into<String>, task: impl Task) -> Supervised {
        let (stop, stopping) = watch::channel(false);
        self.spawn(name.into(), stopping, task, Some(stop))
    }

    /// Like `start`, but a failed task is not started again once `stopping` is true.
    pub fn start_until(
        &self,
        name: impl Into<String>,
        stopping: watch::Receiver<bool>,
        task: impl Task,
    ) -> Supervised {
        self.spawn(name.into(), stopping, task, None)
    }

    /// Runs a job at once and then every `period`; after an error, once the pause of a failed task is over.
    pub fn every<F, R, E>(&self, name: impl Into<String>, period: Duration, job: F) -> Supervised
    where
        F: FnMut() -> R + Send + 'static,
        R: Future<Output = Result<(), E>> + Send,
        E: Into<Failure>,
    {
        self.start(name, Periodic { period, job })
    }

    fn spawn(
        &self,
        name: String,
        stopping: watch::Receiver<bool>,
        task: impl Task,
        stop: Option<watch::Sender<bool>>,
    ) -> Supervised {
        let state = Arc::new(State::new(name));
        self.register().push(state.clone());
        let (supervisor, pulse) = (self.clone(), Pulse(state.clone()));
        #[expect(clippy::disallowed_methods, reason = "this is the supervisor")]
        let handle = tokio::spawn(async move {
            // Kept until the end: a receiver without a sender would read as a stop.
            let _stop = stop;
            let name: Arc<str> = pulse.0.name.as_str().into();
            working_for(name, keep_alive(task, &pulse, stopping)).await;
            supervisor.forget(&pulse.0);
        });
        Supervised {
            handle,
            state,
            supervisor: self.clone(),
        }
    }

    /// All running tasks, in the order of their start.
    pub fn tasks(&self) -> Vec<TaskStatus> {
        self.register().iter().map(|state| state.status()).collect()
    }

    pub fn failing(&self) -> Vec<TaskStatus> {
        self.tasks().into_iter().filter(|task| task.failing).collect()
    }

    /// Starts failed tasks again without the rest of their pause, because a common cause is gone.
    pub fn retry_failing(&self) {
        for state in self.register().iter() {
            state.retry.notify_waiters();
        }
    }

    fn forget(&self, state: &Arc<State>) {
        self.register().retain(|kept| !Arc::ptr_eq(kept, state));
    }

    fn register(&self) -> MutexGuard<'_, Vec<Arc<State>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(any(test, feature = "faults"))]
impl Supervisor {
    /// For tests: the tasks of that name panic at once and at each start, until `mend_tasks`.
    pub fn break_tasks(&self, name: &str) {
        self.set_broken(name, true);
    }

    pub fn mend_tasks(&self, name: &str) {
        self.set_broken(name, false);
    }

    fn set_broken(&self, name: &str, broken: bool) {
        for state in self.register().iter().filter(|state| state.name == name) {
            state.broken.send_replace(broken);
        }
    }
}

impl Pulse {
    /// Says that a round of work is done. A failing task counts as working again.
    pub fn beat(&self) {
        if self.0.failing.swap(false, Ordering::AcqRel) {
            tracing::info!(task = self.0.name, "a task works again");
        }
    }
}

impl Supervised {
    pub fn name(&self) -> &str {
        &self.state.name
    }

    /// Waits for the end of the task.
    pub async fn ended(&mut self) {
        if let Err(error) = (&mut self.handle).await
            && !error.is_cancelled()
        {
            tracing::error!(task = self.state.name, %error, "a task was lost");
        }
    }

    pub fn abort(&self) {
        self.handle.abort();
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.handle.abort();
        self.supervisor.forget(&self.state);
    }
}

impl State {
    fn new(name: String) -> Self {
        Self {
            name,
            failing: AtomicBool::new(false),
            failures: AtomicU64::new(0),
            reason: Mutex::default(),
            retry: Notify::new(),
            #[cfg(any(test, feature = "faults"))]
            broken: watch::channel(false).0,
        }
    }

    fn status(&self) -> TaskStatus {
        TaskStatus {
            task: self.name.clone(),
            failing: self.failing.load(Ordering::Acquire),
            failures: self.failures.load(Ordering::Acquire),
            reason: self.reason.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    fn failed(&self, reason: &str, pause: Duration) {
        tracing::error!(
            code = "task_failed",
            task = self.name,
            reason,
            again_in_ms = pause.as_millis(),
            "a task failed"
        );
        reason.clone_into(&mut self.reason.lock().unwrap_or_else(PoisonError::into_inner));
        self.failures.fetch_add(1, Ordering::AcqRel);
        self.failing.store(true, Ordering::Release);
        count_failure(&self.name);
    }

    /// Ends by a panic once a test breaks the task.
    #[cfg(any(test, feature = "faults"))]
    async fn fault(&self) -> Result<(), Failure> {
        let mut broken = self.broken.subscribe();
        // The sender lives in `self`, so the wait ends only with a fault.
        let _ = broken.wait_for(|broken| *broken).await;
        panic!("a test broke the task")
    }

    #[cfg(not(any(test, feature = "faults")))]
    async fn fault(&self) -> Result<(), Failure> {
        pending().await
    }
}

/// The pause before each restart of one task.
struct Backoff(Duration);

impl Backoff {
    const FIRST: Self = Self(FIRST_PAUSE);

    fn next(&mut self, ran: Duration) -> Duration {
        let pause = if ran >= STEADY { FIRST_PAUSE } else { self.0 };
        self.0 = (pause * 2).min(PAUSE_MAX);
        pause
    }
}

async fn keep_alive(mut task: impl Task, pulse: &Pulse, mut stopping: watch::Receiver<bool>) {
    let mut backoff = Backoff::FIRST;
    loop {
        let began = Instant::now();
        let life = async {
            tokio::select! {
                biased;
                broken = pulse.0.fault() => broken,
                ended = task.run(pulse) => ended,
            }
        };
        let reason = match AssertUnwindSafe(life).catch_unwind().await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Causes(&*error).to_string(),
            Err(panic) => format!("panic: {}", panic_message(&*panic)),
        };
        let pause = backoff.next(began.elapsed());
        // Listens before the failure is visible, so that a call that sees it always ends the pause.
        let retried = pulse.0.retry.notified();
        pulse.0.failed(&reason, pause);
        tokio::select! {
            _ = stopping.wait_for(|stop| *stop) => return,
            () = wait_for_retry(pause, retried) => {}
            () = while_down(&mut task, &pulse.0.name) => {}
        }
    }
}

async fn wait_for_retry(pause: Duration, retried: Notified<'_>) {
    tokio::select! {
        () = sleep(pause) => {}
        () = retried => {}
    }
}

/// A panic must not end `keep_alive`: the task would never start again.
async fn while_down(task: &mut impl Task, name: &str) {
    if let Err(panic) = AssertUnwindSafe(task.while_down()).catch_unwind().await {
        let reason = panic_message(&*panic);
        tracing::error!(
            code = "task_failed",
            task = name,
            reason,
            "a task panicked in its pause"
        );
        count_failure(name);
        pending().await
    }
}

pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}

fn count_failure(task: &str) {
    metrics::counter!("razao_task_failures_total", "task" => task.to_owned()).increment(1);
}

struct Periodic<F> {
    period: Duration,
    job: F,
}

#[async_trait]
impl<F, R, E> Task for Periodic<F>
where
    F: FnMut() -> R + Send + 'static,
    R: Future<Output = Result<(), E>> + Send,
    E: Into<Failure>,
{
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let mut ticks = interval(self.period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            (self.job)().await.map_err(Into::into)?;
            pulse.beat();
        }
    }
}

/// Spawns a task that ends by itself (a connection's driver, one delivery) and is not started again. A panic is logged
/// and counted; the owner notices the end.
pub fn spawn_once<R: Send + 'static>(
    name: &'static str,
    work: impl Future<Output = R> + Send + 'static,
) -> JoinHandle<Option<R>> {
    #[expect(clippy::disallowed_methods, reason = "this is the supervisor's module")]
    tokio::spawn(async move {
        let ended = AssertUnwindSafe(work).catch_unwind().await;
        ended
            .inspect_err(|panic| panicked(name, panic_message(&**panic)))
            .ok()
    })
}

/// Logs the panic of a task that another structure holds (a `JoinSet`).
pub fn note_panic(name: &'static str, error: JoinError) {
    if let Ok(panic) = error.try_into_panic() {
        panicked(name, panic_message(&*panic));
    }
}

fn panicked(task: &'static str, reason: &str) {
    tracing::error!(code = "task_failed", task, reason, "a task ended by a panic");
    count_failure(task);
}

#[cfg(test)]
mod tests;
