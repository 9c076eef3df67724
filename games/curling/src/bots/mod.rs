//! Who plays curling by rule.
