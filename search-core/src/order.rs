//! Orders of short lists of numbers: compiled once, where a sort of the standard library would be
//! compiled for every game and every comparison.

use std::cmp::Ordering;

/// A stable sort.
pub(crate) fn sort_by(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|&a, &b| compare(a, b));
}

/// From the best score to the worst, ties by number.
pub(crate) fn best_first(order: &mut [usize], score: &dyn Fn(usize) -> f64) {
    sort_by(order, &|a, b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
}

/// Brings `items` into an order of their places: what lies at `order[i]` goes to place `i`.
pub(crate) fn arrange<T: Copy>(items: &mut [T], order: &mut [usize]) {
    for start in 0..order.len() {
        // Along one cycle of the permutation; what is done points to itself.
        let (first, mut place) = (items[start], start);
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start {
                break;
            }
            items[place] = items[from];
            place = from;
        }
        items[place] = first;
    }
}

#[cfg(test)]
mod tests {
    use super::{arrange, best_first, sort_by};

    #[test]
    fn every_permutation_of_five_is_arranged() {
        let mut seen = 0;
        for code in 0..5_usize.pow(5) {
            let order: Vec<usize> = (0..5).map(|i| code / 5_usize.pow(i) % 5).collect();
            if (0..5).any(|n| !order.contains(&n)) {
                continue;
            }
            let mut items = ['a', 'b', 'c', 'd', 'e'];
            let expected: Vec<char> = order.iter().map(|&i| items[i]).collect();
            arrange(&mut items, &mut order.clone());
            assert_eq!(items.as_slice(), expected, "{order:?}");
            seen += 1;
        }
        assert_eq!(seen, 120);
    }

    #[test]
    fn ties_stay_or_go_by_number() {
        let mut order = [3, 1, 2, 0];
        sort_by(&mut order, &|a, b| (a / 2).cmp(&(b / 2)));
        assert_eq!(order, [1, 0, 3, 2]);
        best_first(&mut order, &|i| [1.0, 2.0, 1.0, f64::NAN][i]);
        assert_eq!(order, [3, 1, 0, 2]);
    }
}
