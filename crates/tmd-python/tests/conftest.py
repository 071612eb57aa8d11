"""The program `tmd`, with which the package must agree; `cargo xtask test --python` says where it
is."""

import os
import subprocess
from pathlib import Path

import pytest


class Tmd:
    """Runs the program."""

    def __init__(self, program: str) -> None:
        self.program = program

    def run(self, *words: object, code: int = 0) -> str:
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == code, (words, done.stderr)
        return done.stdout


@pytest.fixture(scope="session")
def tmd() -> Tmd:
    return Tmd(os.environ["TABLEMAKER_TMD"])


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parents[3]
