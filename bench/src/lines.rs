//! A file of lines that only grows. A line is written with one call, flushed and synced, so that
//! whatever stops the process loses at most the line that was being written; on opening, a last line
//! without its end is cut off.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file that is open for appending, and nobody else's meanwhile.
#[derive(Debug)]
pub(crate) struct Lines {
    file: File,
    path: PathBuf,
    /// Bytes of whole lines.
    length: u64,
    /// Set when a line may be there in part, after which nothing may be added.
    torn: bool,
}

/// A file and what was in it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) lines: Lines,
    /// Everything in it.
    pub(crate) bytes: Vec<u8>,
    /// How many of the bytes are whole lines.
    pub(crate) whole: usize,
}

impl Lines {
    /// Opens a file, or begins one. Call [`Lines::cut`] before anything is written.
    ///
    /// # Errors
    /// When the file cannot be used, or is written by another process.
    pub(crate) fn open(path: &Path) -> Result<Opened> {
        let shown = path.display();
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(|e| Error::file(format!("opening {shown}"), e))?;
        // A device or a pipe might never end, and keeps nothing.
        if !file.metadata().is_ok_and(|m| m.is_file()) {
            return Err(Error::input(format!(
                "{shown} is not a regular file; choose another --out"
            )));
        }
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::input(format!(
                    "{shown} is being written by another run; wait for it, or use another --out"
                )));
            }
            // Some file systems have no locks; the log is still sound.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|e| Error::file(format!("reading {shown}"), e))?;
        let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let lines = Self {
            file,
            path: path.into(),
            length: whole as u64,
            torn: false,
        };
        Ok(Opened {
            lines,
            bytes,
            whole,
        })
    }

    /// Writes one line, with its end, and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&mut self, line: &str) -> Result<()> {
        let failed = |path: &Path, e| Error::file(format!("writing {}", path.display()), e);
        if self.torn {
            let e = io::Error::other("an earlier line was written in part");
            return Err(failed(&self.path, e));
        }
        let written = self.file.write_all(line.as_bytes());
        if let Err(e) = written.and_then(|()| self.file.sync_data()) {
            // Half a line in the middle of a log would make all of it unreadable.
            self.torn = self.cut().is_err();
            return Err(failed(&self.path, e));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Cuts off what is not a whole line.
    ///
    /// # Errors
    /// When the file cannot be changed.
    pub(crate) fn cut(&mut self) -> Result<()> {
        let cut = self.file.set_len(self.length);
        cut.and_then(|()| self.file.seek(SeekFrom::End(0)))
            .map(|_| ())
            .map_err(|e| Error::file(format!("repairing {}", self.path.display()), e))
    }
}
