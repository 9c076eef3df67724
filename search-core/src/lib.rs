//! Foundation.
