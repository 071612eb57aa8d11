"""Searches run beside Python: progress, an end, and what is kept."""

import os
import signal
import threading
import time

import pytest
import tablemaker

# minutes, if nobody ends it
LONG = {"function": "exp", "start": 1, "stop": 2, "extra_bits": 44, "threads": 1}


def is_true(partial):
    """Whether a partial result says so, and holds no case that is none."""
    assert isinstance(partial, tablemaker.SearchResult)
    assert not partial.complete and 0 < partial.searched < partial.arguments == 2**52
    assert "NOT COMPLETE" in repr(partial) and len(partial.cases) == partial.cases_found
    for case in partial.cases:
        assert tablemaker.check("exp", case.argument) == case and case.hardness > 44
    return True


def test_progress_is_told():
    told = []
    found = tablemaker.search("sin", 1, 2, format="binary32", extra_bits=18, progress=told.append)
    last = told[-1]
    assert (last.searched, last.arguments, last.cases) == (found.searched, found.arguments, found.cases_found)
    assert last.fraction == 1.0
    assert [p.searched for p in told] == sorted(p.searched for p in told)
    assert str(last.searched) in repr(last)


def test_solve_tells_progress_too():
    told = []
    certificate = tablemaker.solve("sin", format="binary16", progress=told.append)
    assert certificate.complete and told[-1].searched == told[-1].arguments > 0


def test_false_ends_the_search():
    found = tablemaker.search(**LONG, progress=lambda progress: progress.searched == 0)
    assert is_true(found)


def test_none_and_zero_do_not_end_it():
    answers = iter([None, 0, "", True])
    found = tablemaker.search("exp", 1, 2, format="binary32", extra_bits=20, progress=lambda _: next(answers, None))
    assert found.complete


def test_an_exception_of_the_callback_ends_it():
    class Enough(Exception):
        partial = None

    def raises(progress):
        if progress.searched:
            raise Enough("of it")

    with pytest.raises(Enough, match="of it") as caught:
        tablemaker.search(**LONG, progress=raises)
    assert is_true(caught.value.partial)


def send(number, started):
    """Sends this process a signal once the search has begun; the handler runs wherever the main
    thread is."""
    thread = threading.Thread(target=lambda: (started.wait(), os.kill(os.getpid(), number)))
    thread.start()
    return thread


def test_ctrl_c_keeps_what_is_known():
    started = threading.Event()
    thread = send(signal.SIGINT, started)
    with pytest.raises(tablemaker.Interrupted) as caught:
        tablemaker.search(**LONG, progress=lambda progress: started.set() if progress.searched else None)
    thread.join()
    assert is_true(caught.value.partial)
    assert isinstance(caught.value, KeyboardInterrupt) and not isinstance(caught.value, Exception)
    assert type(caught.value.__cause__) is KeyboardInterrupt
    assert "partial: <SearchResult" in str(caught.value)


def test_ctrl_c_is_seen_without_a_callback():
    """The main thread is in the search, and nowhere in Python's code, when the signal comes."""
    before = time.process_time()

    def sends():
        # only a search uses so much of the processor, and only beside this thread, which sleeps
        while time.process_time() < before + 1.0:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=sends)
    thread.start()
    with pytest.raises(tablemaker.Interrupted) as caught:
        tablemaker.search(**LONG)
    thread.join()
    assert is_true(caught.value.partial)


def test_ctrl_c_while_solving():
    started = threading.Event()
    thread = send(signal.SIGINT, started)
    with pytest.raises(tablemaker.Interrupted) as caught:
        tablemaker.solve("exp", binades=(0, 1), threads=1, progress=lambda progress: started.set())
    thread.join()
    partial = caught.value.partial
    assert isinstance(partial, tablemaker.Certificate)
    assert not partial.complete and not partial.finished and "NOT COMPLETE" in partial.coverage and partial.uncovered
    assert not tablemaker.verify(partial, samples=0).complete


def test_other_signals_raise_what_their_handlers_raise():
    class TimeIsUp(Exception):
        pass

    def handler(number, frame):
        raise TimeIsUp

    former = signal.signal(signal.SIGUSR1, handler)
    try:
        started = threading.Event()
        thread = send(signal.SIGUSR1, started)
        with pytest.raises(TimeIsUp) as caught:
            tablemaker.search(**LONG, progress=lambda progress: started.set() if progress.searched else None)
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, former)
    assert is_true(caught.value.partial)


def test_handlers_that_do_not_raise_end_nothing():
    seen = []
    former = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    try:
        sent = iter([True])
        told = lambda _: next(sent, False) and signal.raise_signal(signal.SIGUSR1)  # noqa: E731
        # `or None`: False would end it
        found = tablemaker.search("exp", 1, 2, format="binary32", extra_bits=20, progress=lambda p: told(p) or None)
    finally:
        signal.signal(signal.SIGUSR1, former)
    assert found.complete and seen == [signal.SIGUSR1]


def test_other_threads_run_meanwhile():
    """Nobody holds Python's lock while it searches: the longest time that this thread waits is
    short beside the search."""

    def waited():
        done = threading.Event()
        thread = threading.Thread(
            target=lambda: (tablemaker.search("exp", 1, 1 + 2**-9, extra_bits=36, threads=1), done.set())
        )
        thread.start()
        started = last = time.perf_counter()
        longest = 0.0
        while not done.is_set():
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        thread.join()
        return longest / (time.perf_counter() - started)

    # other programs may keep one of them waiting
    assert min(waited() for _ in range(3)) < 0.5


def test_searches_side_by_side():
    found = {}

    def search(function):
        found[function] = tablemaker.search(function, 1, 2, format="binary32", extra_bits=19, threads=1)

    threads = [threading.Thread(target=search, args=(name,)) for name in ("exp", "log2(1+x)", "cbrt")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name, result in found.items():
        assert result.complete and result.cases == tablemaker.search(name, 1, 2, format="binary32", extra_bits=19).cases
    assert len(found) == 3
