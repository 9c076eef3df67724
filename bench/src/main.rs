//! The `searchlab` command.
fn main() {}
