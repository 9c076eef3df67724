//! Every dependency is permissively licensed: `deny.toml` says the same to `cargo deny`.

use serde_json::Value;
use std::process::Command;

const ALLOWED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "Apache-2.0 WITH LLVM-exception",
];

/// Whether one may take the package under an allowed licence. SPDX: `OR` is the user's choice,
/// `AND` is not.
fn permissive(expression: &str) -> bool {
    let flat = expression.replace(['(', ')'], "").replace('/', " OR ");
    flat.split(" AND ").all(|part| {
        part.split(" OR ")
            .any(|licence| ALLOWED.contains(&licence.trim()))
    })
}

#[test]
fn no_copyleft_among_the_dependencies() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50);
    let bad: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(permissive))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn the_rule_itself() {
    assert!(permissive("MIT OR GPL-3.0"));
    assert!(permissive("MIT/Apache-2.0"));
    assert!(permissive("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(!permissive("GPL-3.0-or-later"));
    assert!(!permissive("MIT AND LGPL-3.0"));
}
