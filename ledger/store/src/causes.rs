//! An error with all its causes, as an operator may read it. The errors of the database and of HTTP clients say only
//! "db error" or "error sending request"; what is wrong is in their causes.

use std::error::Error;
use std::fmt;

use tokio_postgres::error::DbError;

/// Shows an error and its causes, each once: many errors repeat their cause in their own text. Of an error that the
/// database reported, the detail is left out: it may show the failed row, for example with a password hash.
pub struct Causes<'a>(pub &'a (dyn Error + 'static));

impl fmt::Display for Causes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = one(self.0);
        let mut cause = self.0.source();
        while let Some(error) = cause {
            let next = one(error);
            if !text.contains(&next) {
                text = if text.is_empty() || next.contains(&text) {
                    next
                } else {
                    format!("{text}: {next}")
                };
            }
            cause = error.source();
        }
        formatter.write_str(&text)
    }
}

fn one(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<DbError>() {
        Some(reported) => format!(
            "{}: {} (SQLSTATE {}{})",
            reported.severity(),
            reported.message(),
            reported.code().code(),
            reported
                .constraint()
                .map_or_else(String::new, |constraint| format!(", constraint {constraint}"))
        ),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use thiserror::Error;

    use super::Causes;

    #[derive(Debug, Error)]
    #[error("no route to host")]
    struct Network;

    #[derive(Debug, Error)]
    #[error("db error")]
    struct Library(#[source] Network);

    #[derive(Debug, Error)]
    #[error("no connection: {0}")]
    struct Pool(#[source] Library);

    #[derive(Debug, Error)]
    #[error(transparent)]
    struct Start(Pool);

    #[test]
    fn each_cause_is_shown_once() {
        let text = |error: &(dyn std::error::Error + 'static)| Causes(error).to_string();
        assert_eq!(text(&Network), "no route to host");
        assert_eq!(
            text(&Start(Pool(Library(Network)))),
            "no connection: db error: no route to host"
        );
    }

    #[test]
    fn an_error_of_the_database_names_what_is_wrong() {
        let error = "unknown_option=1".parse::<tokio_postgres::Config>();
        let error = error.expect_err("the option is unknown");
        assert!(!error.to_string().contains("unknown_option"));
        assert!(Causes(&error).to_string().contains("unknown_option"));
    }
}
