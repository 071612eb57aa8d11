#!/usr/bin/env python3
"""Lines by purpose, at two commits: the table in docs/architecture.md.

    python3 tools/lines.py 0fead3c HEAD

Lines of files that git tracks, without blank ones and comments, and with them; of pages the
words. A file of crates/, shaders/ or proofs/ belongs to the library, unless it is a test (a folder
`tests`, a file `tests.rs`, tmd-testkit); from `mod tests {` at the beginning of a line on, the rest
of a file is tests. The fourth column is the growth of files of what is NEW.
"""

import collections
import re
import subprocess
import sys

# What could not be done at the first commit of the table: the walk in three dimensions on GPUs,
# and of relatives, multiples, sums, several binades and sides at once; witnesses, merged
# certificates, groups of binades, regions that repeat next to 0, flat pieces, contracts of the
# kernel, chapters of proofs; the measurements of families, ledgers and whole certificates, of
# this table, and the checks without our code; programs that compare results with published ones
# and small formats with brute force or write the data set, and rules of the source tree. Of files
# that were there the growth counts.
NEW = re.compile(
    r"lattice3|itness|repeating|near_zero|core/src/flat|certificate/(merge|together)"
    r"|(functions|driver)/src/family|driver/src/(via|solve/join)\.rs"
    r"|tests/(family|flat|lost|merge|groups)\.rs|walk/contract\.rs"
    r"|tools/(agreement/families|small_formats|gpu/families|ledger/assembly|ratios/wholes|lines)"
    r"|tools/(test_)?(reduction|verify_certificate)|xtask/src/(alone|results/|tidy/|extract)"
    r"|proofs/(Budget|Certificate|Composition|Existence|Families|Lanes|Maps|Regions|Taylor)\.v"
)

LIBRARY, TESTS = "library (crates, shaders)", "tests, testkit included"
ROCQ = "proofs in Rocq"
BENCHES, TOOLS = "benches", "tools, xtask, fuzz"
DOCS, PROOFS = "words of docs, proofs apart", "words of proofs"
ORDER = [LIBRARY, TESTS, BENCHES, TOOLS, ROCQ, DOCS, PROOFS]


def purpose(path):
    """What a file is counted as, if it is."""
    if path.endswith(".md"):
        if path.startswith("docs/proofs/"):
            return PROOFS
        return DOCS if path.startswith("docs/") else None
    if not path.endswith((".rs", ".wgsl", ".v", ".py")):
        return None
    if path.endswith(".v"):
        return ROCQ
    top = path.split("/")[0]
    if top == "benches":
        return BENCHES
    if top in ("tools", "xtask", "fuzz"):
        return TOOLS
    if top not in ("crates", "shaders", "proofs"):
        return None
    is_test = re.search(r"/tests?/|tests\.rs$|^crates/tmd-testkit/|/test_(?!libm)|scalar/walk/model\.rs$", path)
    return TESTS if is_test else LIBRARY


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def counts(commit):
    """Purpose to (code, new code, lines); of pages (words, new words, words)."""
    found = collections.defaultdict(lambda: [0, 0, 0])

    def add(of, code, path, lines):
        found[of][0] += code
        found[of][1] += code if NEW.search(path) else 0
        found[of][2] += lines

    def is_code(line):
        line = line.strip()
        return line != "" and not line.startswith(("//", "#" if path.endswith(".py") else "//"))

    for path in git("ls-tree", "-r", "--name-only", "-z", commit).split("\0"):
        of = purpose(path)
        if of is None:
            continue
        text = git("show", f"{commit}:{path}")
        if of in (DOCS, PROOFS):
            add(of, len(text.split()), path, len(text.split()))
            continue
        lines = text.splitlines()
        tests = lines.index("mod tests {") if "mod tests {" in lines else len(lines)
        for of, part in ((of, lines[:tests]), (TESTS if of == LIBRARY else of, lines[tests:])):
            add(of, sum(map(is_code, part)), path, len(part))
    return found


def main(before, now):
    old, new = counts(before), counts(now)
    print(f"| code | {before} | {now} | growth of what is new | all lines, {before} | {now} |")
    print("|---|---:|---:|---:|---:|---:|")
    for of in ORDER:
        (a, fresh_a, lines_a), (b, fresh_b, lines_b) = old[of], new[of]
        print(f"| {of} | {a:,} | {b:,} | {fresh_b - fresh_a:,} | {lines_a:,} | {lines_b:,} |")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
