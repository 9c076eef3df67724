//! Fuzzing by bytes: no text at all panics the reader of positions or of moves, and what it accepts it writes
//! and reads again.
//!
//! A short run belongs to `cargo test`. With coverage guidance, for as long as wanted:
//! `cargo bolero test -p dice-chess --test fuzz_bytes no_bytes_panic`.

use dice_chess::{MicroMove, Position};

#[test]
fn no_bytes_panic() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(position) = text.parse::<Position>() {
            let written = position.to_string();
            let again: Position = written.parse().expect("what was written is read");
            assert_eq!(again.to_string(), written);
        }
        if let Ok(mv) = text.parse::<MicroMove>() {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        let _ = dice_chess::notation::read(&text);
    });
}
