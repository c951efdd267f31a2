//! A macro for types that wrap a checked text.

/// Reads the text, and prints it as it is.
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
