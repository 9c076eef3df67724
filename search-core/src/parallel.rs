//! Work on several threads whose result does not depend on how many.

/// More threads than this cost time and memory, and the system may refuse them.
pub(crate) const MOST_THREADS: usize = 1024;

/// Calls `work` once for every item, on up to `threads` threads. The items must be independent.
pub fn for_each<T: Send>(threads: usize, items: &mut [T], work: &(impl Fn(&mut T) + Sync)) {
    let threads = threads.clamp(1, items.len().clamp(1, MOST_THREADS));
    if threads == 1 {
        items.iter_mut().for_each(work);
        return;
    }
    let share = items.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let mut chunks = items.chunks_mut(share);
        let own = chunks.next();
        for chunk in chunks {
            scope.spawn(move || chunk.iter_mut().for_each(work));
        }
        own.into_iter().flatten().for_each(work);
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_item_once_on_any_number_of_threads() {
        for threads in [0, 1, 2, 3, 7, 100] {
            for n in [0_u32, 1, 2, 5, 64] {
                let mut items: Vec<u32> = (0..n).collect();
                super::for_each(threads, &mut items, &|x| *x += 1);
                assert!(items.iter().copied().eq(1..=n));
            }
        }
    }

    #[test]
    fn no_number_of_threads_is_too_large() {
        let seen = std::sync::Mutex::new(std::collections::HashSet::new());
        let mut items = vec![0_u8; 5_000];
        super::for_each(usize::MAX, &mut items, &|x| {
            *x += 1;
            seen.lock().unwrap().insert(std::thread::current().id());
        });
        assert!(items.iter().all(|x| *x == 1));
        assert!(seen.into_inner().unwrap().len() <= super::MOST_THREADS);
    }
}
