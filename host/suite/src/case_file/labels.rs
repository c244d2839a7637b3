//! Labels by name.

use weir_trace::Labels;

/// Names of the bits that mean the same everywhere.
const NAMES: [&str; 4] = ["untrusted", "canary", "private", "quarantined"];

/// The first bit that an episode names.
const NAMED: u32 = 8;

/// The set of these labels. A bit without a name is `bit-N`.
pub(super) fn bits(names: &[String], own: &[String]) -> Result<Labels, String> {
    names.iter().try_fold(0, |all, name| Ok(all | bit(name, own)?))
}

fn bit(name: &str, own: &[String]) -> Result<Labels, String> {
    let known = (0..).zip(NAMES).chain((NAMED..).zip(own.iter().map(String::as_str)));
    let number = match known.clone().find(|(_, known)| *known == name) {
        Some((number, _)) => Some(number),
        None => name.strip_prefix("bit-").and_then(|number| number.parse().ok()),
    };
    number.and_then(|number| 1_u64.checked_shl(number)).ok_or_else(|| {
        let known: Vec<&str> = known.map(|(_, name)| name).collect();
        format!("there is no label `{name}`: there are {}, and those of `label-names`", known.join(", "))
    })
}

/// The names of a set.
pub(super) fn names(labels: Labels, own: &[String]) -> Vec<String> {
    let name = |number: u32| {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let first = usize::try_from(NAMED).unwrap_or(usize::MAX);
        let named = NAMES.get(index).map(|name| (*name).to_owned());
        named.or_else(|| own.get(index.checked_sub(first)?).cloned()).unwrap_or_else(|| format!("bit-{number}"))
    };
    (0..Labels::BITS).filter(|number| labels >> number & 1 == 1).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_labels_has_names_and_is_found_by_them() {
        let own = ["secret-source".to_owned()];
        for set in [0, 1, 0b1111, 1 << 8, 1 << 5 | 1 << 63] {
            assert_eq!(bits(&names(set, &own), &own), Ok(set), "{:?}", names(set, &own));
        }
        assert_eq!(names(1 << 8 | 1, &own), ["untrusted", "secret-source"]);
    }

    #[test]
    fn a_misspelt_label_is_told_with_those_that_there_are() {
        let told = bits(&["tainted".to_owned()], &[]).unwrap_err();
        assert!(told.contains("no label `tainted`") && told.contains("untrusted, canary"), "{told}");
        assert!(bits(&["bit-64".to_owned()], &[]).is_err());
    }
}
