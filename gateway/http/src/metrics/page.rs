//! Text of Prometheus's format for what the recorder does not keep.

use std::fmt::{Display, Write};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Counter,
    Gauge,
    Histogram,
    Summary,
}

impl Kind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
            Self::Summary => "summary",
        }
    }
}

/// A family without a sample is legal, and tells that the metric exists.
pub fn head(kind: Kind, name: &str, help: &str) -> String {
    format!("# HELP {name} {help}\n# TYPE {name} {}\n", kind.as_str())
}

#[derive(Debug, Default)]
pub struct Page(String);

impl Page {
    /// `samples` have their labels, such as `state="open"`, or none. Without its value a sample is absent: a 0 would look
    /// like a good figure, and the last known one like a present one.
    pub fn gauge<V: Display>(&mut self, name: &str, help: &str, samples: &[(&str, Option<V>)]) {
        self.0.push_str(&head(Kind::Gauge, name, help));
        for (labels, value) in samples {
            let Some(value) = value else { continue };
            let written = match *labels {
                "" => writeln!(self.0, "{name} {value}"),
                labels => writeln!(self.0, "{name}{{{labels}}} {value}"),
            };
            debug_assert!(written.is_ok(), "a string takes every text");
        }
    }

    pub fn into_text(self) -> String {
        self.0
    }
}
