//! Reading the fields of a row.
