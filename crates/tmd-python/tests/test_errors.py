"""What is wrong is said by an exception of the right kind, in a sentence."""

import pytest
import tablemaker
from tablemaker import CertificateError, Error, ExpressionError, Interrupted, MachineError, QuestionError


def test_the_kinds():
    assert issubclass(ExpressionError, QuestionError) and issubclass(QuestionError, ValueError)
    for kind in (QuestionError, CertificateError, MachineError):
        assert issubclass(kind, Error)
    assert not issubclass(Interrupted, Exception) and Interrupted().partial is None


@pytest.mark.parametrize(
    ("kind", "words", "ask"),
    [
        (ExpressionError, r"function `exp\(`: column 5", lambda: tablemaker.search("exp(", 1, 2)),
        (ExpressionError, "unknown name `wobble`.*the functions are exp", lambda: tablemaker.check("wobble(x)", 1)),
        (QuestionError, "empty or reversed", lambda: tablemaker.search("exp", 2, 1)),
        (QuestionError, "has no value near", lambda: tablemaker.search("log", -2, -1)),
        (QuestionError, "overflows binary16", lambda: tablemaker.check("exp", 100, format="half")),
        (QuestionError, "binary128", lambda: tablemaker.search("exp", 1, 2, format="binary128")),
        (QuestionError, "give format or precision, not both", lambda: tablemaker.search("exp", 1, 2, format="half", precision=9)),
        (QuestionError, "99", lambda: tablemaker.search("exp", 1, 2, extra_bits=99)),
        (QuestionError, "up", lambda: tablemaker.search("exp", 1, 2, rounding="up")),
        (QuestionError, "hardest is a number of cases", lambda: tablemaker.search("exp", 1, 2, hardest=0)),
        (QuestionError, "about .* cases are expected, more than 100000", lambda: tablemaker.search("exp", 1, 2, extra_bits=2)),
        (QuestionError, "start `inf`: no number is beyond it", lambda: tablemaker.search("exp", float("inf"), 2)),
        (QuestionError, "start `nan` is no finite number", lambda: tablemaker.search("exp", float("nan"), 2)),
        (QuestionError, "stop `two`: column 1", lambda: tablemaker.search("exp", 1, "two")),
        (QuestionError, "have no largest one", lambda: tablemaker.search("atan", 1, "inf", precision=20)),
        (QuestionError, "threads are 4096 at most", lambda: tablemaker.search("exp", 1, 2, threads=5000)),
        (QuestionError, "nearest ones are 0x1.99", lambda: tablemaker.check("exp", "0.1")),
        (QuestionError, "the binades 3..3 are empty", lambda: tablemaker.solve("exp", format="half", binades=(3, 3))),
        (QuestionError, "are not between", lambda: tablemaker.solve("exp", format="half", binades=(-99, 3))),
        (QuestionError, "step is 1", lambda: tablemaker.solve("exp", format="half", binades=range(0, 8, 2))),
        (TypeError, "binades are two exponents", lambda: tablemaker.solve("exp", format="half", binades=3)),
        (QuestionError, "positive number of core-hours", lambda: tablemaker.solve("exp", format="half", limit=0)),
        (QuestionError, "a start and a stop", lambda: tablemaker.plan("exp", 1)),
        (QuestionError, "are for whole functions", lambda: tablemaker.plan("exp", 1, 2, limit=3)),
        (QuestionError, "one format for arguments and results", lambda: tablemaker.plan("exp", precision=20)),
        (TypeError, "takes a Certificate, or the path", lambda: tablemaker.verify(3)),
        (TypeError, "unexpected keyword", lambda: tablemaker.search("exp", 1, 2, colour=3)),
    ],
)
def test_wrong_questions(kind, words, ask):
    with pytest.raises(kind, match=words) as caught:
        ask()
    assert type(caught.value) is kind and "\n" not in str(caught.value)


def test_numbers_of_bits_and_threads():
    for wrong in ({"extra_bits": -1}, {"threads": -1}, {"precision": 2**40}):
        with pytest.raises(OverflowError):
            tablemaker.search("exp", 1, 2, **wrong)


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        tablemaker.load(tmp_path / "none.json")
    assert caught.value.filename == str(tmp_path / "none.json")
    with pytest.raises(CertificateError, match="is a directory; of a run directory tmd export"):
        tablemaker.load(tmp_path)
    path = tmp_path / "a.json"
    whole = tablemaker.solve("exp", format="bfloat16").to_json()
    for text, words in [
        ("", "is empty"),
        ("hello", "is not a certificate"),
        (whole[: len(whole) // 2], f"is truncated: it ends at byte {len(whole[: len(whole) // 2].encode())}"),
        (whole.replace("tmd-certificate-", "tmd-certificate-9", 1), "is a certificate of the version tmd-certificate-9"),
        (whole.replace('"cases":', '"casks":', 1), "casks"),
    ]:
        path.write_text(text)
        with pytest.raises(CertificateError, match=words):
            tablemaker.load(path)
    path.write_bytes(b"\x28\xb5\x2f\xfd" + b"x" * 100)
    with pytest.raises(CertificateError, match="cannot be decompressed"):
        tablemaker.load(path)
    path.write_text(whole)
    assert tablemaker.load(path).complete


def test_numbers_that_no_certificate_lists(tmp_path):
    path = tmp_path / "a.json"
    whole = tablemaker.solve("exp", format="bfloat16").to_json()
    x = tablemaker.solve("exp", format="bfloat16").cases[0].x
    path.write_text(whole.replace(f'"{x}"', '"one"'))
    with pytest.raises(CertificateError, match="one"):
        tablemaker.load(path, force=True)
