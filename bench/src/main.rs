//! The `searchlab` command with every built-in game.

fn main() -> std::process::ExitCode {
    searchlab::main(searchlab::Registry::standard())
}
