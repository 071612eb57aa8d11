"""What is written about the package is true: docstrings, documents, types, and the notebook."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import tablemaker
import tablemaker._native
from nbclient import NotebookClient

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def docstrings():
    """All of them: doctest's own search passes over what is compiled."""
    yield "tablemaker", tablemaker.__doc__
    for name in tablemaker.__all__:
        thing = getattr(tablemaker, name)
        yield name, thing.__doc__
        if isinstance(thing, type) and thing.__module__ == "tablemaker":
            for attribute in vars(thing):
                if not attribute.startswith("__"):
                    yield f"{name}.{attribute}", getattr(thing, attribute).__doc__


def run(name, text):
    test = doctest.DocTestParser().get_doctest(text, {"tablemaker": tablemaker}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(test)
    assert runner.failures == 0, name
    return runner.tries


def test_docstrings():
    texts = dict(docstrings())
    for name, text in texts.items():
        assert text and text.strip(), name
    assert sum(run(name, text) for name, text in texts.items() if ">>>" in text) > 15
    # the signatures are read from them
    assert "start, stop, *, format=None" in tablemaker.search.__text_signature__


@pytest.mark.parametrize("document", ["docs/python.md", "crates/tmd-python/README.md", "README.md"])
def test_documents(root, tmp_path, monkeypatch, document):
    monkeypatch.chdir(tmp_path)
    text = (root / document).read_text()
    blocks = [block.split("```", 1)[0] for block in text.split("```pycon\n")[1:]]
    assert blocks and run(document, "\n".join(blocks)) >= 3


def test_types(tmp_path):
    program = Path(__file__).with_name("typed.py")
    for check in (["mypy", "--strict", program], ["mypy.stubtest", "tablemaker", "--ignore-missing-stub"]):
        words = [sys.executable, "-m", *map(str, check)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    # a program that is wrong is found wrong
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import tablemaker\n\ntablemaker.search("exp", 1, 2, rounding="upward").cases[0].argumend\n')
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", wrong], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 1 and "argumend" in done.stdout and "upward" in done.stdout


def test_notebook(root, tmp_path):
    notebook = nbformat.read(root / "examples/hardness.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(len(cell.source.splitlines()) for cell in code) <= 20
    # what is kept in the repository is not run
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    pictures = [
        output.data["image/png"] for cell in code for output in cell.outputs if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 1
    if kept := os.environ.get("TABLEMAKER_NOTEBOOK"):
        nbformat.write(notebook, kept)
