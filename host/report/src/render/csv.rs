//! A table as CSV (RFC 4180, lines ending as on Unix).

use crate::page::Table;

/// The head and the rows; a cell with a comma, a quote or a line's end is quoted.
#[must_use]
pub fn csv(table: &Table) -> String {
    let line = |cells: &Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(&table.head).chain(&table.rows).map(line).collect()
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_stays_one_cell() {
        let table = Table {
            head: vec!["a".into(), "b".into()],
            rows: vec![vec!["[0.1, 0.2]".into(), "so \"called\"".into()]],
            ..Table::default()
        };
        assert_eq!(csv(&table), "a,b\n\"[0.1, 0.2]\",\"so \"\"called\"\"\"\n");
    }
}
