//! From JSON to a checked tree.

use search_core::game::{MAX_PLAYERS, Player, Returns};
use search_core::plugin::PluginError;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{InfoSet, InfoSetId, Kind, Node, ToyAction, ToyState, ToyView, Tree, TreeGame};

/// Trees of more nodes than this are refused: information sets and actions are 16-bit numbers.
const MAX_NODES: usize = 60_000;

impl TreeGame {
    /// A game from its JSON form: an object with `players`, `root` and, if you like, `id` and
    /// `note`; other keys are ignored.
    ///
    /// # Errors
    /// When the text is not JSON or not a tree of this form, naming the place: returns of the wrong
    /// number, probabilities that do not sum to 1, an information set with different actions in
    /// different places, or a player who forgets (imperfect recall).
    pub fn from_json(text: &str) -> Result<Self, PluginError> {
        let json: Value = serde_json::from_str(text)
            .map_err(|error| PluginError::new(format!("not JSON: {error}")))?;
        let players = json["players"].as_u64().unwrap_or(0) as usize;
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(PluginError::new(format!(
                "players = {}: expected 1 to {MAX_PLAYERS}",
                json["players"]
            )));
        }
        let mut labels = BTreeSet::new();
        collect_labels(&json["root"], &mut labels);
        let text = |key: &str| json[key].as_str().unwrap_or_default().to_string();
        let mut builder = Builder {
            tree: Tree {
                id: text("id"),
                note: text("note"),
                players,
                bounds: (f64::INFINITY, f64::NEG_INFINITY),
                depth: 0,
                nodes: Vec::new(),
                deals: Vec::new(),
                actions: labels.into_iter().map(String::from).collect(),
                info_sets: Vec::new(),
                worlds: BTreeMap::new(),
            },
            known: BTreeMap::new(),
            reach: Vec::new(),
        };
        let start = Path {
            memory: vec![None; players],
            reach: vec![1.0; players],
            depth: 0,
        };
        builder.deal(&json["root"], &start, 1.0, "root")?;
        Ok(Self(Arc::new(builder.finish())))
    }
}

fn collect_labels<'a>(json: &'a Value, labels: &mut BTreeSet<&'a str>) {
    for branch in json["c"].as_array().into_iter().flatten() {
        collect_labels(&branch[1], labels);
    }
    for (label, child) in json["a"].as_object().into_iter().flatten() {
        labels.insert(label);
        collect_labels(child, labels);
    }
}

/// How a node was reached.
#[derive(Clone)]
struct Path {
    memory: Vec<Option<(InfoSetId, ToyAction)>>,
    /// For each observer: chance's probability times the other players' uniform moves.
    reach: Vec<f64>,
    depth: u32,
}

impl Path {
    fn scaled(&self, probability: f64, depth: u32) -> Self {
        Self {
            memory: self.memory.clone(),
            reach: self.reach.iter().map(|r| r * probability).collect(),
            depth,
        }
    }
}

/// What an information set must have in common wherever it occurs.
type Common = (InfoSetId, Vec<ToyAction>, Option<(InfoSetId, ToyAction)>);

struct Builder {
    tree: Tree,
    known: BTreeMap<(usize, String), Common>,
    reach: Vec<Vec<f64>>,
}

fn bad(place: &str, what: impl std::fmt::Display) -> PluginError {
    PluginError::new(format!("at {place}: {what}"))
}

/// The branches of a chance node, normalised.
fn branches<'a>(json: &'a Value, place: &str) -> Result<Vec<(f64, &'a Value)>, PluginError> {
    let list = json.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| bad(place, "`c` should be a list of [probability, node]"))?;
    let mut branches = Vec::new();
    for branch in list {
        let probability = branch[0].as_f64().filter(|p| *p > 0.0 && *p <= 1.0);
        let probability =
            probability.ok_or_else(|| bad(place, "a probability should be above 0, at most 1"))?;
        branches.push((probability, &branch[1]));
    }
    let total: f64 = branches.iter().map(|(p, _)| p).sum();
    if (total - 1.0).abs() > 1e-9 {
        return Err(bad(place, format!("the probabilities sum to {total}")));
    }
    for branch in &mut branches {
        branch.0 /= total;
    }
    Ok(branches)
}

impl Builder {
    /// Chance at the root, followed down to the first other node.
    fn deal(
        &mut self,
        json: &Value,
        path: &Path,
        probability: f64,
        place: &str,
    ) -> Result<(), PluginError> {
        if json["c"].is_null() {
            let state = self.node(json, path, place)?;
            self.tree.deals.push((state, probability));
            return Ok(());
        }
        for (i, (p, child)) in branches(&json["c"], place)?.into_iter().enumerate() {
            let place = format!("{place}.c[{i}]");
            self.deal(child, &path.scaled(p, 0), probability * p, &place)?;
        }
        Ok(())
    }

    fn node(&mut self, json: &Value, path: &Path, place: &str) -> Result<ToyState, PluginError> {
        if self.tree.nodes.len() >= MAX_NODES {
            return Err(bad(place, format!("more than {MAX_NODES} nodes")));
        }
        let state = ToyState(self.tree.nodes.len() as u32);
        self.tree.depth = self.tree.depth.max(path.depth);
        self.reach.push(path.reach.clone());
        self.tree.nodes.push(Node {
            kind: Kind::Chance(Vec::new()),
            memory: path.memory.clone(),
        });
        let kind = if !json["t"].is_null() {
            self.terminal(&json["t"], place)?
        } else if !json["c"].is_null() {
            let mut children = Vec::new();
            for (i, (p, child)) in branches(&json["c"], place)?.into_iter().enumerate() {
                let place = format!("{place}.c[{i}]");
                let child = self.node(child, &path.scaled(p, path.depth + 1), &place)?;
                children.push((child, p));
            }
            Kind::Chance(children)
        } else {
            self.decision(json, path, place)?
        };
        self.tree.nodes[state.0 as usize].kind = kind;
        Ok(state)
    }

    fn terminal(&mut self, json: &Value, place: &str) -> Result<Kind, PluginError> {
        let values: Option<Vec<f64>> = json
            .as_array()
            .and_then(|list| list.iter().map(Value::as_f64).collect());
        let players = self.tree.players;
        let values = values
            .filter(|values| values.len() == players)
            .ok_or_else(|| bad(place, format!("`t` should be {players} numbers")))?;
        for &value in &values {
            let (low, high) = self.tree.bounds;
            self.tree.bounds = (low.min(value), high.max(value));
        }
        Ok(Kind::Terminal(Returns::from_slice(&values)))
    }

    fn decision(&mut self, json: &Value, path: &Path, place: &str) -> Result<Kind, PluginError> {
        let word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        let moves = json["a"].as_object().filter(|moves| !moves.is_empty());
        let moves = moves.ok_or_else(|| {
            bad(
                place,
                "expected `t` (returns), `c` (chance) or `p`, `i`, `a` (a decision)",
            )
        })?;
        let player = json["p"].as_u64().unwrap_or(u64::MAX) as usize;
        if player >= self.tree.players {
            return Err(bad(place, format!("there is no player {}", json["p"])));
        }
        let label = json["i"].as_str().filter(|label| word(label));
        let label = label.ok_or_else(|| bad(place, "`i` should be a label without spaces"))?;
        let mut actions = Vec::new();
        for name in moves.keys() {
            let found = self.tree.actions.iter().position(|a| a == name);
            match found {
                Some(index) if word(name) => actions.push(ToyAction(index as u16)),
                _ => return Err(bad(place, format!("action `{name}` should have no spaces"))),
            }
        }
        let memory = path.memory[player];
        let fresh = InfoSetId(self.known.len() as u16);
        let key = (player, label.to_string());
        let known = self.known.entry(key).or_insert_with(|| {
            self.tree.info_sets.push(InfoSet {
                player: Player::new(player),
                label: label.into(),
            });
            (fresh, actions.clone(), memory)
        });
        let info_set = known.0;
        if known.1 != actions {
            return Err(bad(
                place,
                format!("information set `{label}` has other actions elsewhere"),
            ));
        }
        if known.2 != memory {
            return Err(bad(
                place,
                format!(
                    "player {player} forgets an own move or sight in information set `{label}`"
                ),
            ));
        }
        let mut children = Vec::new();
        let share = 1.0 / moves.len() as f64;
        for ((name, child), &action) in moves.iter().zip(&actions) {
            let mut next = path.scaled(share, path.depth + 1);
            next.reach[player] = path.reach[player];
            next.memory[player] = Some((info_set, action));
            let child = self.node(child, &next, &format!("{place}.{name}"))?;
            children.push((action, child));
        }
        children.sort_unstable();
        Ok(Kind::Decision {
            info_set,
            moves: children,
        })
    }

    fn finish(mut self) -> Tree {
        let mut worlds: BTreeMap<ToyView, Vec<(ToyState, f64)>> = BTreeMap::new();
        for (index, reach) in self.reach.iter().enumerate() {
            let state = ToyState(index as u32);
            for (player, weight) in reach.iter().enumerate() {
                let view = self.tree.observe(state, Player::new(player));
                worlds.entry(view).or_default().push((state, *weight));
            }
        }
        self.tree.worlds = worlds.into_iter().map(|(v, w)| (v, w.into())).collect();
        self.tree
    }
}
