//! Reads variables one by one and collects their errors, so that all of them are reported.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::time::Duration;

use super::in_force::{Setting, Settings, Source};
use super::{ConfigFaults, Environment, Purpose, secret_files, unknown};

pub struct Variables<'a> {
    source: &'a dyn Fn(&str) -> Option<String>,
    production: bool,
    purpose: Purpose,
    faults: Vec<String>,
    /// The names of all variables that were asked for. So the list of known names follows from the readers.
    known: RefCell<BTreeSet<String>>,
    /// What was read, and the faults of the files with secrets. A variable may be asked for more than once.
    settings: RefCell<BTreeMap<String, Setting>>,
    faults_of_files: RefCell<BTreeSet<String>>,
}

impl<'a> Variables<'a> {
    pub fn new(source: &'a dyn Fn(&str) -> Option<String>, purpose: Purpose) -> Self {
        Self {
            source,
            production: false,
            purpose,
            faults: Vec::new(),
            known: RefCell::default(),
            settings: RefCell::default(),
            faults_of_files: RefCell::default(),
        }
    }

    /// The variables that follow are checked by the rules of this environment.
    pub fn set_environment(&mut self, environment: Environment) {
        self.production = environment == Environment::Production;
    }

    pub fn production(&self) -> bool {
        self.production
    }

    /// An empty variable counts as absent. A secret may stand in a file instead.
    pub fn get(&self, name: &str) -> Option<String> {
        if let Some(known) = self.settings.borrow().get(name) {
            return known.text.clone();
        }
        let read = self.read(name);
        let text = read.text.clone();
        self.settings.borrow_mut().insert(name.to_owned(), read);
        text
    }

    fn read(&self, name: &str) -> Setting {
        let given = self.given(name);
        if secret_files::is_secret(name) {
            let of_file = secret_files::variable(name);
            match (given.is_some(), self.given(&of_file)) {
                (_, None) => {}
                (true, Some(_)) => {
                    self.fault_of_file(format!("{of_file} is set, and {name} too: set one of them"))
                }
                (false, Some(path)) => match secret_files::read(&path) {
                    Ok(text) => return Setting::new(Some(text), Source::File(path)),
                    Err(fault) => self.fault_of_file(format!("{of_file} {fault}")),
                },
            }
        }
        let source = match given {
            Some(_) => Source::Environment,
            None => Source::Default(None),
        };
        Setting::new(given, source)
    }

    fn given(&self, name: &str) -> Option<String> {
        self.know(name);
        (self.source)(name)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    }

    fn fault_of_file(&self, fault: String) {
        self.faults_of_files.borrow_mut().insert(fault);
    }

    /// Makes a name known that is read only in some configurations.
    pub fn know(&self, name: &str) {
        if !self.known.borrow().contains(name) {
            self.known.borrow_mut().insert(name.to_owned());
            if secret_files::is_secret(name) {
                self.know(&secret_files::variable(name));
            }
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
    pub fn parse<T: Debug>(
        &mut self,
        name: &str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> T {
        let read = self.optional(name, parse);
        if let Some(setting) = self.settings.borrow_mut().get_mut(name)
            && setting.text.is_none()
        {
            setting.source = Source::Default(Some(format!("{default:?}")));
        }
        read.unwrap_or(default)
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
        if self.production && self.purpose == Purpose::Service {
            self.require(name, why);
        }
        self.optional(name, parse)
    }

    /// Whatever the program is started for.
    pub fn required_of_all_in_production<T>(
        &mut self,
        name: &str,
        why: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        if self.production {
            self.require(name, why);
        }
        self.optional(name, parse)
    }

    fn require(&mut self, name: &str, why: &str) {
        // A file that cannot be read is a fault of its own.
        let has_file = self.given(&secret_files::variable(name)).is_some();
        if self.get(name).is_none() && !has_file {
            self.fault(name, &format!("is needed in production: {why}"));
        }
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

    pub fn finish(mut self) -> Result<Settings, ConfigFaults> {
        self.faults.extend(self.faults_of_files.take());
        if self.faults.is_empty() {
            Ok(Settings(self.settings.take()))
        } else {
            Err(ConfigFaults(self.faults))
        }
    }
}
