//! The command line on two small games, for the tests of this crate: every game that is plugged in costs a
//! compilation of all searchers.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use classics::kuhn::{KuhnAction, KuhnView, Rank};
use classics::{KuhnPoker, Pig};
use search_core::agent::{Agent, Choice, PolicyAgent};
use search_core::decision::SearchError;
use search_core::policy::Policy;
use search_core::rng::{Seed, SimRng};
use serde_json::Value;

use super::{Console, run};
use crate::registry::Registry;

/// A way to play Kuhn poker: from the card, and whether somebody has bet, to whether to bet or call.
struct By(fn(Rank, bool) -> bool);

impl Policy<KuhnPoker> for By {
    fn choose(
        &self,
        _: &KuhnPoker,
        view: &KuhnView,
        legal: &[KuhnAction],
        _: &mut SimRng,
    ) -> KuhnAction {
        let facing = legal.contains(&KuhnAction::Fold);
        legal[usize::from((self.0)(view.card, facing))]
    }
}

/// Bets with every other decision, whoever asks: not what an agent may be.
struct Moody(bool);

impl Agent<KuhnPoker> for Moody {
    fn decide(
        &mut self,
        _: &KuhnPoker,
        _: &KuhnView,
        legal: &[KuhnAction],
        _: Seed,
    ) -> Result<Choice<KuhnAction>, SearchError> {
        self.0 = !self.0;
        Ok(Choice::plain(legal[usize::from(self.0)]))
    }
}

/// Never decides.
struct Broken;

impl Agent<KuhnPoker> for Broken {
    fn decide(
        &mut self,
        _: &KuhnPoker,
        _: &KuhnView,
        _: &[KuhnAction],
        _: Seed,
    ) -> Result<Choice<KuhnAction>, SearchError> {
        Err(SearchError::EmptyBudget)
    }
}

/// Kuhn poker with agents whose differences are known, and Pig.
pub(super) fn registry() -> Registry {
    fn way(registry: Registry, name: &'static str, bets: fn(Rank, bool) -> bool) -> Registry {
        registry.with_agent::<KuhnPoker>(name, "of the tests", move |_, _| {
            Ok(Box::new(PolicyAgent(By(bets))))
        })
    }
    let registry = Registry::new().with::<KuhnPoker>().with::<Pig>();
    let registry = way(registry, "sound", |card, _| card == Rank::King);
    let registry = way(registry, "bold", |_, _| true);
    // Sound, except that it folds the king and bets the jack.
    way(registry, "slip", |card, facing| match card {
        Rank::King => !facing,
        Rank::Jack => !facing,
        Rank::Queen => false,
    })
    .with_agent::<KuhnPoker>("broken", "of the tests", |_, _| Ok(Box::new(Broken)))
}

/// The registry with a searcher in place of `ismcts` that remembers what it was asked.
pub(super) fn moody_registry() -> Registry {
    registry().with_agent::<KuhnPoker>("ismcts", "of the tests", |_, settings| {
        for key in ["c", "fpu"] {
            let _ = settings.expr(key);
        }
        Ok(Box::new(Moody(false)))
    })
}

#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What a command printed and returned.
pub(super) struct Ran {
    pub(super) code: u8,
    pub(super) out: String,
    pub(super) err: String,
}

impl Ran {
    /// The one object on standard output.
    pub(super) fn json(&self) -> Value {
        assert_eq!(
            self.out.trim_end().lines().count(),
            1,
            "{}{}",
            self.out,
            self.err
        );
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err))
    }
}

/// Runs the command line, words apart by spaces.
pub(super) fn lab(line: &str) -> Ran {
    lab_on(&registry(), &line.split_whitespace().collect::<Vec<_>>())
}

/// Runs the command line of these games.
pub(super) fn lab_on(registry: &Registry, args: &[&str]) -> Ran {
    let args = std::iter::once("searchlab").chain(args.iter().copied());
    let args: Vec<_> = args.map(Into::into).collect();
    console(|console| run(registry, args, console))
}

/// Does something with a console, and what it printed.
pub(super) fn console(work: impl FnOnce(&mut Console) -> u8) -> Ran {
    let (out, err) = (Buffer::default(), Buffer::default());
    let mut console = Console::new(Cursor::new(Vec::new()), out.clone(), err.clone());
    let code = work(&mut console);
    Ran {
        code,
        out: out.text(),
        err: err.text(),
    }
}
