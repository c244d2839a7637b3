//! Resamples that many statistics share. A report asks for hundreds of intervals over the same few numbers of clusters;
//! drawing is most of the work, and it is done once for each number.

use crate::bootstrap::{Bootstrap, Cluster, ratio_of_sums};
use crate::interval::Interval;
use crate::tile::{LANES, Tile, WeightedSum};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts kept for one number of clusters, at most: 64 MiB, for 6,700 clusters under 10,000 resamples. Beyond it they are
/// drawn anew for each statistic, tile by tile, with the same results.
const KEPT: usize = 64 << 20;

/// Tiles that one task takes at least: the work of one is too small to be handed to another thread.
const TILES_A_TASK: usize = 8;

/// The resamples of a [`Bootstrap`], drawn when a number of clusters is first asked for and kept. Threads may share it.
///
/// Every interval is the one that [`Bootstrap::clusters`] and [`Bootstrap::rows`] give, to the last bit, on any number of
/// threads and in any order of questions. All statistics over one number of clusters see the same resamples.
#[derive(Default)]
pub struct Resamples {
    bootstrap: Bootstrap,
    drawn: Mutex<BTreeMap<usize, Arc<[Tile]>>>,
}

impl Resamples {
    /// Resamples to be drawn as the bootstrap says.
    pub fn new(bootstrap: Bootstrap) -> Self {
        Resamples { bootstrap, drawn: Mutex::default() }
    }

    /// How it resamples.
    pub fn bootstrap(&self) -> Bootstrap {
        self.bootstrap
    }

    /// As [`Bootstrap::clusters`].
    pub fn clusters(&self, clusters: &[Cluster]) -> Option<Interval> {
        self.bootstrap.interval(self.ratios(clusters)?)
    }

    /// As [`Bootstrap::rows`].
    pub fn rows(&self, values: &[f64]) -> Option<Interval> {
        let rows: Vec<Cluster> = values.iter().map(|&value| Cluster::of_values([value])).collect();
        self.clusters(&rows)
    }

    /// The ratio of each resample in order, NaN where its denominators sum to 0; `None` as in [`Bootstrap::clusters`].
    pub(crate) fn ratios(&self, clusters: &[Cluster]) -> Option<Vec<f64>> {
        let ratio = Ratio::new(clusters)?;
        let Some(tiles) = self.tiles(clusters.len()) else { return Some(drawn_anew(&self.bootstrap, &ratio)) };
        let ratios = tiles.par_iter().with_min_len(TILES_A_TASK).map(|tile| ratio.over(tile)).collect();
        Some(flat(ratios, &self.bootstrap))
    }

    /// The tiles for a number of clusters; `None` if they are too many to be kept.
    fn tiles(&self, clusters: usize) -> Option<Arc<[Tile]>> {
        let number = tiles_of(&self.bootstrap);
        clusters.checked_mul(number)?.checked_mul(LANES).filter(|&bytes| bytes <= KEPT)?;
        let drawn = || self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tiles) = drawn().get(&clusters) {
            return Some(Arc::clone(tiles));
        }
        // Not under the lock: a thread that waits within rayon may take up another statistic, and would wait for itself.
        let seed = self.bootstrap.seed;
        let tiles: Vec<Tile> = (0..number).into_par_iter().map(|number| Tile::draw(seed, clusters, number)).collect();
        Some(Arc::clone(drawn().entry(clusters).or_insert_with(|| tiles.into())))
    }
}

/// Ratios of resamples that are drawn for this statistic and not kept; `None` as in [`Bootstrap::clusters`].
pub(crate) fn ratios_once(bootstrap: &Bootstrap, clusters: &[Cluster]) -> Option<Vec<f64>> {
    Some(drawn_anew(bootstrap, &Ratio::new(clusters)?))
}

fn drawn_anew(bootstrap: &Bootstrap, ratio: &Ratio) -> Vec<f64> {
    let ratios = (0..tiles_of(bootstrap))
        .into_par_iter()
        .map(|number| ratio.over(&Tile::draw(bootstrap.seed, ratio.clusters, number)))
        .collect();
    flat(ratios, bootstrap)
}

fn tiles_of(bootstrap: &Bootstrap) -> usize {
    resamples_of(bootstrap).div_ceil(LANES)
}

fn resamples_of(bootstrap: &Bootstrap) -> usize {
    usize::try_from(bootstrap.resamples).unwrap_or(usize::MAX)
}

/// One row of ratios; the last tile has lanes beyond the number of resamples.
fn flat(tiles: Vec<[f64; LANES]>, bootstrap: &Bootstrap) -> Vec<f64> {
    let mut ratios = tiles.into_flattened();
    ratios.truncate(resamples_of(bootstrap));
    ratios
}

/// A ratio of sums, made ready for tiles.
struct Ratio {
    clusters: usize,
    numerator: WeightedSum,
    denominator: WeightedSum,
}

impl Ratio {
    fn new(clusters: &[Cluster]) -> Option<Self> {
        if clusters.len() < 2 {
            return None;
        }
        ratio_of_sums(clusters)?;
        Some(Ratio {
            clusters: clusters.len(),
            numerator: WeightedSum::new(clusters.iter().map(|cluster| cluster.numerator)),
            denominator: WeightedSum::new(clusters.iter().map(|cluster| cluster.denominator)),
        })
    }

    fn over(&self, tile: &Tile) -> [f64; LANES] {
        let mut ratios = self.numerator.over(tile);
        for (ratio, &denominator) in ratios.iter_mut().zip(&self.denominator.over(tile)) {
            *ratio = if denominator > 0.0 { *ratio / denominator } else { f64::NAN };
        }
        ratios
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uneven(clusters: u32) -> Vec<Cluster> {
        (0..clusters).map(|n| Cluster { numerator: f64::from(n).sqrt(), denominator: f64::from(n % 7) }).collect()
    }

    #[test]
    fn shared_resamples_give_what_a_bootstrap_gives_to_the_last_bit() {
        let bootstrap = Bootstrap { resamples: 777, seed: 3, ..Bootstrap::default() };
        let shared = Resamples::new(bootstrap);
        for clusters in [uneven(96), uneven(504), uneven(96), uneven(8)] {
            assert_eq!(shared.clusters(&clusters), bootstrap.clusters(&clusters));
            assert_eq!(shared.clusters(&clusters), bootstrap.clusters(&clusters));
        }
        assert_eq!(shared.rows(&[1.0, 2.0, 4.0]), bootstrap.rows(&[1.0, 2.0, 4.0]));
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Resamples::default().ratios(&uneven(120)).unwrap())
        };
        let (one, three) = (on(1), on(3));
        assert_eq!(one.len(), 10_000);
        assert!(one.iter().zip(&three).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn more_counts_than_may_be_kept_are_drawn_anew_with_the_same_result() {
        let bootstrap = Bootstrap { resamples: 64 * 40, ..Bootstrap::default() };
        let shared = Resamples::new(bootstrap);
        let clusters = uneven(30_000);
        assert!(shared.tiles(clusters.len()).is_none());
        assert_eq!(shared.clusters(&clusters), bootstrap.clusters(&clusters));
    }

    #[test]
    fn threads_that_ask_at_once_get_the_same_answer() {
        let shared = Resamples::new(Bootstrap { resamples: 500, ..Bootstrap::default() });
        let clusters = uneven(50);
        let answers: Vec<_> = (0..32).into_par_iter().map(|_| shared.clusters(&clusters)).collect();
        assert!(answers[0].is_some() && answers.iter().all(|answer| *answer == answers[0]));
    }
}
