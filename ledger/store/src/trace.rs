//! Traces for operators: what led to what, from a request over its commit to the e-mail that it caused.
//!
//! While traces are off, each function here reads one flag. Stored bytes do not change: what is hashed has no place for
//! a trace. So a trace is carried in memory, from a command to its batch, from the batch to the followers of this process,
//! and from a row of an outbox to its attempts by the row's id. Work that goes on in another process, or after a restart,
//! begins a trace of its own; its ids lead to the other one.
//!
//! No span has a value of a person, a body, or an address with its values.

use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use lru::LruCache;
use opentelemetry::global::{self, BoxedSpan, BoxedTracer};
pub use opentelemetry::trace::SpanKind;
use opentelemetry::trace::{
    Link, Span as _, SpanContext, SpanId, Status, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, KeyValue, Value};
use tokio::task::futures::TaskLocalFuture;
use uuid::Uuid;

/// A batch can serve more commands than a span may have links.
const LINKS_MAX: usize = 127;
/// Rows of outboxes whose places are known.
const REMEMBERED_MAX: NonZeroUsize = NonZeroUsize::new(10_000).expect("more than 0");

static TRACER: OnceLock<BoxedTracer> = OnceLock::new();
static REMEMBERED: LazyLock<Mutex<LruCache<Uuid, Place>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(REMEMBERED_MAX)));

tokio::task_local! {
    static CURRENT: Option<Running>;
}

/// From now on spans are made, by the provider that was set before.
pub fn turn_on() {
    TRACER.get_or_init(|| global::tracer("razao"));
}

pub fn is_on() -> bool {
    TRACER.get().is_some()
}

/// A place in a trace, from which others go on. While traces are off it is empty.
#[derive(Debug, Clone, Default)]
pub struct Place(Option<Arc<SpanContext>>);

impl Place {
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Of a caller, by W3C Trace Context. A header that is not valid begins a new trace.
    pub fn of_caller(traceparent: &str) -> Self {
        let parsed = || {
            let mut parts = traceparent.split('-');
            let [version, trace, span, flags] = [(); 4].map(|()| parts.next());
            let (version, trace, span, flags) = (version?, trace?, span?, flags?);
            let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let is_whole = [(version, 2), (trace, 32), (span, 16), (flags, 2)]
                .iter()
                .all(|(text, length)| text.len() == *length && is_hex(text));
            // Later versions may have further parts.
            if !is_whole || version == "ff" || (version == "00" && parts.next().is_some()) {
                return None;
            }
            let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
            let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
            let context = SpanContext::new(trace, span, flags, true, TraceState::NONE);
            context.is_valid().then(|| Arc::new(context))
        };
        Self(parsed())
    }

    /// For a caller, by W3C Trace Context.
    pub fn traceparent(&self) -> Option<String> {
        let context = self.0.as_ref()?;
        let flags = context.trace_flags() & TraceFlags::SAMPLED;
        Some(format!(
            "00-{}-{}-{:02x}",
            context.trace_id(),
            context.span_id(),
            flags.to_u8()
        ))
    }

    fn is_sampled(&self) -> bool {
        self.0.as_ref().is_some_and(|context| context.is_sampled())
    }
}

/// The span within which a task runs.
#[derive(Clone)]
pub struct Running {
    span: Arc<Mutex<BoxedSpan>>,
    place: Place,
}

impl Running {
    fn span(&self) -> MutexGuard<'_, BoxedSpan> {
        self.span.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of a trace. It ends when it is dropped, and what runs within it has ended too.
#[derive(Default)]
pub struct Span(Option<Running>);

impl Span {
    /// Goes on from the span within which the caller runs.
    pub fn start(name: &'static str, kind: SpanKind) -> Self {
        match TRACER.get() {
            Some(tracer) => Self::build(tracer, name.to_owned(), kind, &[current()], None),
            None => Self::default(),
        }
    }

    /// Goes on from the first of the places that is recorded, and names the others as links. `name` is asked only if
    /// traces are on.
    pub fn after(places: &[Place], name: impl FnOnce() -> String, kind: SpanKind) -> Self {
        match TRACER.get() {
            Some(tracer) => Self::build(tracer, name(), kind, places, None),
            None => Self::default(),
        }
    }

    /// The same, of work that has begun before.
    pub fn since(began: SystemTime, places: &[Place], name: &'static str) -> Self {
        match TRACER.get() {
            Some(tracer) => Self::build(tracer, name.to_owned(), SpanKind::Internal, places, Some(began)),
            None => Self::default(),
        }
    }

    fn build(
        tracer: &BoxedTracer,
        name: String,
        kind: SpanKind,
        places: &[Place],
        began: Option<SystemTime>,
    ) -> Self {
        let parent = places
            .iter()
            .position(Place::is_sampled)
            .or_else(|| places.iter().position(|place| !place.is_empty()));
        let others = places.iter().enumerate();
        let links = others
            .filter(|(at, _)| Some(*at) != parent)
            .filter_map(|(_, place)| Some(Link::with_context(SpanContext::clone(place.0.as_ref()?))))
            .take(LINKS_MAX);
        let context = parent.and_then(|at| places[at].0.as_ref());
        let context = context.map_or_else(Context::new, |parent| {
            Context::new().with_remote_span_context(SpanContext::clone(parent))
        });
        let mut builder = tracer
            .span_builder(name)
            .with_kind(kind)
            .with_links(links.collect());
        if let Some(began) = began {
            builder = builder.with_start_time(began);
        }
        let span = tracer.build_with_context(builder, &context);
        let place = Place(Some(Arc::new(span.span_context().clone())));
        Self(Some(Running {
            span: Arc::new(Mutex::new(span)),
            place,
        }))
    }

    pub fn set(&self, key: &'static str, value: impl Into<Value>) {
        if let Some(running) = &self.0 {
            running.span().set_attribute(KeyValue::new(key, value));
        }
    }

    /// Like `set`, for a value that costs something.
    pub fn set_with<V: Into<Value>>(&self, key: &'static str, value: impl FnOnce() -> V) {
        if self.0.is_some() {
            self.set(key, value());
        }
    }

    pub fn fail(&self, why: impl Into<std::borrow::Cow<'static, str>>) {
        if let Some(running) = &self.0 {
            running.span().set_status(Status::error(why));
        }
    }

    pub fn place(&self) -> Place {
        self.0
            .as_ref()
            .map(|running| running.place.clone())
            .unwrap_or_default()
    }

    /// Runs the future within this span.
    pub fn within<F: Future>(&self, work: F) -> TaskLocalFuture<Option<Running>, F> {
        CURRENT.scope(self.0.clone(), work)
    }
}

/// The place of the span within which the caller runs.
pub fn current() -> Place {
    let current = CURRENT.try_with(|running| running.as_ref().map(|running| running.place.clone()));
    current.ok().flatten().unwrap_or_default()
}

/// Sets an attribute of the span within which the caller runs.
pub fn note(key: &'static str, value: impl Into<Value>) {
    if is_on() {
        let set = |running: &Option<Running>| {
            if let Some(running) = running {
                running.span().set_attribute(KeyValue::new(key, value));
            }
        };
        // Outside of a span there is nothing to note it in.
        CURRENT.try_with(set).unwrap_or_default();
    }
}

/// What is done later for the row of this id goes on from here. The oldest are forgotten.
pub fn remember(id: Uuid) {
    if is_on() {
        let place = current();
        if !place.is_empty() {
            remembered().put(id, place);
        }
    }
}

pub fn recall(id: Uuid) -> Place {
    match is_on() {
        true => remembered().get(&id).cloned().unwrap_or_default(),
        false => Place::default(),
    }
}

fn remembered() -> MutexGuard<'static, LruCache<Uuid, Place>> {
    REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_callers_place_is_returned_as_it_came_and_an_invalid_one_is_none() {
        assert_eq!(Place::of_caller(VALID).traceparent().as_deref(), Some(VALID));
        let later = VALID.replacen("00", "01", 1) + "-more";
        assert_eq!(Place::of_caller(&later).traceparent().as_deref(), Some(VALID));
        for invalid in [
            "",
            "00",
            &VALID.replacen("00", "ff", 1),
            &VALID.to_ascii_uppercase(),
            &format!("{VALID}-more"),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        ] {
            assert!(Place::of_caller(invalid).is_empty(), "{invalid}");
        }
    }

    #[tokio::test]
    async fn while_traces_are_off_nothing_is_kept() {
        let span = Span::start("a test", SpanKind::Internal);
        let id = Uuid::from_u128(1);
        let place = span.within(async {
            note("key", "value");
            remember(id);
            current()
        });
        assert!(place.await.is_empty() && recall(id).is_empty() && span.place().is_empty());
    }
}
