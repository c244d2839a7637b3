//! One look for each policy, in every figure: a colour that the colour-blind can tell apart (Okabe and Ito's palette), and a
//! shape and a dash that remain in print without colour.

/// The defences of ContainmentBench table 8, which always have the same look.
const KNOWN: [&str; 7] =
    ["none", "prompt-only", "structured-guard", "tool-boundary", "taint-only", "intent-ledger", "rollback"];

/// Classes of the style sheet.
const COLOURS: [&str; 7] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6"];
const DASHES: [&str; 7] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6"];

/// A place in the palette. Up to 49 of them look different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot(usize);

/// A slot for each policy, in the order given: its own for a known one, the next free one for another.
pub(super) fn slots<'a>(policies: impl IntoIterator<Item = &'a str>) -> Vec<Slot> {
    let mut next = KNOWN.len();
    let mut other = || {
        next += 1;
        next - 1
    };
    policies
        .into_iter()
        .map(|policy| Slot(KNOWN.iter().position(|known| *known == policy).unwrap_or_else(&mut other)))
        .collect()
}

impl Slot {
    pub(super) fn colour(self) -> &'static str {
        COLOURS.get(self.0 % COLOURS.len()).copied().unwrap_or_default()
    }

    pub(super) fn dash(self) -> &'static str {
        DASHES.get(self.shape()).copied().unwrap_or_default()
    }

    /// Shifted by one with each turn through the colours, so that no pair of colour and shape comes twice.
    fn shape(self) -> usize {
        (self.0 + self.0 / 7) % 7
    }

    pub(super) fn is_ring(self) -> bool {
        self.shape() == 6
    }

    /// The corners of the mark; none for the circles.
    pub(super) fn outline(self, (x, y): (f64, f64), r: f64) -> Option<Vec<(f64, f64)>> {
        let around = |points: &[(f64, f64)]| Some(points.iter().map(|&(dx, dy)| (x + dx * r, y + dy * r)).collect());
        match self.shape() {
            1 => around(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            2 => around(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            3 => around(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]),
            4 => around(&[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)]),
            5 => around(&[
                (-0.4, -1.15),
                (0.4, -1.15),
                (0.4, -0.4),
                (1.15, -0.4),
                (1.15, 0.4),
                (0.4, 0.4),
                (0.4, 1.15),
                (-0.4, 1.15),
                (-0.4, 0.4),
                (-1.15, 0.4),
                (-1.15, -0.4),
                (-0.4, -0.4),
            ]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_policy_looks_the_same_whatever_stands_beside_it() {
        let alone = slots(["intent-ledger"]);
        let among = slots(["none", "mine", "intent-ledger", "yours"]);
        assert_eq!(alone[0], among[2]);
        assert_ne!(among[1], among[3]);
    }

    #[test]
    fn twelve_policies_have_twelve_looks() {
        let names: Vec<String> = (0..12).map(|n| format!("policy-{n}")).collect();
        let looks: Vec<_> =
            slots(names.iter().map(String::as_str)).into_iter().map(|slot| (slot.colour(), slot.shape())).collect();
        let mut unique = looks.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), 12, "{looks:?}");
    }
}
