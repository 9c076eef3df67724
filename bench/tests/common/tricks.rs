//! Tricks: everybody holds a few of twelve cards, the highest card takes the trick and leads the
//! next one, and chance says beforehand what the trick is worth.

use std::sync::Arc;

use rand::Rng;
use search_core::agent::{Agent, Choice};
use search_core::budget::Budget;
use search_core::decision::SearchError;
use search_core::expr::{ExprError, Settings};
use search_core::game::{Game, ListOutcomes, Player, Returns, Turn};
use search_core::observation::{Contradiction, Determinizer, LogWeight};
use search_core::plugin::{Plugin, PluginError, Rated, SharedPolicy};
use search_core::policy::Policy;
use search_core::rng::{Draw, Seed, SimRng};
use serde::{Deserialize, Serialize};

pub const CARDS: u8 = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub players: usize,
    pub hand: u8,
    pub rounds: u32,
    pub bonus: bool,
    pub label: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            players: 3,
            hand: 3,
            rounds: 1,
            bonus: true,
            label: "none".into(),
        }
    }
}

pub struct Tricks(pub Options);

/// Turns from one end of its hand to the other; needs to know how many simulations it has.
struct Turning {
    high: bool,
    budget: Budget,
}

impl Agent<Tricks> for Turning {
    fn decide(
        &mut self,
        _: &Tricks,
        _: &Seen,
        legal: &[u8],
        _: Seed,
    ) -> Result<Choice<u8>, SearchError> {
        if self.budget.simulations.is_none() {
            return Err(SearchError::NeedsSimulations { method: "turning" });
        }
        let card = if self.high { legal.len() - 1 } else { 0 };
        self.high = !self.high;
        Ok(Choice::plain(legal[card]))
    }
}

/// What everybody sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Public {
    pub table: Vec<u8>,
    pub played: u16,
    pub left: Vec<u8>,
    pub won: Vec<i32>,
    pub leader: usize,
    /// 0 until chance has said.
    pub worth: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub hands: Vec<u16>,
    pub public: Public,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub me: usize,
    pub hand: u16,
    pub public: Public,
}

fn cards(mask: u16) -> impl Iterator<Item = u8> {
    (0..CARDS).filter(move |c| mask & (1 << c) != 0)
}

impl Game for Tricks {
    type State = State;
    type Action = u8;
    type Chance = u8;
    type Observation = Seen;

    fn num_players(&self) -> usize {
        self.0.players
    }

    fn initial_state<R: Rng + ?Sized>(&self, rng: &mut R) -> State {
        let mut deck: Vec<u8> = (0..CARDS).collect();
        rng.shuffle(&mut deck);
        let n = self.0.players;
        let hands = (0..n).map(|p| {
            let hand = deck.iter().skip(p * usize::from(self.0.hand));
            hand.take(self.0.hand.into()).fold(0, |m, c| m | (1 << c))
        });
        State {
            hands: hands.collect(),
            public: Public {
                table: Vec::new(),
                played: 0,
                left: vec![self.0.hand; n],
                won: vec![0; n],
                leader: 0,
                worth: u8::from(!self.0.bonus),
            },
        }
    }

    fn turn(&self, s: &State) -> Turn {
        if s.public.left.iter().all(|l| *l == 0) {
            Turn::Terminal
        } else if s.public.worth == 0 {
            Turn::Chance
        } else {
            let seat = (s.public.leader + s.public.table.len()) % self.0.players;
            Turn::Player(Player::new(seat))
        }
    }

    fn legal_actions(&self, s: &State, out: &mut Vec<u8>) {
        out.clear();
        if let Turn::Player(p) = self.turn(s) {
            out.extend(cards(s.hands[p.index()]));
        }
    }

    fn apply(&self, s: &mut State, card: u8) {
        let n = self.0.players;
        let seat = (s.public.leader + s.public.table.len()) % n;
        s.hands[seat] &= !(1 << card);
        s.public.left[seat] -= 1;
        s.public.played |= 1 << card;
        s.public.table.push(card);
        if s.public.table.len() == n {
            let best = (0..n).max_by_key(|i| s.public.table[*i]).unwrap();
            let winner = (s.public.leader + best) % n;
            // Alone there is nobody to beat: a trick is worth its card.
            let points = if n == 1 { i32::from(card) } else { 1 };
            s.public.won[winner] += points * i32::from(s.public.worth);
            s.public.leader = winner;
            s.public.table.clear();
            s.public.worth = u8::from(!self.0.bonus);
        }
    }

    fn sample_chance<R: Rng + ?Sized>(&self, _: &State, rng: &mut R) -> u8 {
        rng.below(3) as u8 + 1
    }

    fn apply_chance(&self, s: &mut State, worth: u8) {
        s.public.worth = worth;
    }

    fn returns(&self, s: &State) -> Returns {
        let n = self.0.players;
        let total: i32 = s.public.won.iter().sum();
        let mean = if n == 1 {
            0.0
        } else {
            f64::from(total) / n as f64
        };
        let each: Vec<f64> = s.public.won.iter().map(|w| f64::from(*w) - mean).collect();
        Returns::from_slice(&each)
    }

    fn return_bounds(&self) -> std::ops::RangeInclusive<f64> {
        let most = 3.0 * f64::from(self.0.hand) * 12.0;
        -most..=most
    }

    fn return_scale(&self) -> f64 {
        6.0
    }

    fn max_turns(&self) -> u32 {
        100
    }

    fn observe(&self, s: &State, p: Player) -> Seen {
        Seen {
            me: p.index(),
            hand: s.hands[p.index()],
            public: s.public.clone(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Redeal;

impl Determinizer<Tricks> for Redeal {
    type Plan = Vec<u8>;

    fn plan(&self, _: &Tricks, seen: &Seen) -> Result<Vec<u8>, Contradiction> {
        let hidden: Vec<u8> = cards(!(seen.hand | seen.public.played)).collect();
        let others = seen
            .public
            .left
            .iter()
            .enumerate()
            .filter(|(p, _)| *p != seen.me);
        let needed: usize = others.map(|(_, l)| usize::from(*l)).sum();
        if seen.hand & seen.public.played != 0 || needed > hidden.len() {
            return Err(Contradiction::new("more cards than there are"));
        }
        Ok(hidden)
    }

    fn scratch(&self, _: &Tricks, seen: &Seen, _: &Vec<u8>) -> State {
        State {
            hands: vec![0; seen.public.left.len()],
            public: seen.public.clone(),
        }
    }

    fn sample<R: Rng + ?Sized>(
        &self,
        _: &Tricks,
        seen: &Seen,
        plan: &Vec<u8>,
        rng: &mut R,
        world: &mut State,
    ) -> LogWeight {
        let mut hidden = plan.clone();
        rng.shuffle(&mut hidden);
        world.public.clone_from(&seen.public);
        for (p, left) in seen.public.left.iter().enumerate() {
            world.hands[p] = if p == seen.me {
                seen.hand
            } else {
                hidden
                    .drain(..usize::from(*left))
                    .fold(0, |m, c| m | (1 << c))
            };
        }
        0.0
    }
}

type Choose = fn(&Seen, &[u8], &mut SimRng) -> u8;

struct By(Choose);

impl Policy<Tricks> for By {
    fn choose(&self, _: &Tricks, seen: &Seen, legal: &[u8], rng: &mut SimRng) -> u8 {
        (self.0)(seen, legal, rng)
    }
}

impl Plugin for Tricks {
    type Options = Options;
    type Determinizer = Redeal;
    const NAME: &'static str = "tricks";
    const ABOUT: &'static str = "twelve cards, hidden hands, tricks of varying worth";

    fn list_outcomes(&self) -> Option<ListOutcomes<Self>> {
        Some(|_, _, out| {
            out.clear();
            out.extend((1..=3).map(|outcome| (outcome, 1.0 / 3.0)));
        })
    }

    fn from_options(options: Options) -> Result<Self, PluginError> {
        let most = CARDS / options.hand.max(1);
        if options.hand == 0 || !(1..=usize::from(most).min(4)).contains(&options.players) {
            return Err(PluginError::new(format!(
                "players={} with hand={}: 1 to 4 players, at most {CARDS} cards in all",
                options.players, options.hand
            )));
        }
        Ok(Self(options))
    }

    fn determinizer(&self) -> Redeal {
        Redeal
    }

    fn format_action(&self, card: u8) -> String {
        format!("c{card}")
    }

    /// The rank of a card in the hand, from the top; silent unless `label=shown`.
    fn describe_action(&self, seen: &Seen, card: u8) -> Option<String> {
        let above = cards(seen.hand).filter(|c| *c > card).count();
        (self.0.label == "shown").then(|| format!("number {} of the hand", above + 1))
    }

    fn win_probability(&self, value: f64) -> Option<f64> {
        (self.0.label == "shown").then_some((value + 20.0) / 40.0)
    }

    fn default_agent(&self) -> Option<&'static str> {
        (self.0.label == "shown").then_some("highest")
    }

    /// Not even valid SVG: just what was handed over.
    fn drawing(&self, seen: &Seen, rated: &[Rated<u8>]) -> Option<String> {
        let each = rated.iter().map(|r| format!("c{}:{}", r.action, r.visits));
        let text = each.collect::<Vec<_>>().join(" ");
        (self.0.label == "shown").then(|| format!("<svg>hand {} {text}</svg>", seen.hand))
    }

    fn format_chance(&self, worth: u8) -> String {
        format!("worth {worth}")
    }

    fn picture(&self, seen: &Seen) -> String {
        let list = |cards: Vec<u8>| {
            let names: Vec<String> = cards.iter().map(|c| format!("c{c}")).collect();
            names.join(" ")
        };
        format!(
            "you are seat {}, hand: {}\ntable: {} (worth {})\nwon: {:?}",
            seen.me + 1,
            list(cards(seen.hand).collect()),
            list(seen.public.table.clone()),
            seen.public.worth,
            seen.public.won
        )
    }

    fn format_observation(&self, seen: &Seen) -> Option<String> {
        let p = &seen.public;
        Some(format!(
            "me={} hand={} played={} table={} left={} won={} leader={} worth={}",
            seen.me,
            seen.hand,
            p.played,
            joined(&p.table),
            joined(&p.left),
            joined(&p.won),
            p.leader,
            p.worth
        ))
    }

    fn parse_observation(&self, text: &str) -> Result<Seen, PluginError> {
        let field = |key: &str| -> Result<&str, PluginError> {
            let mut pairs = text.split_whitespace().filter_map(|w| w.split_once('='));
            let found = pairs.find(|(k, _)| *k == key).map(|(_, v)| v);
            found.ok_or_else(|| PluginError::new(format!("`{key}=` is missing")))
        };
        let public = Public {
            table: list(field("table")?)?,
            played: number(field("played")?)?,
            left: list(field("left")?)?,
            won: list(field("won")?)?,
            leader: number(field("leader")?)?,
            worth: number(field("worth")?)?,
        };
        if public.left.len() != self.0.players || public.won.len() != self.0.players {
            return Err(PluginError::new(format!(
                "left= and won= need {} numbers",
                self.0.players
            )));
        }
        Ok(Seen {
            me: number(field("me")?)?,
            hand: number(field("hand")?)?,
            public,
        })
    }

    fn positions(&self) -> Vec<(&'static str, String)> {
        let text = "me=0 hand=7 played=0 table= left=3,3,3 won=0,0,0 leader=0 worth=2";
        vec![("low-hand", text.into())]
    }

    fn agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("highest", "plays its highest card"),
            ("lowest", "plays its lowest card"),
            ("broken", "plays a card that is not there"),
        ]
    }

    fn agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
    ) -> Result<Option<SharedPolicy<Self>>, ExprError> {
        let choose: Choose = match name {
            "highest" => |_, legal, _| legal[legal.len() - 1],
            "lowest" => {
                let nth = settings.get("nth", 0_usize)?;
                if nth > 0 {
                    return Err(ExprError::Other("nth=0 is all there is".into()));
                }
                |_, legal, _| legal[0]
            }
            "broken" => |_, _, _| 99,
            _ => return Ok(None),
        };
        Ok(Some(Arc::new(By(choose))))
    }

    fn own_agents(&self) -> Vec<(&'static str, &'static str)> {
        vec![("turning", "its lowest card, then its highest, and so on")]
    }

    fn own_agent(
        &self,
        name: &str,
        settings: &mut Settings<'_>,
        budget: &Budget,
    ) -> Result<Option<Box<dyn Agent<Self>>>, ExprError> {
        let high = settings.get("high", false)?;
        let budget = budget.clone();
        Ok((name == "turning").then(|| Box::new(Turning { high, budget }) as _))
    }

    fn score_unit(&self) -> &'static str {
        "points per round"
    }

    fn metric_names(&self) -> &'static [&'static str] {
        &["won", "best"]
    }

    fn metrics(&self, s: &State, p: Player) -> Vec<f64> {
        let mine = s.public.won[p.index()];
        let best = s.public.won.iter().all(|w| *w <= mine);
        vec![f64::from(mine), f64::from(u8::from(best))]
    }

    fn rounds(&self) -> u32 {
        self.0.rounds
    }
}

fn joined<T: ToString>(items: &[T]) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(",")
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, PluginError> {
    let bad = |_| PluginError::new(format!("`{text}` is not a number"));
    text.parse().map_err(bad)
}

fn list<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, PluginError> {
    text.split(',')
        .filter(|t| !t.is_empty())
        .map(number)
        .collect()
}
