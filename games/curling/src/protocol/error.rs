//! What can be wrong with a message.

use thiserror::Error;

/// A message that cannot be read, written or used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProtocolError {
    /// The line is no JSON.
    #[error("not a line of JSON: {why}")]
    NotJson {
        /// What the parser said.
        why: String,
    },
    /// A field is missing.
    #[error("`{field}` is missing; expected {expected}")]
    Missing {
        /// Its path, as in `state.stones.team0[3].position`.
        field: String,
        /// What would be right.
        expected: String,
    },
    /// A field holds something else than it should.
    #[error("`{field}` is {found}; expected {expected}")]
    Wrong {
        /// Its path.
        field: String,
        /// What would be right.
        expected: String,
        /// What is there, cut short.
        found: String,
    },
    /// A client wrote a field that the protocol does not have.
    #[error("`{field}` is not a field of this message; it has {known}")]
    Unknown {
        /// Its path.
        field: String,
        /// The fields there are.
        known: String,
    },
    /// The message holds what JSON or the protocol cannot.
    #[error("cannot be written: {why}")]
    Unwritable {
        /// What and why.
        why: String,
    },
}
