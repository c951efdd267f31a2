//! Reads variables one by one and collects their errors, so that all of them are reported.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use super::{ConfigFaults, Environment, unknown};

pub struct Variables<'a> {
    source: &'a dyn Fn(&str) -> Option<String>,
    production: bool,
    faults: Vec<String>,
    /// The names of all variables that were asked for. So the list of known names follows from the readers.
    known: RefCell<BTreeSet<String>>,
}

impl<'a> Variables<'a> {
    pub fn new(source: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            source,
            production: false,
            faults: Vec::new(),
            known: RefCell::default(),
        }
    }

    /// The variables that follow are checked by the rules of this environment.
    pub fn set_environment(&mut self, environment: Environment) {
        self.production = environment == Environment::Production;
    }

    pub fn production(&self) -> bool {
        self.production
    }

    /// An empty variable counts as absent.
    pub fn get(&self, name: &str) -> Option<String> {
        self.know(name);
        (self.source)(name)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    /// Makes a name known that is read only in some configurations.
    pub fn know(&self, name: &str) {
        if !self.known.borrow().contains(name) {
            self.known.borrow_mut().insert(name.to_owned());
        }
    }

    /// Records an error for each variable of the program's prefix that no reader asked for.
    pub fn refuse_unknown(&mut self, set: &[(String, String)]) {
        let known = self.known.take();
        for (name, value) in set {
            if let Some(problem) = unknown::problem(name, value, &known) {
                self.fault(name, &problem);
            }
        }
    }

    /// Returns the value, or the default if there is none. An invalid value is recorded as an error, and the default is
    /// used.
    pub fn parse<T>(&mut self, name: &str, default: T, parse: impl FnOnce(&str) -> Result<T, String>) -> T {
        self.optional(name, parse).unwrap_or(default)
    }

    pub fn optional<T>(&mut self, name: &str, parse: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = self.get(name)?;
        parse(&text).map_err(|fault| self.fault(name, &fault)).ok()
    }

    /// Like `optional`, for a value with other rules in production.
    pub fn optional_checked<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str, bool) -> Result<T, String>,
    ) -> Option<T> {
        let production = self.production;
        self.optional(name, |text| parse(text, production))
    }

    /// How long to wait for a provider's answer to a call, in milliseconds.
    pub fn timeout(&mut self, name: &str) -> Duration {
        self.parse(name, Duration::from_secs(10), |text| match text.parse() {
            Ok(milliseconds @ 1..=120_000) => Ok(Duration::from_millis(milliseconds)),
            _ => Err("is not a number from 1 to 120000".to_owned()),
        })
    }

    /// A time limit for clients, in milliseconds.
    pub fn limit(&mut self, name: &str, default: u64) -> Duration {
        self.parse(name, Duration::from_millis(default), |text| match text.parse() {
            Ok(milliseconds @ 1..=3_600_000) => Ok(Duration::from_millis(milliseconds)),
            _ => Err("is not a number from 1 to 3600000".to_owned()),
        })
    }

    /// The age, in minutes, from which open work is shown to operators as late.
    pub fn late_after(&mut self, name: &str) -> Duration {
        self.parse(name, Duration::from_secs(30 * 60), |text| match text.parse() {
            Ok(minutes @ 1..=10_080) => Ok(Duration::from_secs(60 * minutes)),
            _ => Err("is not a number from 1 to 10080".to_owned()),
        })
    }

    /// `sandbox`, in development only, or `none`.
    pub fn sandbox_or_none<T>(&mut self, name: &str, sandbox: T) -> Option<T> {
        let production = self.production;
        match self.get(name).as_deref() {
            None => (!production).then_some(sandbox),
            Some("none") => None,
            Some("sandbox") if production => {
                self.fault(name, "names the sandbox, which is for development only");
                None
            }
            Some("sandbox") => Some(sandbox),
            Some(_) => {
                self.fault(name, "is neither sandbox nor none");
                None
            }
        }
    }

    pub fn required_in_production<T>(
        &mut self,
        name: &str,
        why: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.production && self.get(name).is_none() {
            self.fault(name, &format!("is needed in production: {why}"));
        }
        self.optional(name, parse)
    }

    pub fn development_only<T>(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.production && self.get(name).is_some() {
            self.fault(name, "is for development only");
            return None;
        }
        self.optional(name, parse)
    }

    /// Records an error, whose text follows the variable's name. `problem` must never contain a value: errors are
    /// printed, and a variable may contain a secret.
    pub fn fault(&mut self, name: &str, problem: &str) {
        self.faults.push(format!("{name} {problem}"));
    }

    pub fn finish(self) -> Result<(), ConfigFaults> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(ConfigFaults(self.faults))
        }
    }
}
