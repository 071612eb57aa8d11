"""The same questions to the package and to the program: the same lists."""

import json
from fractions import Fraction

import pytest
import tablemaker

QUESTIONS = [
    # function, start, stop, options
    ("exp", 1, 1 + Fraction(1, 2**13), {"argument_precision": 54, "rounding": "directed", "extra_bits": 33, "hardest": 8}),
    ("sin", 0.5, 1.0, {"format": "binary32", "extra_bits": 18}),
    ("exp(x)/x", "1", "4", {"format": "binary16"}),
    ("atan", "-inf", float("inf"), {"format": "bfloat16", "extra_bits": 5, "rounding": "nearest"}),
    ("sqrt", 1, 2, {"format": "binary32", "extra_bits": 19}),
    ("exp", -1 - Fraction(1, 2**30), -1, {"format": "x87", "hardest": 20}),
    ("exp2(x)", "0.25", 1, {"precision": 12, "hardest": 500}),
    ("sin", -4, "0x1p-3", {"format": "half", "extra_bits": 7}),
]

# what does not depend on the time that things take
FIELDS = [
    "function", "domain", "precisions", "rounding", "extra_bits", "engine", "arguments", "searched", "known", "partial", "expected_cases",
    "cases", "cases_found", "exact_cases", "exact_found", "undecided",
]  # fmt: skip


def words(options):
    names = {"argument_precision": "arg-precision"}
    return [word for name, value in options.items() for word in (f"--{names.get(name, name).replace('_', '-')}", value)]


@pytest.mark.parametrize(("function", "start", "stop", "options"), QUESTIONS)
def test_search(tmd, function, start, stop, options):
    end = lambda value: f"[{value}]" if isinstance(value, Fraction) else value  # noqa: E731
    printed = tmd.run("search", function, "--from", end(start), "--to", end(stop), *words(options), "--output", "json")
    printed = json.loads(printed)
    found = tablemaker.search(function, start, stop, **options)
    document = json.loads(found.to_json())
    for field in FIELDS:
        assert document.get(field) == printed.get(field), field
    # the objects say the same
    assert [case.as_dict() for case in found.cases] == printed["cases"]
    assert [case.as_dict() for case in found.exact_cases] == printed["exact_cases"]
    assert (found.arguments, found.searched) == (printed["arguments"], printed["searched"])
    assert (found.cases_found, found.exact_found) == (printed["cases_found"], printed["exact_found"])
    assert len(found.cases) == len(printed["cases"]) > 0
    assert found.complete and found.function == printed["function"] and found.extra_bits == printed["extra_bits"]
    assert found.engine == printed["engine"] and found.rounding == printed["rounding"]
    assert found.domain == (printed["domain"]["from"], printed["domain"]["to"])


def test_other_forms(tmd):
    question = ("exp", "--from", 1, "--to", 2, "--format", "binary16", "--extra-bits", 6)
    found = tablemaker.search("exp", 1, 2, format="binary16", extra_bits=6)
    assert found.to_csv() == tmd.run("search", *question, "--output", "csv")
    assert found.to_wc() == tmd.run("search", *question, "--output", "wc")


@pytest.mark.parametrize(
    ("function", "options"),
    [
        ("exp", {"format": "binary16"}),
        ("sin", {"format": "bfloat16", "rounding": "nearest", "extra_bits": 4}),
        ("cbrt", {"format": "binary16", "binades": (-2, 5)}),
        ("log", {"format": "binary16", "binades": range(0, 3), "extra_bits": 6}),
    ],
)
def test_solve(tmd, tmp_path, function, options):
    options_of_tmd = dict(options)
    if binades := options_of_tmd.pop("binades", None):
        low, high = (binades.start, binades.stop) if isinstance(binades, range) else binades
        options_of_tmd["binades"] = f"{low}..{high}"
    plain, packed = tmp_path / "a.json", tmp_path / "a.json.zst"
    for path in (plain, packed):
        tmd.run("solve", function, *words(options_of_tmd), "--out", path)
    written = json.loads(plain.read_text())
    certificate = tablemaker.solve(function, **options)
    document = json.loads(certificate.to_json())
    for effort in ("effort",):
        written.pop(effort), document.pop(effort)
    assert document == written
    assert certificate.complete and certificate.finished and certificate.digest == written["digest"]
    assert packed.stat().st_size * 2 < plain.stat().st_size
    for path in (plain, packed, str(packed)):
        loaded = tablemaker.load(path)
        assert loaded.digest == certificate.digest and loaded.cases == certificate.cases
        assert loaded.exact_cases == certificate.exact_cases and loaded.coverage == certificate.coverage
    # the lists of the exports
    assert certificate.to_csv() == tmd.run("export", plain, "--output", "csv")
    # the program says by which command its list is made
    lines = tmd.run("export", plain, "--output", "wc").splitlines(keepends=True)
    assert certificate.to_wc() == "".join(line for line in lines if not line.startswith("# made by: "))
    rows = json.loads(tmd.run("export", plain, "--output", "json"))["rows"]
    cases = [row["x"] for row in rows if not row["exact"] and row["kind"] != "undecided"]
    assert [case.x for case in certificate.cases] == cases
    assert [case.x for case in certificate.exact_cases] == [row["x"] for row in rows if row["exact"]]
    assert certificate.case_count == sum(case.stands_for for case in certificate.cases) == len(cases)
    assert certificate.function == written["function"] and certificate.format == written["format"]["name"]


def test_verify(tmd, tmp_path):
    path = tmp_path / "a.json"
    tmd.run("solve", "exp", "--format", "binary16", "--out", path)
    # samples are not everything
    said = tmd.run("verify", path, "--seed", "1", code=3)
    assert tablemaker.verify(path), "samples that the system chooses"
    verification = tablemaker.verify(path, seed=1)
    assert verification and verification.holds and verification.complete and not verification.wrong
    assert [f"checked: {sentence}" for sentence in verification.checked] == said.splitlines()[: len(verification.checked)]
    assert verification.coverage in said.splitlines()
    assert verification.left and [line for line in said.splitlines() if line.startswith("not checked: ")] == [
        f"not checked: {sentence}" for sentence in verification.left
    ]
    assert tablemaker.verify(tablemaker.load(path), samples=0, seed=7).holds
    # a case is left out
    document = json.loads(path.read_text())
    del document["cases"][3]
    path.write_text(json.dumps(document))
    with pytest.raises(tablemaker.CertificateError, match="was changed after it was written.*force=True"):
        tablemaker.load(path)
    forged = tablemaker.load(path, force=True)
    said = tmd.run("verify", path, "--seed", "1", code=1)
    for verification in (tablemaker.verify(path, seed=1), tablemaker.verify(forged, seed=1)):
        assert not verification and not verification.holds and not verification.complete
        assert [f"WRONG: {sentence}" for sentence in verification.wrong] == [
            line for line in said.splitlines() if line.startswith("WRONG")
        ]
        assert "the document was changed" in verification.wrong[0]


@pytest.mark.parametrize(
    ("function", "x", "options"),
    [
        ("exp", "0x1.d6336a88077aap+0", {}),
        ("exp", float.fromhex("0x1.d6336a88077aap+0"), {"rounding": "directed"}),
        ("sin(x)+x^2", 0.75, {"format": "binary16"}),
        ("sqrt", 9, {"format": "binary32"}),
        ("log", Fraction(3, 2), {"format": "x87"}),
        ("x^2", "1+2^-10", {"format": "half"}),
    ],
)
def test_check(tmd, function, x, options):
    text = f"[{x}]" if isinstance(x, Fraction) else x.hex() if isinstance(x, float) else x
    printed = json.loads(tmd.run("check", text, "--function", function, *words(options), "--output", "json"))
    case = tablemaker.check(function, x, **options)
    assert case.exact == ("exact" in printed)
    listed = printed["exact" if case.exact else "case"]
    lower, upper = listed.pop("bracket", (None, None))
    own = case.as_dict()
    assert (own.pop("lower", None), own.pop("upper", None)) == (lower, upper)
    assert own == listed


@pytest.mark.parametrize(
    ("interval", "options"),
    [
        ((), {"format": "binary32"}),
        ((), {"format": "binary64", "binades": (0, 4), "limit": 0.5}),
        ((1, 4), {"extra_bits": 40}),
    ],
)
def test_plan(tmd, interval, options):
    options_of_tmd = dict(options)
    if binades := options_of_tmd.pop("binades", None):
        options_of_tmd["binades"] = f"{binades[0]}..{binades[1]}"
    ends = ("--from", interval[0], "--to", interval[1]) if interval else ()
    printed = json.loads(tmd.run("plan", "exp", *ends, *words(options_of_tmd), "--output", "json"))
    plan = tablemaker.plan("exp", *interval, **options)
    document = json.loads(plan.to_json())
    assert document.keys() == printed.keys()
    totals = printed.get("totals", printed)
    assert plan.arguments == totals["arguments"] and plan.expected_cases == totals["expected_cases"]
    assert 0 < plan.searched <= plan.arguments and plan.core_seconds > 0
    # times are those of the moment; what will be done is not
    regions = lambda document: [  # noqa: E731
        (line.get("first", line.get("from")), line["arguments"], line.get("units"), line.get("domain_size"))
        for line in document.get("regions", document.get("ranges"))
    ]
    assert regions(document) == regions(printed)
    assert "on one core" in plan.table()
