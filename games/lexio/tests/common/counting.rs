//! An allocator that counts, for each thread apart: the test harness allocates in its own. The
//! tests of the searchers use this file too.
#![allow(unsafe_code)] // A counting allocator cannot be written without.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: hands everything to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often this thread has allocated so far, growth of a vector included.
pub(crate) fn allocations() -> usize {
    ALLOCATIONS.get()
}
