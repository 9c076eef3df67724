use super::table::{Found, Table, hash};

#[test]
fn a_table_finds_what_it_was_given_and_nothing_else() {
    let keys: Vec<(u128, u8)> = (0..20_000_u32)
        .map(|i| (u128::from(i / 2) << 60, (i % 2) as u8))
        .collect();
    let mut table = Table::default();
    let of = |node: u32| keys[node as usize];
    for (node, &(key, turn)) in (0..).zip(&keys) {
        table.reserve(|node| hash(of(node).0, of(node).1));
        match table.find(hash(key, turn), |node| of(node) == (key, turn)) {
            Found::Place(place) => table.put(place, node),
            Found::Node(other) => panic!("{key} was taken for {other}"),
        }
    }
    for (node, &(key, turn)) in (0..).zip(&keys) {
        let found = table.find(hash(key, turn), |node| of(node) == (key, turn));
        assert_eq!(found, Found::Node(node));
    }
    table.clear();
    let found = table.find(hash(0, 0), |node| of(node) == (0, 0));
    assert!(matches!(found, Found::Place(_)));
}
