//! Properties T-DT2 to T-DT8 and the fixture of T-DT10 of `search_core::dealing`.

mod exact;
mod greedy;
mod large;
mod support;
mod uniform;
