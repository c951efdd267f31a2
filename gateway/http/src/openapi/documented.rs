//! The parts of a call's document that follow from the arguments of its handler.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::HeaderMap;

use super::CallDocument;
use crate::edge::panel::TenantLabel;
use crate::edge::{ClientAddress, PanelUrl, RequestedUrl};

/// An argument of a handler. `describe` adds the parameters, the body and the answers that follow from it.
pub trait Documented {
    fn describe(call: &mut CallDocument);
}

/// Arguments that add nothing to the document.
macro_rules! undocumented {
    ($([$($parameter:ident)?] $argument:ty;)+) => {
        $(impl $(<$parameter>)? Documented for $argument {
            fn describe(_: &mut CallDocument) {}
        })+
    };
}

undocumented! {
    [S] State<S>;
    [T] Path<T>;
    [] HeaderMap;
    [] Bytes;
    [] Result<Bytes, BytesRejection>;
    [] ClientAddress;
    [] PanelUrl;
    [] RequestedUrl;
    [] TenantLabel;
}

/// All arguments of a handler, in the form of axum's `Handler`: a marker and the types.
macro_rules! arguments {
    ($($argument:ident)*) => {
        impl<Marker, $($argument: Documented),*> Documented for (Marker, $($argument,)*) {
            fn describe(call: &mut CallDocument) {
                let _ = &call;
                $($argument::describe(call);)*
            }
        }
    };
}

arguments!();
arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
arguments!(A B C D E F G);
arguments!(A B C D E F G H);
