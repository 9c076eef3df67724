//! The `searchlab` command with every built-in game.

use searchlab::measure::heap::Counting;

/// So that `bench` can say what a tree weighs.
#[global_allocator]
static HEAP: Counting = Counting;

fn main() -> std::process::ExitCode {
    searchlab::main(searchlab::Registry::standard())
}
