//! Stands in for the crate `failure`: the derive that `chess` writes on the type of its errors, and nothing else.
//!
//! Nobody maintains that crate any more, and with what it needs it is a dozen others, most of which are built twice: for the
//! program and for the build script of `chess`, which everything waits for. What the derive gives, the text of an error, is
//! asked for by nobody: of a position that `chess` refuses only this is told (`src/core/rules/unwinnable.rs`).

use proc_macro::TokenStream;

/// Adds nothing to a type.
#[proc_macro_derive(Fail, attributes(fail))]
pub fn fail(_type: TokenStream) -> TokenStream {
    TokenStream::new()
}
