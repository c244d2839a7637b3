//! Labels that do not cover each other.

/// An upright rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn around((x, y): (f64, f64), (half_width, half_height): (f64, f64)) -> Self {
        Area { left: x - half_width, top: y - half_height, right: x + half_width, bottom: y + half_height }
    }

    /// The shared surface, in square pixels.
    pub(super) fn overlap(&self, other: &Area) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
    }

    fn outside(&self, frame: &Area) -> f64 {
        let inside = self.overlap(frame);
        (self.right - self.left) * (self.bottom - self.top) - inside
    }
}

/// Moves positions apart, so that neighbours are at least `gap` from each other and all are within the ends, if there is room;
/// as little as a sweep down and one back need. Order is kept.
pub(super) fn spread(wanted: &[f64], gap: f64, (first, last): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let at = |index: usize| wanted.get(index).copied().unwrap_or_default();
    order.sort_by(|a, b| at(*a).total_cmp(&at(*b)));
    let mut placed: Vec<(usize, f64)> = Vec::with_capacity(order.len());
    let mut free = first;
    for index in order {
        let position = at(index).max(free);
        placed.push((index, position));
        free = position + gap;
    }
    let mut free = last;
    for (_, position) in placed.iter_mut().rev() {
        *position = position.min(free);
        free = *position - gap;
    }
    placed.sort_by_key(|(index, _)| *index);
    placed.into_iter().map(|(_, position)| position).collect()
}

/// A point, and the width and height of its label.
pub(super) type Labelled = ((f64, f64), (f64, f64));

/// Places a label of a size near each point, and returns its area. `taken` is what no label should cover, `soft` what it may
/// cover if it must (intervals). Points are served in order; of the places around a point the one with the least harm wins,
/// and of equal ones the nearest.
pub(super) fn labels(points: &[Labelled], frame: &Area, taken: &[Area], soft: &[Area]) -> Vec<Area> {
    const REACHES: [f64; 9] = [11.0, 20.0, 32.0, 46.0, 62.0, 80.0, 100.0, 124.0, 150.0];
    const WAYS: [(f64, f64); 12] = [
        (1.0, 0.0),
        (0.9, -0.5),
        (0.9, 0.5),
        (0.5, -0.9),
        (0.5, 0.9),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
        (-0.9, -0.5),
        (-0.9, 0.5),
        (-0.5, -0.9),
        (-0.5, 0.9),
    ];
    let mut placed: Vec<Area> = Vec::new();
    for &((x, y), (width, height)) in points {
        let mut best: Option<(f64, Area)> = None;
        for reach in REACHES {
            for (dx, dy) in WAYS {
                // The label's near edge is at the reach, not its middle.
                let centre = (x + dx * reach + dx * width / 2.0, y + dy * reach + dy * height / 2.0);
                let area = Area::around(centre, (width / 2.0, height / 2.0));
                let hard: f64 = placed.iter().chain(taken).map(|other| area.overlap(other)).sum();
                let mild: f64 = soft.iter().map(|other| area.overlap(other)).sum();
                let cost = hard * 50.0 + area.outside(frame) * 50.0 + mild * 0.6 + reach;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, area));
                }
            }
        }
        placed.extend(best.map(|(_, area)| area));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_labels_of_one_point_do_not_cover_each_other() {
        let points = [((100.0, 150.0), (90.0, 14.0)); 12];
        let frame = Area { left: 0.0, top: 0.0, right: 600.0, bottom: 300.0 };
        let placed = labels(&points, &frame, &[Area::around((100.0, 150.0), (6.0, 6.0))], &[]);
        assert_eq!(placed.len(), 12);
        for (index, one) in placed.iter().enumerate() {
            assert!(one.outside(&frame) < 1e-6, "{one:?}");
            assert!(placed[..index].iter().all(|other| one.overlap(other) < 1e-6), "{placed:?}");
        }
    }

    #[test]
    fn positions_move_apart_in_order_and_stay_within_the_ends() {
        let placed = spread(&[50.0, 50.0, 48.0, 99.0], 15.0, (0.0, 100.0));
        assert_eq!(placed, [63.0, 78.0, 48.0, 99.0]);
        let crowded = spread(&[95.0, 96.0, 97.0], 15.0, (0.0, 100.0));
        assert_eq!(crowded, [70.0, 85.0, 100.0]);
    }
}
