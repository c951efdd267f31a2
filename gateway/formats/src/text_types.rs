//! A macro for types that wrap a checked text.

/// Adds `as_str`, and `Display`, which prints the text unchanged.
macro_rules! checked_text {
    ($($name:ident),+) => {
        $(
            impl $name {
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.pad(&self.0)
                }
            }
        )+
    };
}
pub(crate) use checked_text;
