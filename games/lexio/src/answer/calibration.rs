//! Tables of measured answer probabilities by class of situation.

use serde::{Deserialize, Serialize};

use crate::combination::Kind;
use crate::rules::{DealRule, LeadRule, Lexio, PassRule, StraightRule};

use super::unseen::{AnswerError, Unseen};

/// What a table is a table of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// At least one eligible seat can answer.
    Anyone,
    /// One certain seat can, say the next one. Of no use for the other question.
    OneSeat,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Self::Anyone => "anyone",
            Self::OneSeat => "one_seat",
        }
    }
}

/// What a table was made for and from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Which event's probability it holds.
    pub event: Event,
    /// The number of players, which decides the tiles and the hands.
    pub players: u8,
    /// [`rules_hash`] of the rules.
    pub rules_hash: String,
    /// [`GENERATOR_VERSION`] of the code that made it.
    pub generator_version: u32,
    /// The seed of the situations and of the deals.
    pub seed: u64,
    /// How many situations of self-play.
    pub situations: u64,
    /// How many deals were sampled in each for five-tile plays. Smaller plays are exact.
    pub samples: u32,
}

/// Counts the versions of the builder: equal headers mean equal tables, byte for byte.
pub const GENERATOR_VERSION: u32 = 1;

/// What the plays of one class have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Class {
    /// The place of the kind of the play in [`Kind::ALL`].
    pub kind: u8,
    /// How many eligible seats hold as many tiles as the play has.
    pub seats: u8,
    /// The bucket of the number of unseen tiles: up to 12, 18, 24, 30, 36, 42, and more.
    pub unseen: u8,
    /// The bucket of the expected number of sets of tiles in an eligible hand that beat the play
    /// (`m Σ_i q_i`, as in the sum rule): two buckets an octave, 0 from 1 to 1.5.
    pub pressure: i16,
}

/// The plays of a class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which.
    #[serde(flatten)]
    pub class: Class,
    /// How many plays were met.
    pub plays: u64,
    /// The mean probability that they are answered.
    pub probability: f64,
    /// The root mean square error of such a table on plays of other situations, the noise of the
    /// sample included.
    pub error: f64,
}

/// Measured answer probabilities by class of situation.
///
/// Within kind, seats and unseen tiles the value is interpolated over the pressure. Where a bucket
/// of unseen tiles was never met, the nearest one stands in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationTable {
    /// What it was made for.
    pub header: Header,
    pub(super) rows: Vec<Row>,
}

/// What tells classes apart, with the pressure as a number on the scale of its buckets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Features {
    pub(super) class: Class,
    pub(super) pressure: f64,
}

impl Features {
    /// Of a play of `kind` that so many sets of tiles beat, expected to lie in one hand `expected`
    /// times. `None` when it cannot be answered at all.
    pub(super) fn new(kind: Kind, unseen: &Unseen, expected: f64) -> Option<Self> {
        if expected.is_nan() || expected <= 0.0 {
            return None;
        }
        let large = |s: &&super::Seat| s.eligible && u32::from(s.tiles) >= kind.size();
        let pressure = 2.0 * octaves(expected).clamp(-12.0, 12.0);
        Some(Self {
            class: Class {
                kind: kind as u8,
                seats: unseen.seats().iter().filter(large).count() as u8,
                unseen: (unseen.tiles().len().saturating_sub(7) / 6).min(6) as u8,
                pressure: pressure.floor() as i16,
            },
            pressure,
        })
    }
}

/// The logarithm to base 2, straight between powers of 2: the same on every machine, and monotone,
/// which is all that buckets need.
fn octaves(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32 - 1023;
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    f64::from(exponent) + mantissa - 1.0
}

/// What decides the answer probabilities and the situations of self-play.
#[derive(Serialize)]
struct Relevant {
    players: u8,
    deal: DealRule,
    straights: StraightRule,
    pass: PassRule,
    lead: LeadRule,
    first_play_has_cloud3: bool,
}

/// Sixteen digits that differ for rules under which tables differ: FNV-1a over players, deal,
/// straights, pass, lead and the rule of the first play. Rounds and settlement have no part in it.
#[must_use]
pub fn rules_hash(game: &Lexio) -> String {
    let options = game.options();
    let relevant = Relevant {
        players: options.players,
        deal: options.deal,
        straights: options.straights,
        pass: options.pass,
        lead: options.lead,
        first_play_has_cloud3: options.first_play_has_cloud3,
    };
    let text = serde_json::to_string(&relevant).unwrap_or_default();
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |h, byte| {
        (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{hash:016x}")
}

impl CalibrationTable {
    /// The rows, ascending by class.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Reads a table for these rules and this event.
    ///
    /// # Errors
    /// When it is no table, has rows that cannot be, or was made for another number of players,
    /// other rules, another event or by another version of the builder.
    pub fn load(text: &str, game: &Lexio, event: Event) -> Result<Self, AnswerError> {
        let table: Self =
            serde_json::from_str(text).map_err(|e| AnswerError::BadTable(e.to_string()))?;
        table.check(game, event)?;
        let ascending = table.rows.windows(2).all(|w| w[0].class < w[1].class);
        let sound = |row: &Row| (0.0..=1.0).contains(&row.probability) && row.error >= 0.0;
        if !ascending || !table.rows.iter().all(sound) {
            return Err(AnswerError::BadTable(
                "the rows are not ascending probabilities with their errors".to_owned(),
            ));
        }
        Ok(table)
    }

    /// The table as JSON, one row a line.
    ///
    /// # Errors
    /// When it holds a number that JSON has not.
    pub fn to_json(&self) -> Result<String, AnswerError> {
        let bad = |e: serde_json::Error| AnswerError::BadTable(e.to_string());
        let header = serde_json::to_string(&self.header).map_err(bad)?;
        let rows = self.rows.iter().map(serde_json::to_string);
        let rows = rows.collect::<Result<Vec<_>, _>>().map_err(bad)?;
        Ok(format!(
            "{{\"header\":{header},\"rows\":[\n{}\n]}}\n",
            rows.join(",\n")
        ))
    }

    /// Refuses a table that was made for something else.
    ///
    /// # Errors
    /// [`AnswerError::Table`] with what differs.
    pub fn check(&self, game: &Lexio, event: Event) -> Result<(), AnswerError> {
        let differ = |field, table: String, here: String| {
            if table == here {
                Ok(())
            } else {
                Err(AnswerError::Table { field, table, here })
            }
        };
        let header = &self.header;
        differ(
            "event",
            header.event.name().to_owned(),
            event.name().to_owned(),
        )?;
        let players = game.options().players;
        differ("players", header.players.to_string(), players.to_string())?;
        differ("rules_hash", header.rules_hash.clone(), rules_hash(game))?;
        let (table, here) = (header.generator_version, GENERATOR_VERSION);
        differ("generator_version", table.to_string(), here.to_string())
    }

    /// The probability and its error for a play with these features; `None` when nothing like it
    /// was met.
    pub(super) fn look_up(&self, features: &Features) -> Option<(f64, f64)> {
        let class = features.class;
        let mut nearest: [u8; 7] = std::array::from_fn(|i| i as u8);
        nearest.sort_by_key(|bucket| bucket.abs_diff(class.unseen));
        let curves = nearest.into_iter().map(|unseen| {
            let class = Class { unseen, ..class };
            self.curve(class)
        });
        let curve = curves.into_iter().find(|rows| !rows.is_empty())?;
        Some(interpolate(curve, features.pressure))
    }

    /// The rows that differ from a class in pressure only.
    fn curve(&self, class: Class) -> &[Row] {
        let key = |c: &Class| (c.kind, c.seats, c.unseen);
        let start = self.rows.partition_point(|r| key(&r.class) < key(&class));
        let end = self.rows.partition_point(|r| key(&r.class) <= key(&class));
        &self.rows[start..end]
    }
}

/// Between the middles of the two buckets around; at the ends the last one's value.
fn interpolate(curve: &[Row], pressure: f64) -> (f64, f64) {
    let middle = |row: &Row| f64::from(row.class.pressure) + 0.5;
    let above = curve.partition_point(|row| middle(row) <= pressure);
    let high = &curve[above.min(curve.len() - 1)];
    let low = &curve[above.saturating_sub(1)];
    let width = middle(high) - middle(low);
    let share = if width > 0.0 {
        ((pressure - middle(low)) / width).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mix = |a: f64, b: f64| a + share * (b - a);
    (
        mix(low.probability, high.probability),
        mix(low.error, high.error),
    )
}
