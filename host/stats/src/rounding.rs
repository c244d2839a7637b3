//! How a number ends: four decimals in print, and nothing rounded before.

/// Means and rates of ContainmentBench are of the order of 1, and sums over some thousand rows lose less than this. Two
/// of them that differ by no more are the same number, added up in another order.
pub(crate) const NOISE: f64 = 1e-12;

/// A number as the paper prints it: the binary value in four decimals, to the nearest, a tie to the even digit. A value
/// that rounds to zero has no sign.
pub fn four_decimals(value: f64) -> String {
    let text = format!("{value:.4}");
    match text.as_str() {
        "-0.0000" => "0.0000".to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_of_303_in_480_prints_as_in_the_paper() {
        // Table 15. The quotient is 0.63125 on paper and 0.63124999.. in binary, which decides: Rust's own {:.4} reads the
        // binary value, as C's %.4f does.
        assert_eq!(four_decimals(303.0 / 480.0), "0.6312");
    }

    #[test]
    fn a_true_tie_goes_to_the_even_digit() {
        // Both are exact in binary.
        assert_eq!((four_decimals(0.031_25), four_decimals(0.093_75)), ("0.0312".into(), "0.0938".into()));
    }

    #[test]
    fn a_value_that_rounds_to_zero_has_no_sign() {
        assert_eq!((four_decimals(-0.000_04), four_decimals(-0.0)), ("0.0000".into(), "0.0000".into()));
        assert_eq!(four_decimals(-0.000_06), "-0.0001");
    }
}
