//! Collects the log of a test.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::subscriber::DefaultGuard;

/// Collects the log of this thread, on which all tasks of a `#[tokio::test]` of the default flavor run.
pub struct ThreadLog {
    text: LogText,
    _guard: DefaultGuard,
}

#[derive(Clone, Default)]
struct LogText(Arc<Mutex<Vec<u8>>>);

impl ThreadLog {
    pub fn start() -> Self {
        let text = LogText::default();
        let writer = text.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing::Level::INFO)
            .with_writer(move || writer.clone())
            .finish();
        Self {
            text,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// The lines that contain the text.
    pub fn lines_with(&self, text: &str) -> Vec<String> {
        let log = self.text.0.lock().unwrap_or_else(PoisonError::into_inner);
        let log = String::from_utf8_lossy(&log);
        log.lines()
            .filter(|line| line.contains(text))
            .map(str::to_owned)
            .collect()
    }
}

impl io::Write for LogText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
