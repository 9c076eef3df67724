//! Input, output and errors of the command line, replaceable in tests.

use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};

use serde::Serialize;

use crate::error::Result;

/// Where the command line reads and writes. Writing never panics: an output that is gone is an
/// error like any other.
pub struct Console {
    input: Box<dyn BufRead>,
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    colour_out: bool,
    colour_err: bool,
    progress: bool,
}

impl Console {
    /// The console of this process.
    #[must_use]
    pub fn process() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let terminal = io::stderr().is_terminal();
        Self {
            input: Box::new(BufReader::new(io::stdin())),
            out: Box::new(BufWriter::new(io::stdout())),
            err: Box::new(io::stderr()),
            colour_out: !plain && io::stdout().is_terminal(),
            colour_err: !plain && terminal,
            progress: terminal,
        }
    }

    /// A console that is no terminal.
    #[must_use]
    pub fn new(
        input: impl BufRead + 'static,
        out: impl Write + 'static,
        err: impl Write + 'static,
    ) -> Self {
        Self {
            input: Box::new(input),
            out: Box::new(out),
            err: Box::new(err),
            colour_out: false,
            colour_err: false,
            progress: false,
        }
    }

    /// Writes to standard output.
    pub(crate) fn print(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes())?;
        Ok(())
    }

    /// Writes one object to standard output.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.out, object).map_err(io::Error::from)?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// A line on standard error. It is a courtesy: when it cannot be written, nothing is lost.
    pub(crate) fn say(&mut self, line: &str) {
        let _ = writeln!(self.err, "{line}");
    }

    /// An error on standard error.
    pub(crate) fn complain(&mut self, message: &str) {
        let head = if self.colour_err {
            "\x1b[1;31merror:\x1b[0m"
        } else {
            "error:"
        };
        let _ = writeln!(self.err, "{head} {message}");
    }

    /// Pushes out what was written.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.out.flush()?;
        Ok(())
    }

    /// Asks on standard output, or on standard error when that is kept for an object; `None` at
    /// the end of the input.
    pub(crate) fn ask(&mut self, prompt: &str, on_error: bool) -> io::Result<Option<String>> {
        let to = if on_error {
            &mut self.err
        } else {
            &mut self.out
        };
        to.write_all(prompt.as_bytes())?;
        to.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_string()))
    }

    /// Whether standard output (or standard error) shows colours.
    pub(crate) fn colour(&self, err: bool) -> bool {
        if err {
            self.colour_err
        } else {
            self.colour_out
        }
    }

    /// Whether progress is shown.
    pub(crate) fn shows_progress(&self) -> bool {
        self.progress
    }

    fn styled(&self, code: &str, text: &str) -> String {
        if self.colour_out {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.into()
        }
    }

    /// Bold on a terminal.
    pub(crate) fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    /// Dim on a terminal.
    pub(crate) fn dim(&self, text: &str) -> String {
        self.styled("2", text)
    }

    /// Yellow on a terminal.
    pub(crate) fn yellow(&self, text: &str) -> String {
        self.styled("33", text)
    }
}
