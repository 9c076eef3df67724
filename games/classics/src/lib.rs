//! classics
