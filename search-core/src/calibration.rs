//! Tables of what an estimator gets wrong, made from the game's own situations: [`Calibrate`].

use crate::plugin::PluginError;

/// What a table is made from: the same recipe, rules and program give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// Which event's probability is measured, one of [`Calibrate::events`].
    pub event: String,
    /// The seed of the situations and of what is sampled in them.
    pub seed: u64,
    /// How many situations.
    pub situations: u64,
    /// How many samples in each.
    pub samples: u32,
}

/// A table, and what there is to say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// What it was made from.
    pub recipe: Recipe,
    /// The file: the table with the recipe, the players, a hash of the rules and the version of the
    /// generator in it.
    pub text: String,
    /// What the file says of itself beside the recipe: names and values.
    pub facts: Vec<(&'static str, String)>,
    /// The columns of a summary.
    pub columns: Vec<&'static str>,
    /// The summary, one row a class of situations.
    pub rows: Vec<Vec<String>>,
}

/// A game with an estimator that is calibrated by tables.
///
/// A table is of use only for the rules, the number of players and the event it was made for; reading it
/// for others must fail.
pub trait Calibrate {
    /// The events of which a table can be made, the first unless another is asked for: name and one line
    /// about it.
    fn events(&self) -> Vec<(&'static str, &'static str)>;

    /// The recipe for an event unless something else is asked for.
    fn recipe(&self, event: &str) -> Recipe;

    /// Makes a table on so many threads, which change nothing about it. `watch` is called now and then
    /// with the situations that are done.
    ///
    /// # Errors
    /// When the recipe cannot be followed, saying what would be right.
    fn calibrate(
        &self,
        recipe: &Recipe,
        threads: usize,
        watch: &mut dyn FnMut(u64),
    ) -> Result<Calibration, PluginError>;

    /// Reads the file of a table that is to serve for an event under these rules; without an event, for the
    /// one that the file names.
    ///
    /// # Errors
    /// When it is no such file, or was made for other rules, another number of players, another event or by
    /// another version of the generator: which, and what would be right.
    fn read(&self, text: &str, event: Option<&str>) -> Result<Calibration, PluginError>;
}
