//! What can go wrong, and the exit status that goes with it.

use std::io;

use search_core::expr::ExprError;
use search_core::plugin::PluginError;
use thiserror::Error;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in words for the person at the terminal.
#[derive(Debug, Error)]
pub enum Error {
    /// Something given cannot be used: where, and what would be right.
    #[error("{0}")]
    Input(String),
    /// The input is fine and what was asked for did not hold.
    #[error("{0}")]
    Failed(String),
    /// A file cannot be read or written.
    #[error("{what}: {source}")]
    File {
        /// What was being done to which file.
        what: String,
        /// Why it did not work.
        source: io::Error,
    },
    /// Standard output is gone; with a broken pipe nobody is left to tell.
    #[error("writing the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// Bad input with its message.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    /// The error for an operation on a file.
    pub fn file(what: impl Into<String>, source: io::Error) -> Self {
        Self::File {
            what: what.into(),
            source,
        }
    }

    /// The exit status: 1 when what was asked for did not hold, 2 for bad input.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Input(_) | Self::File { .. } | Self::Output(_) => 2,
        }
    }
}

impl From<ExprError> for Error {
    fn from(error: ExprError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<PluginError> for Error {
    fn from(error: PluginError) -> Self {
        Self::Input(error.to_string())
    }
}
