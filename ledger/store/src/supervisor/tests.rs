use tokio::sync::mpsc;
use tokio::task::yield_now;

use super::*;

/// Reports each start, and then performs the script's next act.
struct Scripted {
    starts: mpsc::UnboundedSender<()>,
    script: Vec<Act>,
}

#[derive(Clone, Copy)]
enum Act {
    Panic,
    Fail,
    Work,
    End,
}

#[async_trait]
impl Task for Scripted {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let _ = self.starts.send(());
        match self.script.pop().expect("an act") {
            Act::Panic => panic!("on purpose {}", 7),
            Act::Fail => Err("the disk is full".into()),
            Act::Work => {
                pulse.beat();
                pending().await
            }
            Act::End => Ok(()),
        }
    }
}

struct Stage {
    supervisor: Supervisor,
    task: Supervised,
    starts: mpsc::UnboundedReceiver<()>,
}

fn stage(script: &[Act]) -> Stage {
    let (sender, starts) = mpsc::unbounded_channel();
    let supervisor = Supervisor::default();
    let task = Scripted {
        starts: sender,
        script: script.iter().rev().copied().collect(),
    };
    Stage {
        task: supervisor.start("scripted", task),
        supervisor,
        starts,
    }
}

impl Stage {
    async fn started(&mut self) {
        self.starts.recv().await.expect("a start");
        // Lets the task perform its act: the runtime has one thread.
        yield_now().await;
    }

    fn failing(&self) -> Vec<(u64, String)> {
        let failing = self.supervisor.failing();
        failing
            .into_iter()
            .map(|task| (task.failures, task.reason))
            .collect()
    }
}

#[tokio::test]
async fn a_retry_ends_a_pause_even_if_it_comes_before_the_pause() {
    let stage = stage(&[Act::Work]);
    let state = stage.task.state.clone();
    let retried = state.retry.notified();
    // The retry comes even before the task begins to wait.
    stage.supervisor.retry_failing();
    // The pause would never end by itself.
    wait_for_retry(Duration::MAX, retried).await;
}

#[test]
fn pauses_double_up_to_five_seconds_and_reset_after_a_minute_of_work() {
    let mut pauses = Backoff::FIRST;
    let briefly: Vec<_> = (0..8).map(|_| pauses.next(Duration::ZERO).as_millis()).collect();
    assert_eq!(briefly, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    assert_eq!(pauses.next(STEADY).as_millis(), 100);
    assert_eq!(pauses.next(Duration::ZERO).as_millis(), 200);
}

#[tokio::test]
async fn a_task_that_panics_or_fails_is_started_again_and_counts_as_failing_until_it_works() {
    let mut stage = stage(&[Act::Panic, Act::Fail, Act::Work]);
    assert_eq!(stage.failing(), [], "not before it failed");
    stage.started().await;
    assert_eq!(stage.failing(), [(1, "panic: on purpose 7".to_owned())]);
    stage.started().await;
    assert_eq!(stage.failing(), [(2, "the disk is full".to_owned())]);
    stage.started().await;
    assert_eq!(stage.failing(), []);
    assert_eq!(stage.supervisor.tasks()[0].failures, 2, "failures are kept");
}

#[tokio::test]
async fn a_task_that_ends_is_neither_started_again_nor_failing() {
    let mut stage = stage(&[Act::Fail, Act::End]);
    stage.task.ended().await;
    assert_eq!(stage.supervisor.tasks(), []);
    assert!(stage.starts.recv().await.is_some() && stage.starts.recv().await.is_some());
    assert!(stage.starts.recv().await.is_none());
}

#[tokio::test]
async fn a_dropped_task_ends_and_is_forgotten() {
    let mut stage = stage(&[Act::Work]);
    stage.started().await;
    drop(stage.task);
    assert_eq!(stage.supervisor.tasks(), []);
    assert!(stage.starts.recv().await.is_none(), "the task is gone");
}

#[tokio::test]
async fn a_failed_task_that_is_to_stop_is_not_started_again() {
    let (stop, stopping) = watch::channel(false);
    let (sender, mut starts) = mpsc::unbounded_channel();
    let task = Scripted {
        starts: sender,
        script: vec![Act::Fail],
    };
    let mut task = Supervisor::default().start_until("scripted", stopping, task);
    starts.recv().await;
    stop.send_replace(true);
    task.ended().await;
    assert!(starts.recv().await.is_none());
}

#[tokio::test]
async fn a_broken_task_fails_at_once_until_it_is_mended() {
    let mut stage = stage(&[Act::Work, Act::Work]);
    stage.started().await;
    stage.supervisor.break_tasks("scripted");
    while stage.failing().is_empty() {
        yield_now().await;
    }
    assert_eq!(stage.failing(), [(1, "panic: a test broke the task".to_owned())]);
    stage.supervisor.mend_tasks("scripted");
    stage.started().await;
    assert_eq!(stage.failing(), []);
}

/// Fails once, and panics in the pause.
struct PanicsWhileDown {
    starts: mpsc::UnboundedSender<()>,
    failed: bool,
}

#[async_trait]
impl Task for PanicsWhileDown {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        let _ = self.starts.send(());
        if !self.failed {
            self.failed = true;
            return Err("the disk is full".into());
        }
        pulse.beat();
        pending().await
    }

    async fn while_down(&mut self) {
        panic!("on purpose")
    }
}

#[tokio::test]
async fn a_task_that_panics_in_its_pause_is_started_again() {
    let (sender, mut starts) = mpsc::unbounded_channel();
    let supervisor = Supervisor::default();
    let task = PanicsWhileDown {
        starts: sender,
        failed: false,
    };
    let _task = supervisor.start("scripted", task);
    starts.recv().await.expect("a start");
    starts.recv().await.expect("a start after the pause");
    yield_now().await;
    assert_eq!(supervisor.failing(), []);
}

#[tokio::test]
async fn a_job_runs_at_once_and_soon_after_an_error() {
    let (sender, mut runs) = mpsc::unbounded_channel();
    let mut run = 0;
    let supervisor = Supervisor::default();
    let _job = supervisor.every("job", Duration::from_secs(3_600), move || {
        run += 1;
        let _ = sender.send(run);
        let result = if run == 1 { Err("once") } else { Ok(()) };
        async move { result }
    });
    assert_eq!(runs.recv().await, Some(1));
    yield_now().await;
    assert_eq!(supervisor.failing()[0].reason, "once");
    assert_eq!(runs.recv().await, Some(2), "long before its period is over");
    yield_now().await;
    assert_eq!(supervisor.failing(), []);
}

#[tokio::test]
async fn a_panic_of_a_one_time_task_ends_only_that_task() {
    let ended = spawn_once("once", async { panic!("on purpose") });
    assert_eq!(ended.await.expect("no lost task"), None::<()>);
    assert_eq!(
        spawn_once("once", async { 7 }).await.expect("no lost task"),
        Some(7)
    );
}
