//! A value that a reload of the configuration replaces while the program runs.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// All clones have the present value.
#[derive(Clone, Default)]
pub struct Live<T>(Arc<RwLock<Arc<T>>>);

impl<T> Live<T> {
    pub fn new(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }

    pub fn get(&self) -> Arc<T> {
        // The lock is held for one assignment, which cannot leave half a value.
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the value of the configuration that was read anew.
    pub(super) fn take_from(&self, fresh: &Self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = fresh.get();
    }
}

impl<T: fmt::Debug> fmt::Debug for Live<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
