//! Bytes on the heap, as the allocator was asked for them.
//!
//! Counting costs a few nanoseconds an allocation, which a search that allocates every node would
//! pay and one with an arena would not: so the allocator counts only inside [`measure`], and times
//! are taken outside of it.
#![allow(unsafe_code)] // An allocator cannot be written without.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, counting inside [`measure`]. A binary installs it:
/// `#[global_allocator] static HEAP: Counting = Counting;`
#[derive(Debug, Clone, Copy, Default)]
pub struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// A block grew by so many bytes; a new one from nothing.
#[inline]
fn grew(bytes: isize) {
    if ON.load(Relaxed) {
        let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(live, Relaxed);
    }
}

// SAFETY: every call is handed to the system's allocator as it is, and so is what it returns;
// counting touches atomics only and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size() as isize);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grew(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grew(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        grew(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What some work took from the heap, beyond what there was before it, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    /// Still held at its end.
    pub live: u64,
    /// The most at any time.
    pub peak: u64,
}

/// Bytes held now, beyond what was held when [`measure`] began; 0 outside of it.
#[must_use]
#[allow(dead_code)] // The comparison with other crates includes this file and has no use for it.
pub fn held() -> u64 {
    u64::try_from(LIVE.load(Relaxed)).unwrap_or(0)
}

/// Does some work and says what it took, by all threads together; `None` where [`Counting`] is not
/// the allocator. One at a time: what else allocates meanwhile is counted, too.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Option<Heap>) {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    ON.store(true, Relaxed);
    // Large enough not to be taken for something that ends meanwhile.
    let probe = std::hint::black_box(Vec::<u8>::with_capacity(1 << 16));
    let counts = LIVE.load(Relaxed) >= 1 << 16;
    drop(probe);
    PEAK.store(LIVE.load(Relaxed), Relaxed);
    let result = work();
    ON.store(false, Relaxed);
    let bytes = |count: &AtomicIsize| u64::try_from(count.load(Relaxed)).unwrap_or(0);
    let heap = Heap {
        live: bytes(&LIVE),
        peak: bytes(&PEAK),
    };
    (result, counts.then_some(heap))
}
