//! Bootstrap resamples as multiplicities: how often each cluster was drawn. They are kept in tiles, and a tile answers a
//! weighted sum for all of its resamples at once, in loops over fixed lanes that compile to vector instructions.

use crate::random::Draws;
use std::collections::BTreeMap;

/// Resamples in one tile: the counts of one cluster fill one cache line.
pub(crate) const LANES: usize = 64;

/// The multiplicities of `LANES` resamples, one row a cluster.
///
/// A count stops at 255. With up to 255 clusters none can be higher; with more, a count follows nearly a Poisson law of
/// mean 1, under which 256 has a probability below 10^-500.
pub(crate) struct Tile {
    counts: Vec<[u8; LANES]>,
}

impl Tile {
    /// Tile `number` of the resamples of `clusters` clusters under a seed. Resample i is a function of the seed, of i
    /// and of the number of clusters alone, whatever tile or thread draws it.
    pub(crate) fn draw(seed: u64, clusters: usize, number: usize) -> Self {
        let mut counts = vec![[0_u8; LANES]; clusters];
        let bound = clusters as u64;
        for lane in 0..LANES {
            let mut draws = Draws::new(seed, (number * LANES + lane) as u64);
            for _ in 0..clusters {
                // Every draw is below the number of clusters, so none of them is left out here.
                let drawn = usize::try_from(draws.below(bound)).ok().and_then(|drawn| counts.get_mut(drawn));
                if let Some(count) = drawn.and_then(|row| row.get_mut(lane)) {
                    *count = count.saturating_add(1);
                }
            }
        }
        Tile { counts }
    }

    /// The counts of a cluster, or none of a cluster that does not exist.
    fn row(&self, cluster: usize) -> &[u8; LANES] {
        self.counts.get(cluster).unwrap_or(&[0; LANES])
    }

    /// How many draws of each resample fell on `members`.
    fn count(&self, members: &[usize]) -> [u32; LANES] {
        let mut total = [0_u32; LANES];
        // 257 counts of at most 255 still fit in 16 bits, which take half the room of 32 in a register. Neither sum can
        // wrap; plain addition would be checked, and no loop with a check is vectorised.
        for some in members.chunks(257) {
            let mut part = [0_u16; LANES];
            for &cluster in some {
                for (sum, &count) in part.iter_mut().zip(self.row(cluster)) {
                    *sum = sum.wrapping_add(u16::from(count));
                }
            }
            for (sum, &count) in total.iter_mut().zip(&part) {
                *sum = sum.wrapping_add(u32::from(count));
            }
        }
        total
    }
}

/// A sum over clusters of multiplicity times value, arranged once so that each tile costs little: clusters of the same
/// value are counted as integers and multiplied once, zeros are left out, and the count of a value that most clusters
/// have is what the others leave. A proportion over a few seeds has hardly any other values. The order of additions
/// follows from the values alone, so a sum is the same to the last bit on any number of threads.
pub(crate) struct WeightedSum {
    clusters: usize,
    /// The value of more than half of the clusters, and all clusters that have another one.
    common: Option<(f64, Vec<usize>)>,
    /// Values of several clusters.
    shared: Vec<(f64, Vec<usize>)>,
    /// Values of one or two clusters.
    single: Vec<(f64, usize)>,
}

impl WeightedSum {
    /// The sum of these values, one for each cluster in its order.
    pub(crate) fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = WeightedSum { clusters: 0, common: None, shared: Vec::new(), single: Vec::new() };
        let mut members: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for value in values {
            if value != 0.0 {
                members.entry(value.to_bits()).or_default().push(sum.clusters);
            }
            sum.clusters += 1;
        }
        for (bits, members) in members {
            let value = f64::from_bits(bits);
            if members.len() * 2 > sum.clusters {
                let others = (0..sum.clusters).filter(|cluster| members.binary_search(cluster).is_err());
                sum.common = Some((value, others.collect()));
            } else if members.len() > 2 {
                sum.shared.push((value, members));
            } else {
                sum.single.extend(members.into_iter().map(|cluster| (value, cluster)));
            }
        }
        // In the order of memory.
        sum.single.sort_unstable_by_key(|&(_, cluster)| cluster);
        sum
    }

    /// The sum for each resample of a tile.
    pub(crate) fn over(&self, tile: &Tile) -> [f64; LANES] {
        let mut sums = [0.0; LANES];
        if let Some((value, others)) = &self.common {
            let all = self.clusters as f64;
            for (sum, &count) in sums.iter_mut().zip(&tile.count(others)) {
                *sum = value * (all - f64::from(count));
            }
        }
        for (value, members) in &self.shared {
            for (sum, &count) in sums.iter_mut().zip(&tile.count(members)) {
                *sum += value * f64::from(count);
            }
        }
        // Four clusters a pass: each sum is loaded and stored once for four additions.
        let (fours, rest) = self.single.as_chunks::<4>();
        for &[(v, a), (w, b), (x, c), (y, d)] in fours {
            let rows = tile.row(a).iter().zip(tile.row(b)).zip(tile.row(c)).zip(tile.row(d));
            for (sum, (((&a, &b), &c), &d)) in sums.iter_mut().zip(rows) {
                *sum = *sum + v * f64::from(a) + w * f64::from(b) + x * f64::from(c) + y * f64::from(d);
            }
        }
        for &(value, cluster) in rest {
            for (sum, &count) in sums.iter_mut().zip(tile.row(cluster)) {
                *sum += value * f64::from(count);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of one resample from its draws, one by one.
    fn drawn(seed: u64, resample: u64, values: &[f64]) -> f64 {
        let mut draws = Draws::new(seed, resample);
        values.iter().map(|_| values[usize::try_from(draws.below(values.len() as u64)).unwrap()]).sum()
    }

    fn agrees_with_its_draws(values: &[f64]) {
        let sum = WeightedSum::new(values.iter().copied());
        for number in [0, 3] {
            let sums = sum.over(&Tile::draw(11, values.len(), number));
            for (lane, &fast) in sums.iter().enumerate() {
                let slow = drawn(11, (number * LANES + lane) as u64, values);
                assert!((fast - slow).abs() <= 1e-12 * (1.0 + slow.abs()), "{fast} {slow}");
            }
        }
    }

    #[test]
    fn a_tile_sums_what_its_draws_sum() {
        let few: Vec<f64> = (0..504).map(|n| f64::from(n % 6)).collect();
        let all_different: Vec<f64> = (0..121).map(|n| f64::from(n).sqrt() - 5.0).collect();
        let mostly_one: Vec<f64> = (0..97).map(|n| if n % 5 == 0 { f64::from(n) / 3.0 } else { 1.0 }).collect();
        let mixed: Vec<f64> = (0..1000).map(|n| if n % 2 == 0 { f64::from(n) } else { f64::from(n % 4) }).collect();
        for values in [few, all_different, mostly_one, mixed, vec![0.0; 9], vec![2.0], vec![-0.0, 0.0, 1.0]] {
            agrees_with_its_draws(&values);
        }
    }

    #[test]
    fn a_resample_draws_as_many_clusters_as_there_are() {
        let sums = WeightedSum::new((0..300).map(|n| if n < 140 { 1.0 } else { 2.0 })).over(&Tile::draw(0, 300, 0));
        assert!(sums.iter().all(|&sum| (300.0..=600.0).contains(&sum)));
        let everything: Vec<usize> = (0..300).collect();
        assert_eq!(Tile::draw(0, 300, 0).count(&everything), [300; LANES]);
    }

    #[test]
    fn a_value_that_every_cluster_has_is_the_same_in_every_resample() {
        let tile = Tile::draw(5, 40, 0);
        assert_eq!(WeightedSum::new([5.0; 40]).over(&tile), [200.0; LANES]);
        assert_eq!(WeightedSum::new([0.0; 40]).over(&tile), [0.0; LANES]);
    }
}
