"""Arrow's C stream: pyarrow, pandas and polars read it, and nobody copies."""

import math

import numpy
import pandas
import polars
import pyarrow
import pytest
import tablemaker


@pytest.fixture(scope="module")
def found():
    return tablemaker.search("x^3", -2, 2, format="binary16", extra_bits=5)


MODES = ["nearest_even", "nearest_away", "up", "down", "zero"]


def test_columns(found):
    table = pyarrow.table(found)
    assert table.column_names == [
        "x", "x_value", "binade", "kind", "exact", "stands_for", "sign", "log2_dist", "identical_bits", "breakpoint", "lower", "upper",
        *MODES,
    ]  # fmt: skip
    assert table.num_rows == len(found.cases) + len(found.exact_cases) and len(found.exact_cases) > 10
    rows = table.to_pylist()
    for row, case in zip(rows, [*found.cases, *found.exact_cases], strict=True):
        assert (row["x"], row["x_value"], row["exact"]) == (case.x, case.argument, case.exact)
        for mode in MODES:
            result = getattr(case.results, mode)
            assert row[mode] == result and math.copysign(1, row[mode]) == math.copysign(1, result)
        if not case.exact:
            assert {key: row[key] for key in case.as_dict()} == case.as_dict()
            assert row["stands_for"] == 1


def test_the_same_columns_as_parquet(tmp_path):
    certificate = tablemaker.solve("exp", format="binary16")
    file = tmp_path / "exp.parquet"
    file.write_bytes(certificate.to_parquet())
    kept = pandas.read_parquet(file)
    table = pyarrow.table(certificate)
    assert table.column_names[:12] == list(kept.columns)[:12]
    own = pandas.DataFrame.from_arrow(certificate)
    pandas.testing.assert_frame_equal(own[table.column_names[:12]], kept[table.column_names[:12]], check_dtype=False)


def test_readers_agree(found):
    arrow = pyarrow.table(found.cases).to_pylist()
    assert len(arrow) == len(found.cases)
    # a sequence is a column of objects to polars, whatever else it is
    assert polars.DataFrame(pyarrow.table(found.cases)).to_dicts() == arrow
    assert polars.DataFrame(found).to_dicts() == pyarrow.table(found).to_pylist()
    frame = pandas.DataFrame.from_arrow(found.cases)
    assert list(frame["x"]) == [row["x"] for row in arrow]
    assert list(frame["up"]) == [row["up"] for row in arrow]
    # slices and the hardest are tables, too
    assert pyarrow.table(found.cases[2:5]).to_pylist() == arrow[2:5]
    assert pyarrow.table(found.cases[:0]).num_rows == 0


def test_nothing_is_copied(found):
    before = pyarrow.total_allocated_bytes()
    table = pyarrow.table(found)
    assert pyarrow.total_allocated_bytes() == before
    values = table["x_value"].chunk(0)
    shared = values.slice(0, len(found.cases)).to_numpy(zero_copy_only=True)
    assert shared.__array_interface__["data"][0] == values.buffers()[1].address
    assert numpy.array_equal(shared, [case.argument for case in found.cases])


def test_the_table_outlives_what_it_came_from():
    table = pyarrow.table(tablemaker.search("exp", 1, 2, format="binary16", extra_bits=5))
    again = pyarrow.table(tablemaker.search("exp", 1, 2, format="binary16", extra_bits=5))
    assert table.equals(again) and table.num_rows > 20
    # a capsule that nobody reads
    for _ in range(100):
        tablemaker.search("exp", 1, 2, format="bfloat16", extra_bits=4).__arrow_c_stream__()


def test_numbers_that_no_double_is():
    found = tablemaker.search("exp", 1, "1+2^-50", format="x87", hardest=50)
    table = pyarrow.table(found)
    assert table["up"].null_count > 40 and table["x_value"].null_count > 0
    assert table["x"].null_count == table["upper"].null_count == 0


def test_the_data_set(root):
    """The certificates of results/ as tables: what the program exported of them."""
    kept = pandas.read_parquet(root / "results/binary64/asin.parquet")
    certificate = tablemaker.load(root / "results/binary64/asin.json.zst")
    own = pandas.DataFrame.from_arrow(certificate)
    columns = list(own.columns)[:12]
    pandas.testing.assert_frame_equal(own[columns], kept[columns], check_dtype=False)
    assert certificate.complete and len(own) > 26_000 and (own["up"] > own["down"])[: len(certificate.cases)].all()

    # long lists are compressed
    hardest = pandas.read_csv(pyarrow.input_stream(root / "results/binary64/exp.csv.zst", compression="zstd"))
    certificate = tablemaker.load(root / "results/binary64/exp.json.zst")
    hardness = {case.x: case.log2_distance for case in certificate.cases}
    assert all(hardness[x] == log2 for x, log2 in zip(hardest["x"], hardest["log2_dist"], strict=True))
    assert certificate.hardest(1)[0].log2_distance == hardest["log2_dist"].min()
