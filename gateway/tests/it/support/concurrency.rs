//! Concurrent requests: several for one thing, and one whose admin user loses the role.

use std::future::Future;

use super::{Answer, TestApp};

/// Of concurrent requests for one thing, one passes, and the others get a 409.
#[track_caller]
pub fn assert_one_passes(answers: &[Answer]) {
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    let (first, others) = statuses.split_first().expect("answers");
    assert_eq!(*first, 200, "{statuses:?}");
    assert!(others.iter().all(|status| *status == 409), "{statuses:?}");
}

impl TestApp {
    /// The answer to a request of an admin user who loses the role after the guard has read it, and before the command.
    /// Afterwards all admin users have the role `admin`.
    pub async fn answer_while_role_is_lost(&self, request: impl Future<Output = Answer>) -> Answer {
        let mut connection = self.app.state.pool.get().await.expect("a connection");
        let losing = connection.transaction().await.expect("a transaction");
        losing
            .execute("UPDATE admin_user SET roles = ARRAY['financial']", &[])
            .await
            .expect("a change");
        let lose = async {
            self.until_sessions_wait_for_locks(1).await;
            losing.commit().await.expect("a commit");
        };
        let (answer, ()) = tokio::join!(request, lose);
        self.execute("UPDATE admin_user SET roles = ARRAY['admin']").await;
        answer
    }
}
