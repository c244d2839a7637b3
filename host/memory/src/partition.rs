//! The split of bases: a fifth validates (predictor and acting model are chosen on it), a fifth is held out, the rest is
//! main. The paper's 50 bases give 10, 10 and 30.
//!
//! Each domain is split by itself, and within it customers stand in the order of the SHA-256 of their name, so that the split
//! rests on nothing but who the customers are, and bases of another domain change nothing. A customer is a name within a
//! domain: each domain keeps its own register. All bases of a customer go together: what is chosen on one is not measured on
//! another.

use crate::variant::Partition;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// One over the share of bases that validates, and of those that are held out.
const ONE_IN: usize = 5;

/// The partition of each base, given by domain and customer, in the order of the bases.
///
/// A customer's bases go to validation where all of them still fit, else to held-out, else to main. So a domain whose
/// bases belong to a single customer is main altogether.
#[must_use]
pub fn split(bases: &[(&str, &str)]) -> Vec<Partition> {
    let mut domains: BTreeMap<&str, BTreeMap<[u8; 32], Vec<usize>>> = BTreeMap::new();
    for (index, (domain, customer)) in bases.iter().enumerate() {
        domains.entry(domain).or_default().entry(Sha256::digest(customer).into()).or_default().push(index);
    }
    let mut partitions = vec![Partition::Main; bases.len()];
    for customers in domains.values() {
        let size: usize = customers.values().map(Vec::len).sum();
        // To the nearest, so that a set of three bases still has one of each.
        let share = (size + ONE_IN / 2) / ONE_IN;
        let (mut validation, mut held_out) = (share, share);
        for group in customers.values() {
            let (partition, room) = match group.len() {
                n if n <= validation => (Partition::Validation, &mut validation),
                n if n <= held_out => (Partition::HeldOut, &mut held_out),
                _ => continue,
            };
            *room -= group.len();
            for &index in group {
                if let Some(place) = partitions.get_mut(index) {
                    *place = partition;
                }
            }
        }
    }
    partitions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bases(domains: &[(&str, usize)]) -> Vec<(String, String)> {
        let of = |&(domain, count): &(&str, usize)| {
            let domain = domain.to_owned();
            (0..count).map(move |n| (domain.clone(), format!("{domain}_customer_{n}")))
        };
        domains.iter().flat_map(of).collect()
    }

    fn run(bases: &[(String, String)]) -> Vec<Partition> {
        split(&bases.iter().map(|(d, c)| (d.as_str(), c.as_str())).collect::<Vec<_>>())
    }

    fn count(partitions: &[Partition]) -> [usize; 3] {
        [Partition::Validation, Partition::HeldOut, Partition::Main]
            .map(|which| partitions.iter().filter(|p| **p == which).count())
    }

    #[test]
    fn the_papers_fifty_bases_give_ten_ten_and_thirty() {
        let partitions = run(&bases(&[("airline", 20), ("retail", 20), ("telecom", 10)]));
        assert_eq!(count(&partitions), [10, 10, 30]);
        assert_eq!(count(&partitions[..20]), [4, 4, 12]);
        assert_eq!(count(&partitions[40..]), [2, 2, 6]);
    }

    #[test]
    fn bases_of_another_domain_and_another_order_change_nothing() {
        let airline = bases(&[("airline", 20)]);
        let both = bases(&[("airline", 20), ("telecom", 10)]);
        assert_eq!(run(&airline), run(&both)[..20]);
        let mut reversed = airline.clone();
        reversed.reverse();
        let mut partitions = run(&reversed);
        partitions.reverse();
        assert_eq!(run(&airline), partitions);
    }

    #[test]
    fn a_customer_is_never_in_two_partitions() {
        // Groups of one to four bases; a group of three fits into neither share of ten bases and is main.
        for groups in 3..12_usize {
            let mut all = Vec::new();
            for customer in 0..groups {
                let bases = std::iter::repeat_n(("d".to_owned(), format!("c{customer}")), 1 + customer % 4);
                all.extend(bases);
            }
            let partitions = run(&all);
            let mut seen: BTreeMap<&str, Partition> = BTreeMap::new();
            for ((_, customer), partition) in all.iter().zip(&partitions) {
                assert_eq!(seen.entry(customer).or_insert(*partition), partition, "{customer} of {groups}");
            }
            let [validation, held_out, _] = count(&partitions);
            assert!(validation <= (all.len() + 2) / 5 && held_out <= (all.len() + 2) / 5);
        }
    }

    #[test]
    fn a_domain_with_one_customer_is_main_altogether() {
        let one = vec![("telecom".to_owned(), "C1001".to_owned()); 10];
        assert_eq!(count(&run(&one)), [0, 0, 10]);
        assert_eq!(count(&run(&bases(&[("d", 3)]))), [1, 1, 1]);
        assert!(run(&[]).is_empty());
    }
}
