//! Time on the processor, as a measurement for criterion.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::time::{Duration, Instant};

/// Time this thread has spent on a processor, which busy neighbours do not lengthen; the clock on
/// the wall where the system does not tell.
pub(crate) fn processor_time() -> Duration {
    // The system brings the figure up to date when it switches threads.
    std::thread::yield_now();
    let spent = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    spent().map_or_else(wall_time, Duration::from_nanos)
}

fn wall_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

/// Criterion on that clock, quick enough for all benches together to take a few minutes.
pub(crate) fn criterion() -> criterion::Criterion<Processor> {
    criterion::Criterion::default()
        .with_measurement(Processor)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .without_plots()
}

/// Measures [`processor_time`].
pub(crate) struct Processor;

impl Measurement for Processor {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        processor_time()
    }
    fn end(&self, start: Duration) -> Duration {
        processor_time() - start
    }
    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }
    fn zero(&self) -> Duration {
        Duration::ZERO
    }
    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
