//! How numbers and tables look.

use comfy_table::{CellAlignment, Table, presets};

/// `12,345`.
pub(super) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// Decimals that show a number whose standard error is this to two figures.
pub(super) fn decimals(standard_error: f64) -> usize {
    if standard_error > 0.0 && standard_error.is_finite() {
        (1.0 - standard_error.log10().floor()).clamp(0.0, 6.0) as usize
    } else {
        3
    }
}

/// A number with its sign and so many decimals; zero has none.
pub(super) fn signed(x: f64, decimals: usize) -> String {
    if x == 0.0 || format!("{x:.decimals$}").parse() == Ok(0.0) {
        return "0".into();
    }
    if !x.is_finite() {
        return "–".into();
    }
    format!("{x:+.decimals$}")
}

/// A duration at a readable scale.
pub(super) fn seconds(s: f64) -> String {
    let (value, unit) = match s {
        s if !s.is_finite() => return "–".into(),
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let decimals = if value < 10.0 { 1 } else { 0 };
    format!("{value:.decimals$} {unit}")
}

/// A share as a percentage, small ones with enough decimals to be told from 0.
pub(super) fn percent(share: f64) -> String {
    let p = 100.0 * share;
    let decimals = match p {
        p if p >= 10.0 || p == 0.0 => 0,
        p if p >= 0.1 => 1,
        p if p >= 0.01 => 2,
        _ => 3,
    };
    format!("{p:.decimals$} %")
}

/// A word for a shell, quoted when it must be.
pub(super) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A table without lines: the first column to the left, the others to the right.
pub(super) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    table_of_text(header, rows, 1)
}

/// A table whose first so many columns are text, to the left.
pub(super) fn table_of_text(header: &[&str], rows: &[Vec<String>], text: usize) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header.to_vec());
    for row in rows {
        table.add_row(row.clone());
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 3));
        if i >= text {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A label and what belongs to it; further lines under the first.
pub(super) fn labelled(page: &mut String, label: &str, text: &str) {
    for (i, part) in text.lines().enumerate() {
        let label = if i == 0 { label } else { "" };
        page.push_str(format!("{label:<10}  {part}").trim_end());
        page.push('\n');
    }
}

/// The lines of a text, each behind a margin.
pub(super) fn indent(text: &str, margin: &str) -> String {
    text.lines()
        .map(|line| format!("{margin}{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(signed(0.714, decimals(0.1)), "+0.71");
        assert_eq!(signed(-0.0, 3), "0");
        assert_eq!(seconds(1.25e-5), "12 µs");
        assert_eq!(percent(0.0003), "0.03 %");
        assert_eq!(shell("uct(sims=3)"), "'uct(sims=3)'");
        assert_eq!(shell("connect-four"), "connect-four");
    }
}
