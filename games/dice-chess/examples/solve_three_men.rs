//! Solves the endings of two and three men again, checks them against the plain rules and
//! compares the committed file bit for bit: `--write` replaces it, `--audit N` sets how many
//! positions of each table are checked (300).

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use cozy_chess::{Piece, Square};
use dice_chess::tablebase::solve::{self, Solved};
use dice_chess::tablebase::{MAX_ERROR, Material, Men, audit, encode};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/three-man.bin");

fn main() -> Result<(), Box<dyn Error>> {
    let (mut write, mut audited) = (false, 300);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write = true,
            "--audit" => audited = arguments.next().ok_or("--audit needs a number")?.parse()?,
            _ => return Err(format!("unknown argument {argument}").into()),
        }
    }

    let start = Instant::now();
    let solved = solve::all();
    println!("solved in {:.1} s", start.elapsed().as_secs_f64());
    report(&solved);

    let mut worst: f64 = 0.0;
    for table in &solved {
        for men in audit::sample(table.material(), audited) {
            let by_rules = audit::one_turn(&men, |after| lookup(&solved, after));
            worst = worst.max((by_rules - lookup(&solved, &men)).abs());
        }
    }
    println!("{audited} positions of each table against the plain rules: within {worst:.1e}");
    if worst > 1e-12 {
        return Err("the tables do not fit the rules".into());
    }

    let file = encode(&solved);
    if write {
        fs::write(FILE, &file)?;
        println!("wrote {} bytes", file.len());
    } else if fs::read(FILE)? == file {
        println!("the committed file is the same, {} bytes", file.len());
    } else {
        return Err("the committed file differs: --write replaces it".into());
    }
    Ok(())
}

/// The value of a position in whichever table has it.
fn lookup(solved: &[Solved], men: &Men) -> f64 {
    solved
        .iter()
        .find_map(|table| table.value(men))
        .expect("every ending here is solved")
}

/// Every position of a material, reduced by no symmetry.
fn positions(material: Material, strong_to_move: bool) -> impl Iterator<Item = Men> {
    let places: Vec<Option<(Piece, Square)>> = match material.piece() {
        None => vec![None],
        Some(piece) => Square::ALL.map(|square| Some((piece, square))).to_vec(),
    };
    let kings = Square::ALL
        .into_iter()
        .flat_map(|a| Square::ALL.map(|b| (a, b)));
    kings
        .flat_map(move |(strong, weak)| {
            places.clone().into_iter().map(move |piece| Men {
                strong,
                weak,
                piece,
                strong_to_move,
            })
        })
        .filter(Men::is_valid)
}

fn report(solved: &[Solved]) {
    println!(
        "{:8} {:>9} {:>6} {:>6} {:>9}",
        "", "positions", "sweeps", "proof", "width"
    );
    for table in solved {
        let name = table.material().name();
        let counts = (table.positions(), table.sweeps(), table.proof_sweeps());
        let width = table.width();
        println!(
            "{name:8} {:9} {:6} {:6} {width:9.2e}",
            counts.0, counts.1, counts.2
        );
        assert!(
            0.5 / 32767.0 + width / 2.0 <= MAX_ERROR,
            "the stated error is too small"
        );
    }
    println!("\nvalues for the side to roll; White is the side with the piece");
    println!("{:8} {:8} {:>9}  lowest and highest", "", "to roll", "mean");
    for table in solved {
        for strong_to_move in [true, false] {
            let all: Vec<(f64, Men)> = positions(table.material(), strong_to_move)
                .map(|men| (table.value(&men).expect("a position of this table"), men))
                .collect();
            let mean = all.iter().map(|(value, _)| value).sum::<f64>() / all.len() as f64;
            let low = all
                .iter()
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .expect("not empty");
            let high = all
                .iter()
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .expect("not empty");
            let side = if strong_to_move { "White" } else { "Black" };
            let [low, high] =
                [low, high].map(|(value, men)| format!("{:.6} {}", value + 0.0, place(men)));
            println!(
                "{:8} {side:8} {mean:9.6}  {low}  {high}",
                table.material().name()
            );
        }
    }
}

/// The men of a position in words of squares.
fn place(men: &Men) -> String {
    let piece = men
        .piece
        .map(|(piece, square)| format!(" {}{square}", letter(piece)));
    format!(
        "K{}{} v k{}",
        men.strong,
        piece.unwrap_or_default(),
        men.weak
    )
}

fn letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}
