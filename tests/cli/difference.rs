//! Two texts side by side, for a person who reads a failing test.

/// Lines of context around what differs.
const CONTEXT: usize = 2;

/// The lines that differ, with those around them.
pub fn lines(expected: &str, printed: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), printed.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut out = String::new();
    let mut show = |mark: &str, lines: &[&str]| {
        for line in lines {
            out.push_str(&format!("  {mark} {line}\n"));
        }
    };
    show(" ", &old[head.saturating_sub(CONTEXT)..head]);
    show("-", &old[head..old.len() - tail]);
    show("+", &new[head..new.len() - tail]);
    show(" ", &old[old.len() - tail..(old.len() - tail + CONTEXT).min(old.len())]);
    if old == new {
        out.push_str("  only the ends of lines differ\n");
    }
    out
}

#[test]
fn a_difference_shows_the_lines_that_differ_and_their_neighbours() {
    let shown = lines("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nx\ny\ne\nf\n");
    assert_eq!(shown, "    b\n    c\n  - d\n  + x\n  + y\n    e\n    f\n");
}
