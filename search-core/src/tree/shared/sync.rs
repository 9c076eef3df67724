//! The atomics of a shared tree: those of the standard library, or in a model check those of loom, which
//! runs threads in every order and shows every value that the memory orderings allow.

#[cfg(not(all(loom, test)))]
pub(super) use std::sync::OnceLock;
#[cfg(not(all(loom, test)))]
pub(super) use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

#[cfg(all(loom, test))]
pub(super) use loom::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};
#[cfg(all(loom, test))]
pub(super) use once::OnceLock;

/// What loom lacks: the standard library's cell for the value, and beside it what others may know of it,
/// in an atomic of loom.
#[cfg(all(loom, test))]
mod once {
    use std::sync::atomic::Ordering::{Acquire, Release};

    use super::AtomicU32;

    const EMPTY: u32 = 0;
    const BUSY: u32 = 1;
    const FULL: u32 = 2;

    #[derive(Debug)]
    pub(in super::super) struct OnceLock<T> {
        state: AtomicU32,
        value: std::sync::OnceLock<T>,
    }

    impl<T> OnceLock<T> {
        pub(in super::super) fn new() -> Self {
            Self {
                state: AtomicU32::new(EMPTY),
                value: std::sync::OnceLock::new(),
            }
        }

        /// Nothing unless this thread may know of the value, although it is there in the cell.
        pub(in super::super) fn get(&self) -> Option<&T> {
            let known = self.state.load(Acquire) == FULL;
            known.then(|| self.value.get()).flatten()
        }

        pub(in super::super) fn set(&self, value: T) -> Result<(), T> {
            let mut value = Some(value);
            self.get_or_init(|| value.take().expect("called once"));
            value.map_or(Ok(()), Err)
        }

        pub(in super::super) fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
            let begun = self.state.compare_exchange(EMPTY, BUSY, Acquire, Acquire);
            if begun.is_ok() {
                let _ = self.value.set(make());
                self.state.store(FULL, Release);
            }
            while self.state.load(Acquire) != FULL {
                loom::thread::yield_now();
            }
            self.value.get().expect("stored before the state")
        }
    }
}
