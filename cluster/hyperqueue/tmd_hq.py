#!/usr/bin/env python3
"""Searches the shards of a run as tasks of HyperQueue, and merges them (docs/cluster.md).

    pip install hyperqueue
    tmd shard DIR --count 64
    python3 tmd_hq.py DIR --cpus 8              # on the server and the workers that `hq` started
    python3 tmd_hq.py DIR --local 16            # or on 16 cores of this machine; no hq is needed

A task whose worker is lost is given to another one by HyperQueue. Tasks that fail are submitted
again here. Either costs the units in work at most: what a task finished is there. If this script or
the server is killed, start it again.
"""

import argparse
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, metavar="DIR", help="run directory, sharded by tmd shard")
    parser.add_argument("--cpus", type=int, default=1, help="cores, and threads, of a task [1]")
    parser.add_argument("--local", type=int, metavar="CORES", help="start a server and a worker here")
    parser.add_argument("--server-dir", help="directory of the server, if it is not HyperQueue's default")
    parser.add_argument("--tries", type=int, default=3, help="how often a shard is submitted at most [3]")
    parser.add_argument("--tmd", default="tmd", help="the program [tmd]")
    return parser.parse_args()


def submit(client, options, shards, count):
    """Runs `tmd work` on the shards; those that failed."""
    logs = options.run / "hyperqueue"
    logs.mkdir(exist_ok=True)
    job = Job(name="tmd", max_fails=None)
    for shard in shards:
        log = str(logs / f"{shard}.log")
        work = [options.tmd, "work", str(options.run), "--shard", f"{shard}/{count}", "--threads", str(options.cpus)]
        # as often as workers are lost
        job.program(work, stdout=log, stderr=log, resources=ResourceRequest(cpus=options.cpus), crash_limit=100)
    submitted = client.submit(job)
    if client.wait_for_jobs([submitted], raise_on_error=False):
        return []
    failed = client.get_failed_tasks(submitted)
    for task, context in failed.items():
        print(f"shard {shards[task]}/{count}: {context.error} See {logs}/{shards[task]}.log", file=sys.stderr)
    return [shards[task] for task in failed]


def main():
    chosen = options()
    chosen.run = chosen.run.resolve()
    try:
        count = json.loads((chosen.run / "shards" / "plan.json").read_text())["shards"]
    except FileNotFoundError:
        sys.exit(f"{chosen.run} has no shards; tmd shard makes them")
    server = LocalCluster(chosen.server_dir, WorkerConfig(cores=chosen.local)) if chosen.local else nullcontext()
    with server as cluster:
        client = cluster.client() if cluster else Client(chosen.server_dir)
        left = list(range(1, count + 1))
        for _ in range(chosen.tries):
            left = left and submit(client, chosen, left, count)
    if left:
        sys.exit(f"{len(left)} shards are not complete; start this again, it goes on")
    sys.exit(subprocess.run([chosen.tmd, "merge", str(chosen.run)]).returncode)


if __name__ == "__main__":
    main()
