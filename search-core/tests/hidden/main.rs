//! Worlds with weights, and the relatives of PIMC, on little trees with hidden worlds that are solved by
//! enumeration here.

mod alpha_mu;
mod bridge;
mod cheating;
mod common;
mod epimc;
mod pimc;
mod weights;
