//! Marks beside points, none over another.

/// A rectangle: left, top, width, height.
pub(super) type Area = [f64; 4];

/// Whether two rectangles share more than an edge.
pub(super) fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

/// The rectangle of this size around a point.
pub(super) fn around([x, y]: [f64; 2], [w, h]: [f64; 2]) -> Area {
    [x - w / 2.0, y - h / 2.0, w, h]
}

/// Finds room for labels.
#[derive(Debug, Default)]
pub(super) struct Labels {
    taken: Vec<Area>,
}

/// Directions in the order they are tried: right, left, above, below, and what lies between.
const WAYS: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [0.7, -0.7],
    [0.7, 0.7],
    [-0.7, -0.7],
    [-0.7, 0.7],
];

impl Labels {
    /// Keeps an area free, a stone's say.
    pub(super) fn keep_free(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// The centre of a label of this size: the nearest free place within `bounds` around `anchor`, at
    /// least `gap` from it; `None` when there is no room.
    pub(super) fn place(
        &mut self,
        anchor: [f64; 2],
        size: [f64; 2],
        gap: f64,
        bounds: &Area,
    ) -> Option<[f64; 2]> {
        let reach = [gap + size[0] / 2.0, gap + size[1] / 2.0];
        for ring in 0..40 {
            let further = f64::from(ring) * 0.6 * size[1].min(size[0]);
            for way in WAYS {
                let at = [0, 1].map(|i| anchor[i] + way[i] * (reach[i] + further));
                let area = around(at, size);
                if inside(&area, bounds) && !self.taken.iter().any(|t| overlap(t, &area)) {
                    self.taken.push(area);
                    return Some(at);
                }
            }
        }
        None
    }
}

fn inside(area: &Area, bounds: &Area) -> bool {
    area[0] >= bounds[0]
        && area[1] >= bounds[1]
        && area[0] + area[2] <= bounds[0] + bounds[2]
        && area[1] + area[3] <= bounds[1] + bounds[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_one_point_do_not_overlap() {
        let bounds = [0.0, 0.0, 400.0, 400.0];
        let mut labels = Labels::default();
        let stone = around([200.0, 200.0], [24.0, 24.0]);
        labels.keep_free(stone);
        let size = [30.0, 14.0];
        let placed: Vec<Area> = (0..20)
            .map(|_| {
                around(
                    labels.place([200.0, 200.0], size, 4.0, &bounds).unwrap(),
                    size,
                )
            })
            .collect();
        for (i, a) in placed.iter().enumerate() {
            assert!(inside(a, &bounds) && !overlap(a, &stone));
            assert!(placed[..i].iter().all(|b| !overlap(a, b)));
        }
        // Where there is no room there is no label.
        let small = [190.0, 190.0, 20.0, 20.0];
        assert_eq!(labels.place([200.0, 200.0], size, 4.0, &small), None);
    }
}
