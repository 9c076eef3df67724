//! `games`: what there is to play.

use serde::Serialize;

use super::console::Console;
use super::text::indent;
use crate::agents::searchers::{SEARCHERS, SearcherInfo};
use crate::agents::shared_keys;
use crate::error::Result;
use crate::game::{GameInfo, Named};
use crate::options::written;
use crate::registry::Registry;

/// List the games with their options, agents and positions to try.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this game.
    game: Option<String>,
    /// One object on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    games: Vec<GameInfo>,
    searchers: &'static [SearcherInfo],
    shared_keys: Vec<Named>,
}

pub(super) fn run(registry: &Registry, args: &Args, console: &mut Console) -> Result<u8> {
    let games = match &args.game {
        Some(name) => {
            // An expression is fine too: its name counts.
            let name = name.split('(').next().unwrap_or_default().trim();
            vec![registry.game(name)?.info()?]
        }
        None => registry.games().map(|g| g.info()).collect::<Result<_>>()?,
    };
    let keys = shared_keys().iter();
    let listing = Listing {
        games,
        searchers: SEARCHERS,
        shared_keys: keys.map(|(name, about)| named(name, about)).collect(),
    };
    if args.json {
        console.json(&listing)?;
        return Ok(0);
    }
    let page = page(&listing, console);
    console.print(&page)?;
    Ok(0)
}

fn named(name: &str, about: &str) -> Named {
    Named {
        name: name.into(),
        about: about.into(),
    }
}

fn page(listing: &Listing, console: &Console) -> String {
    let mut page = String::new();
    if listing.games.is_empty() {
        page.push_str("This binary has no games: give it some with Registry::with.\n\n");
    }
    for game in &listing.games {
        page.push_str(&one_game(game, console));
        page.push('\n');
    }
    if !listing.searchers.is_empty() {
        page.push_str("Searchers, for every game:\n");
        for s in listing.searchers {
            page.push_str(&format!(
                "  {}  {}\n",
                console.bold(&format!("{:<12}", s.name)),
                s.about
            ));
            let keys: Vec<&str> = s.keys.iter().map(|(k, _)| *k).collect();
            if !keys.is_empty() {
                page.push_str(&format!("{:16}own keys: {}\n", "", keys.join(", ")));
            }
            page.push_str(&format!("{:16}{}\n", "", console.dim(s.example)));
        }
        page.push_str("\nKeys of every searcher:\n");
        page.push_str(&indent(&aligned(&listing.shared_keys), "  "));
    }
    page
}

fn one_game(game: &GameInfo, console: &Console) -> String {
    let mut text = format!("{}  {}\n", console.bold(&game.name), game.about);
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    text.push_str(&format!(
        "  {}, {} a match, score in {}\n",
        plural(game.players, "player"),
        plural(game.rounds as usize, "round"),
        game.unit
    ));
    let options = written(&game.options);
    if !options.is_empty() {
        text.push_str(&format!("  options    {}({options})\n", game.name));
    }
    let section = |title: &str, list: &[Named]| {
        let lines = aligned(list);
        let mut section = String::new();
        for (i, line) in lines.lines().enumerate() {
            let title = if i == 0 { title } else { "" };
            section.push_str(&format!("  {title:<9}  {line}\n"));
        }
        section
    };
    text.push_str(&section("agents", &game.agents));
    text.push_str(&section("equity", &game.equity));
    text.push_str(&section("positions", &game.positions));
    if !game.metrics.is_empty() {
        text.push_str(&format!("  metrics    {}\n", game.metrics.join(", ")));
    }
    text
}

/// Names and what is said about them, in two columns.
fn aligned(list: &[Named]) -> String {
    let width = list
        .iter()
        .map(|n| n.name.chars().count())
        .max()
        .unwrap_or(0);
    let line = |n: &Named| format!("{:<width$}  {}\n", n.name, n.about);
    list.iter().map(line).collect()
}
