//! One row for each metric of each rollout: the long form, for grouping by metric. A metric that does not apply is
//! there with a null.

use crate::keys;
use crate::run::Run;
use crate::table::{Cell, Column, Emit, Kind};
use weir_suite::Error;

/// The columns.
pub(crate) fn columns() -> Vec<Column> {
    let mut columns = keys::columns();
    columns.extend([
        Column::always("cluster", Kind::Text, "what counts as one independent case in the statistics"),
        Column::always("metric", Kind::Text, "the metric's name, as in the papers' tables"),
        Column::maybe("value", Kind::Double, "null where the metric does not apply, which is not zero"),
        Column::maybe("numerator", Kind::Double, "the count above the line, where the metric is a ratio of counts"),
        Column::maybe("denominator", Kind::Double, "the count below the line, unclipped"),
    ]);
    columns
}

/// The rows.
pub(crate) fn rows(run: &Run<'_>, emit: Emit<'_>) -> Result<(), Error> {
    run.each_row(&mut |row, _| {
        for (metric, measured) in &row.measurements {
            let mut cells = keys::cells(row);
            cells.extend([
                Cell::text(&row.cluster),
                Cell::text(metric),
                Cell::of(measured.value, Cell::Double),
                Cell::of(measured.numerator, Cell::Double),
                Cell::of(measured.denominator, Cell::Double),
            ]);
            emit(&cells)?;
        }
        Ok(())
    })
}
