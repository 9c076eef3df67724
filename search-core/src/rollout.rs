//! Playing a position out: [`Rollout`].

use std::cell::RefCell;

use crate::game::{Game, Player, Returns, Turn};
use crate::policy::{RolloutPolicy, UniformRandom};
use crate::rng::{EventStream, Seed, SimRng};

/// How a rollout ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// At the end of the game.
    Terminal,
    /// Before it: the returns are a stand-in.
    CutOff,
    /// At a player who is to move and has no legal action: the rules are broken, the search fails.
    Stuck(Player),
}

/// What a leaf of the search is worth, and whether that is a stand-in for the real end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluation {
    /// One value a player.
    pub returns: Returns,
    /// How it came about.
    pub ending: Ending,
}

/// Values a leaf. It may play `world` on as it likes.
pub trait LeafEvaluator<G: Game>: Send + Sync {
    /// The value of `world`. `legal` is memory to use; `rng` is the simulation's own generator.
    fn evaluate(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
    ) -> Evaluation;

    /// The same value, drawn in the same way, appending to `played` who played what. The default notes
    /// nothing, as is right for a value that comes about without playing.
    fn evaluate_noting(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
        played: &mut Vec<(Player, G::Action)>,
    ) -> Evaluation {
        let _ = played;
        self.evaluate(game, world, rng, legal)
    }

    /// The same as [`LeafEvaluator::evaluate_noting`] where `guide` says nothing; where it names one of
    /// the legal actions, that is played instead of what would be. A value that comes about without
    /// playing is not guided, as is the default.
    fn evaluate_guided(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
        played: &mut Vec<(Player, G::Action)>,
        guide: &mut RolloutGuide<'_, G>,
    ) -> Evaluation {
        let _ = guide;
        self.evaluate_noting(game, world, rng, legal, played)
    }
}

/// Names an action for a player among the legal ones, given the rollout's last move, or nothing.
pub type RolloutGuide<'a, G> = dyn FnMut(
        Player,
        &[<G as Game>::Action],
        Option<(Player, <G as Game>::Action)>,
        &mut SimRng,
    ) -> Option<<G as Game>::Action>
    + 'a;

/// Plays to the end of the game with one policy for everybody.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rollout<P = UniformRandom> {
    /// Who plays.
    pub policy: P,
    /// Stop after this many turns instead of [`Game::max_turns`], and count a truncation.
    pub max_turns: Option<u32>,
    /// Draw by event instead of from one running stream: see [`EventStream`]. It seeds a generator
    /// an event, which a light game notices.
    pub event_keyed: bool,
}

impl Rollout {
    /// Plays uniformly at random.
    #[must_use]
    pub const fn random() -> Self {
        Self::with_policy(UniformRandom)
    }
}

impl<P> Rollout<P> {
    /// Plays with this policy.
    pub const fn with_policy(policy: P) -> Self {
        Self {
            policy,
            max_turns: None,
            event_keyed: false,
        }
    }
}

impl<G: Game, P: RolloutPolicy<G>> LeafEvaluator<G> for Rollout<P> {
    #[inline]
    fn evaluate(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
    ) -> Evaluation {
        let most = self.max_turns.unwrap_or_else(|| game.max_turns());
        let reads_legal = self.policy.reads_legal();
        if self.event_keyed {
            let mut stream = EventStream::keyed(Seed(rng.next()));
            let policy = |world: &G::State, player, legal: &[G::Action], rng: &mut SimRng| {
                self.policy.choose_in_world(game, world, player, legal, rng)
            };
            return play_out(game, world, &mut stream, legal, most, reads_legal, policy);
        }
        for _ in 0..most {
            match game.turn(world) {
                Turn::Player(player) => {
                    if reads_legal {
                        game.legal_actions(world, legal);
                        if legal.is_empty() {
                            return stuck(game, player);
                        }
                    } else {
                        legal.clear();
                    }
                    let action = self.policy.choose_in_world(game, world, player, legal, rng);
                    game.apply(world, action);
                }
                Turn::Chance => {
                    let outcome = game.sample_chance(world, rng);
                    game.apply_chance(world, outcome);
                }
                Turn::Terminal => return finished(game, world),
            }
        }
        cut_off(game, world)
    }

    fn evaluate_noting(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
        played: &mut Vec<(Player, G::Action)>,
    ) -> Evaluation {
        let most = self.max_turns.unwrap_or_else(|| game.max_turns());
        let mut stream = if self.event_keyed {
            EventStream::keyed(Seed(rng.next()))
        } else {
            EventStream::running(rng.clone())
        };
        let noted = RefCell::new(played);
        let choose = |world: &G::State, player, legal: &[G::Action], rng: &mut SimRng| {
            let action = self.policy.choose_in_world(game, world, player, legal, rng);
            noted.borrow_mut().push((player, action));
            action
        };
        let reads_legal = self.policy.reads_legal();
        play_out(game, world, &mut stream, legal, most, reads_legal, choose)
    }

    fn evaluate_guided(
        &self,
        game: &G,
        world: &mut G::State,
        rng: &mut SimRng,
        legal: &mut Vec<G::Action>,
        played: &mut Vec<(Player, G::Action)>,
        guide: &mut RolloutGuide<'_, G>,
    ) -> Evaluation {
        let most = self.max_turns.unwrap_or_else(|| game.max_turns());
        let mut stream = if self.event_keyed {
            EventStream::keyed(Seed(rng.next()))
        } else {
            EventStream::running(rng.clone())
        };
        let noted = RefCell::new((played, guide));
        let choose = |world: &G::State, player, legal: &[G::Action], rng: &mut SimRng| {
            let (played, guide) = &mut *noted.borrow_mut();
            let guided = guide(player, legal, played.last().copied(), rng);
            let action = guided
                .unwrap_or_else(|| self.policy.choose_in_world(game, world, player, legal, rng));
            played.push((player, action));
            action
        };
        play_out(game, world, &mut stream, legal, most, true, choose)
    }
}

/// Plays `world` on for at most `most` turns with draws from `stream`; `choose` decides for
/// everybody, among the legal actions if it `reads_legal`, else from an empty list.
pub fn play_out<G: Game>(
    game: &G,
    world: &mut G::State,
    stream: &mut EventStream,
    legal: &mut Vec<G::Action>,
    most: u32,
    reads_legal: bool,
    choose: impl Fn(&G::State, Player, &[G::Action], &mut SimRng) -> G::Action,
) -> Evaluation {
    for _ in 0..most {
        match game.turn(world) {
            Turn::Player(player) => {
                if reads_legal {
                    game.legal_actions(world, legal);
                    if legal.is_empty() {
                        return stuck(game, player);
                    }
                } else {
                    legal.clear();
                }
                let action = choose(world, player, legal, stream.decision(player));
                game.apply(world, action);
            }
            Turn::Chance => {
                let outcome = game.sample_chance(world, stream.chance());
                game.apply_chance(world, outcome);
            }
            Turn::Terminal => return finished(game, world),
        }
    }
    cut_off(game, world)
}

#[inline]
fn finished<G: Game>(game: &G, world: &G::State) -> Evaluation {
    Evaluation {
        returns: game.returns(world),
        ending: Ending::Terminal,
    }
}

#[cold]
fn stuck<G: Game>(game: &G, player: Player) -> Evaluation {
    Evaluation {
        returns: Returns::splat(game.num_players(), 0.0),
        ending: Ending::Stuck(player),
    }
}

#[cold]
fn cut_off<G: Game>(game: &G, world: &G::State) -> Evaluation {
    // The last turn allowed may have ended the game.
    if game.turn(world) == Turn::Terminal {
        return finished(game, world);
    }
    Evaluation {
        returns: game.cut_off_returns(world),
        ending: Ending::CutOff,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Observing, Policy};
    use rand::Rng;
    use std::ops::RangeInclusive;
    use std::sync::Arc;

    /// Counts to five; asking for the list of moves is an error.
    struct Unlisted;

    impl Game for Unlisted {
        type State = u32;
        type Action = u32;
        type Chance = u32;
        type Observation = u32;

        fn num_players(&self) -> usize {
            1
        }
        fn initial_state<R: Rng + ?Sized>(&self, _: &mut R) -> u32 {
            0
        }
        fn turn(&self, s: &u32) -> Turn {
            if *s < 5 {
                Turn::Player(Player::new(0))
            } else {
                Turn::Terminal
            }
        }
        fn legal_actions(&self, _: &u32, _: &mut Vec<u32>) {
            panic!("nobody reads the list")
        }
        fn apply(&self, s: &mut u32, a: u32) {
            *s += a;
        }
        fn returns(&self, s: &u32) -> Returns {
            Returns::splat(1, f64::from(*s))
        }
        fn return_bounds(&self) -> RangeInclusive<f64> {
            0.0..=5.0
        }
        fn observe(&self, s: &u32, _: Player) -> u32 {
            *s
        }
    }

    /// Plays 1 and wants no list.
    struct One;

    impl Policy<Unlisted> for One {
        fn choose(&self, _: &Unlisted, _: &u32, legal: &[u32], _: &mut SimRng) -> u32 {
            assert!(legal.is_empty(), "{legal:?} are of another position");
            1
        }
        fn reads_legal(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_list_that_nobody_reads_is_not_made() {
        fn plays(policy: impl RolloutPolicy<Unlisted>) {
            let mut rollout = Rollout::with_policy(policy);
            for event_keyed in [false, true] {
                rollout.event_keyed = event_keyed;
                let rng = &mut Seed(1).simulation(0);
                // What is left of the list of another position.
                let stale = || vec![7, 8];
                let plain = rollout.evaluate(&Unlisted, &mut 0, rng, &mut stale());
                let mut noted = Vec::new();
                let noting =
                    rollout.evaluate_noting(&Unlisted, &mut 0, rng, &mut stale(), &mut noted);
                for evaluation in [plain, noting] {
                    assert_eq!(evaluation.ending, Ending::Terminal);
                    assert_eq!(evaluation.returns.of(Player::new(0)), 5.0);
                }
                assert_eq!(noted, [(Player::new(0), 1); 5]);
            }
        }
        plays(Observing(One));
        plays(Observing(Arc::new(One)));
        plays(Arc::new(Observing(One)));
        plays(Observing(Box::new(One)));
    }
}
