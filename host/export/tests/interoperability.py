"""Reads every export of a folder with DuckDB and pandas, and prints what each of them sees as one JSON document.

Usage: interoperability.py FOLDER   (exits with 3 where one of the packages is missing)
"""

import json
import pathlib
import sys

try:
    import duckdb
    import pandas
    import pyarrow  # noqa: F401  pandas reads Parquet through it
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)

folder = pathlib.Path(sys.argv[1])
seen = {}
for what in ("rollouts", "measurements", "events", "decisions"):
    table = {}
    path = folder / f"{what}.parquet"
    relation = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    table["duckdb_types"] = {name: str(kind) for name, kind in zip(relation.columns, relation.types)}
    table["duckdb"] = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    records = frame.to_dict("records")
    table["pandas"] = [{k: None if v is pandas.NA else v for k, v in record.items()} for record in records]
    # All columns as text: what the three formats' content is, and not what a reader guesses of it.
    csv = duckdb.sql(f"SELECT * FROM read_csv('{folder / what}.csv', all_varchar=true, header=true)")
    table["duckdb_csv"] = [dict(zip(csv.columns, row)) for row in csv.fetchall()]
    table["pandas_csv_rows"] = len(pandas.read_csv(folder / f"{what}.csv", keep_default_na=False))
    lines = duckdb.sql(f"SELECT count(*) FROM read_json('{folder / what}.jsonl', format='newline_delimited')")
    table["duckdb_jsonl_rows"] = lines.fetchall()[0][0]
    table["pandas_jsonl_rows"] = len(pandas.read_json(folder / f"{what}.jsonl", lines=True))
    about = duckdb.sql(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{path}')").fetchall()
    table["about"] = dict(about)
    seen[what] = table
print(json.dumps(seen, default=list))
