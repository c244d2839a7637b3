//! What is taken out of a trace's text before a person reads it in a report.

/// Replaces every canary by its number, as the policies' transcript does. Longer canaries go first, so that one which
/// contains another leaves nothing behind.
#[must_use]
pub(crate) fn redact(text: &str, canaries: &[String]) -> String {
    let mut named: Vec<(usize, &String)> =
        canaries.iter().enumerate().filter(|(_, canary)| !canary.is_empty()).collect();
    named.sort_by_key(|(number, canary)| (std::cmp::Reverse(canary.len()), *number));
    named
        .into_iter()
        .fold(text.to_owned(), |text, (number, canary)| text.replace(canary.as_str(), &format!("[canary {number}]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canaries_are_replaced_the_longest_first() {
        let canaries = ["K7".to_owned(), String::new(), "K7-long".to_owned()];
        assert_eq!(redact("a K7-long b K7 c", &canaries), "a [canary 2] b [canary 0] c");
    }
}
