//! The readable trace of a run. When it is off, no text is made.

use chrono::SecondsFormat;
use ledger_domain::calendar::Instant;

#[derive(Debug, Default)]
pub struct Trace {
    lines: Option<Vec<String>>,
    pub step: u64,
}

impl Trace {
    pub fn on() -> Self {
        Self {
            lines: Some(vec![]),
            step: 0,
        }
    }

    pub fn line(&mut self, now: Instant, text: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            let at = now.to_rfc3339_opts(SecondsFormat::Millis, true);
            lines.push(format!("{:>5} {at}  {}", self.step, text()));
        }
    }

    pub fn into_lines(self) -> Vec<String> {
        self.lines.unwrap_or_default()
    }
}
