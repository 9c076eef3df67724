//! One decision on the way down: who decides, between what, and what everybody sees of it.

use crate::decision::{Effort, SearchError};
use crate::game::{Game, Player, Turn, UNNOTICED};
use crate::rng::{Draw, SimRng};
use crate::rollout::LeafEvaluator;
use crate::search::selection::Available;
use crate::search::worlds::Worlds;
use crate::tree::Tree;

use super::kernel::{Descent, Observing, Scratch, Trees, follow};
use super::key::{Key, ObservedKey};
use super::leaf::{Leaf, Path, Step};
use super::redeal::Redeal;

/// What was chosen in the tree that decides.
struct Chosen<I> {
    id: I,
    /// Its position among its siblings.
    ordinal: u32,
    /// Its position among the options.
    position: usize,
    new: bool,
}

impl<G, W, E, R> Observing<'_, G, W, E, R>
where
    G: Game,
    W: Worlds<G>,
    E: LeafEvaluator<G>,
    R: Redeal<G>,
{
    /// Lets `player` decide, and moves on in every tree. Ends after an option that is new where it
    /// was decided, and where nothing can be chosen or remembered.
    pub(super) fn decide<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        player: Player,
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G::Action, T::Id>,
        path: &mut Path<G::Action, T::Id>,
        effort: &mut Effort,
    ) -> Result<Descent, SearchError> {
        self.game.legal_actions(&leaf.world, &mut leaf.legal);
        let copied = R::ACTIVE
            && player != self.player
            && self.copy_world(player, leaf, &mut scratch.elsewhere, effort)?;
        let decides = match self.trees {
            Trees::EachPlayer => player.index(),
            _ => 0,
        };
        let owner = self.owner(decides);
        let whole = owner == player || self.trees == Trees::Shared;
        if !whole {
            self.tell_apart(owner, leaf, scratch);
        }
        let at = scratch.at[decides];
        let Some(chosen) = self.choose(tree, at, (player, whole), leaf, scratch, effort) else {
            return Ok(Descent::Ends);
        };
        let action = if whole {
            leaf.legal[chosen.position]
        } else {
            any_that_looks_so(leaf, scratch, chosen.position)
        };
        if path.events == 0 {
            path.first = Some((chosen.ordinal, action));
        }
        path.events += 1;
        // Chosen like any other, but its owner does not know that it was: there is nothing below.
        if whole || scratch.options[chosen.position] != UNNOTICED {
            scratch.at[decides] = chosen.id;
        }
        path.steps.push(Step {
            id: chosen.id,
            credit: Some(player),
            copy: copied.then(|| leaf.copies() as u32 - 1),
        });
        let remembered = self.tell_others(tree, (player, action), leaf, scratch, path, effort);
        self.game.apply(&mut leaf.world, action);
        self.follow_in_copies(player, action, leaf, &mut scratch.elsewhere);
        Ok(if chosen.new || !remembered {
            Descent::Ends
        } else {
            Descent::On
        })
    }

    /// Moves on, in the trees of those who did not decide and notice the action, to what they see of it.
    /// `false` where one has no room for it.
    fn tell_others<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        (by, action): (Player, G::Action),
        leaf: &Leaf<G>,
        scratch: &mut Scratch<G::Action, T::Id>,
        path: &mut Path<G::Action, T::Id>,
        effort: &mut Effort,
    ) -> bool {
        if self.trees != Trees::EachPlayer {
            return true;
        }
        let mut remembered = true;
        for (i, at) in scratch.at.iter_mut().enumerate() {
            if i == by.index() {
                continue;
            }
            let owner = Player::new(i);
            let token = (self.sight.action)(self.game, &leaf.world, action, owner);
            if token == UNNOTICED {
                continue;
            }
            match follow(tree, *at, ObservedKey::Seen { by, token }) {
                Some((child, _)) => {
                    *at = child;
                    path.steps.push(Step::plain(child, Some(owner)));
                }
                None => {
                    effort.refused_expansions += 1;
                    remembered = false;
                }
            }
        }
        remembered
    }

    /// Makes a copy of the world as `player` sees it, and keeps only actions legal in both. `false`
    /// where there is none: then the player decides in the world itself, and that is counted.
    fn copy_world(
        &self,
        player: Player,
        leaf: &mut Leaf<G>,
        elsewhere: &mut Vec<G::Action>,
        effort: &mut Effort,
    ) -> Result<bool, SearchError> {
        let mut rng = leaf.redeals.clone();
        let (world, spare) = leaf.spare();
        let redealt = self
            .redeal
            .redeal(self.game, world, player, &mut rng, spare)?;
        let mut fits = redealt && self.game.turn(spare) == Turn::Player(player);
        if fits {
            self.game.legal_actions(spare, elsewhere);
            fits = leaf
                .legal
                .iter()
                .any(|a| elsewhere.binary_search(a).is_ok());
        }
        leaf.redeals = rng;
        if !fits {
            effort.failed_redeals += 1;
            return Ok(false);
        }
        effort.worlds += 1;
        leaf.legal.retain(|a| elsewhere.binary_search(a).is_ok());
        leaf.keep_spare();
        Ok(true)
    }

    /// Plays the action in the copies where it is legal; the others are left where they are.
    fn follow_in_copies(
        &self,
        player: Player,
        action: G::Action,
        leaf: &mut Leaf<G>,
        elsewhere: &mut Vec<G::Action>,
    ) {
        for copy in leaf.following() {
            copy.follows = self.game.turn(&copy.world) == Turn::Player(player) && {
                self.game.legal_actions(&copy.world, elsewhere);
                elsewhere.binary_search(&action).is_ok()
            };
            if copy.follows {
                self.game.apply(&mut copy.world, action);
            }
        }
    }

    /// Groups the legal actions by what `owner` sees of them.
    fn tell_apart<I>(&self, owner: Player, leaf: &Leaf<G>, scratch: &mut Scratch<G::Action, I>) {
        scratch.tokens.clear();
        scratch.options.clear();
        for &action in &leaf.legal {
            let token = (self.sight.action)(self.game, &leaf.world, action, owner);
            scratch.tokens.push(token);
            if !scratch.options.contains(&token) {
                scratch.options.push(token);
            }
        }
    }

    /// Chooses as SO-ISMCTS does: an option without an edge if there is any, else by UCB1 with
    /// availability counts.
    fn choose<T: Tree<Key<G>>>(
        &self,
        tree: &mut T,
        at: T::Id,
        (by, whole): (Player, bool),
        leaf: &mut Leaf<G>,
        scratch: &mut Scratch<G::Action, T::Id>,
        effort: &mut Effort,
    ) -> Option<Chosen<T::Id>> {
        let options = if whole {
            leaf.legal.len()
        } else {
            scratch.options.len()
        };
        let position_of = |key: Key<G>| match key {
            ObservedKey::Action(action) if whole => leaf.legal.binary_search(&action).ok(),
            ObservedKey::Seen { by: who, token } if !whole && who == by => {
                scratch.options.iter().position(|t| *t == token)
            }
            _ => None,
        };
        scratch.available.clear();
        let (mut last, mut count) = (None, 0);
        for (child, edge) in tree.children(at) {
            last = Some(child);
            if let Some(position) = position_of(edge.key()) {
                scratch.available.push(Available {
                    id: child,
                    ordinal: count,
                    position: position as u32,
                });
                // The other children belong to other worlds.
                if scratch.available.len() == options {
                    break;
                }
            }
            count += 1;
        }
        if scratch.available.len() < options {
            let position = untried(options, &scratch.available, &mut scratch.seen, leaf);
            let key = if whole {
                ObservedKey::Action(leaf.legal[position])
            } else {
                let token = scratch.options[position];
                ObservedKey::Seen { by, token }
            };
            if let Some(id) = tree.append_child(at, last, key) {
                tree.edge(id).record_availability();
                for other in &scratch.available {
                    tree.edge(other.id).record_availability();
                }
                return Some(Chosen {
                    id,
                    ordinal: count,
                    position,
                    new: true,
                });
            }
            effort.refused_expansions += 1;
        }
        let available = &scratch.available;
        let (id, ordinal) = self
            .ucb
            .select_available(tree, at, available, &mut leaf.rng)?;
        let found = available.iter().find(|known| known.ordinal == ordinal)?;
        Some(Chosen {
            id,
            ordinal,
            position: found.position as usize,
            new: false,
        })
    }
}

/// The position of one of the options that have no edge yet, each with equal probability.
fn untried<G: Game, I>(
    options: usize,
    available: &[Available<I>],
    seen: &mut Vec<bool>,
    leaf: &mut Leaf<G>,
) -> usize {
    seen.clear();
    seen.resize(options, false);
    for known in available {
        seen[known.position as usize] = true;
    }
    let untried = options - available.len();
    let nth = leaf.rng.below(untried as u32) as usize;
    let unseen = (0..options).filter(|position| !seen[*position]);
    unseen.into_iter().nth(nth).unwrap_or(0)
}

/// One of the legal actions that look like this option, each with equal probability.
fn any_that_looks_so<G: Game, I>(
    leaf: &mut Leaf<G>,
    scratch: &Scratch<G::Action, I>,
    option: usize,
) -> G::Action {
    let token = scratch.options[option];
    let alike = || (0..leaf.legal.len()).filter(|i| scratch.tokens[*i] == token);
    let count = alike().count();
    let nth = nth_of(count, &mut leaf.rng);
    let position = alike().nth(nth).unwrap_or(0);
    leaf.legal[position]
}

/// Draws nothing where there is nothing to choose, so that what everybody sees costs no luck.
fn nth_of(count: usize, rng: &mut SimRng) -> usize {
    if count > 1 {
        rng.below(count as u32) as usize
    } else {
        0
    }
}
