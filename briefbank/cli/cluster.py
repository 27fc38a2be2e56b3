"""`briefbank cluster`: the machines that read for an index run: their certificates, scheduler, workers and state."""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from briefbank.cli import output
from briefbank.cli.interrupt import ctrl_c_cancels
from briefbank.cli.options import add_json
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.progress import CancelToken

# Dask's own.
_PORT = 8786
_MOST_PORT = 65_535
_MOST_DAYS = 3_650
_MOST_WORKERS = 256


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "cluster",
        help="have many machines read for one index",
        description="Machines of the office read for one index run: a scheduler on one of them, workers on all, the "
        "briefs where all of them reach them. Each ACTION takes --json.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = actions.add_parser("certificates", help="make the certificates by which the machines know each other")
    made.add_argument("into", type=Path, metavar="DIR", help="where the authority lies, or is to be made")
    made.add_argument("hosts", nargs="+", metavar="HOST", help="a machine's name or address in the network")
    made.add_argument(
        "--days", type=lambda text: _between(text, _MOST_DAYS), default=365, help="how long they hold (default 365)"
    )
    scheduler = actions.add_parser("scheduler", help="run the scheduler on this machine")
    scheduler.add_argument("--listen", default="", metavar="HOST", help="the address to listen on (default: all)")
    scheduler.add_argument("--port", type=_port, default=_PORT, help=f"default {_PORT}")
    worker = actions.add_parser("worker", help="have this machine read for the cluster")
    worker.add_argument("address", metavar="ADDRESS", help="the scheduler, as tls://HOST:PORT")
    worker.add_argument("--folder", type=Path, required=True, help="where this machine sees the folder of briefs")
    worker.add_argument(
        "--workers",
        type=lambda text: _between(text, _MOST_WORKERS),
        default=0,
        metavar="N",
        help="processes (default: one for each core)",
    )
    worker.add_argument(
        "--ports",
        type=_ports,
        default=None,
        metavar="FIRST:LAST",
        help="where to listen (default: any); two for each process",
    )
    status = actions.add_parser("status", help="tell which machines are there and what they are at")
    status.add_argument("address", metavar="ADDRESS", help="the scheduler, as tls://HOST:PORT")
    for each, run in ((made, _certificates), (scheduler, _scheduler), (worker, _worker), (status, _status)):
        if each is not made:
            add_certificates(each)
        add_json(each)
        each.set_defaults(run=run)


def add_certificates(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add `--certificates`."""
    parser.add_argument(
        "--certificates",
        type=Path,
        required=required,
        metavar="DIR",
        help="what `briefbank cluster certificates` made for this machine",
    )


def _certificates(args: argparse.Namespace) -> ExitCode:
    from briefbank.ingest.cluster.certificates import make_certificates

    made = make_certificates(args.into, args.hosts, args.days)
    if args.json:
        output.out_json({"folders": [str(each) for each in made]})
        return ExitCode.OK
    for folder in made:
        output.out(f"For {folder.name}: copy {folder} to that machine, and nowhere else.")
    output.out(f"Keep {args.into / 'authority.key'} in a safe: who has it can join the cluster and run programs there.")
    return ExitCode.OK


def _scheduler(args: argparse.Namespace) -> ExitCode:
    from briefbank.ingest.cluster.certificates import machine_certificates
    from briefbank.ingest.cluster.machines import run_scheduler, security

    own = security(machine_certificates(args.certificates))
    address = f"tls://{args.listen or platform.node()}:{args.port}"

    def say_so() -> None:
        _print_now(args, {"scheduler": address}, f"The scheduler listens at {address}. Stop it with Ctrl-C.")

    cancel = CancelToken()
    with ctrl_c_cancels(cancel, "unit"):
        run_scheduler(args.listen, args.port, own, say_so, cancel)
    return ExitCode.OK


def _worker(args: argparse.Namespace) -> ExitCode:
    from briefbank.ingest.cluster.certificates import machine_certificates
    from briefbank.ingest.cluster.machines import require_address, run_workers, security
    from briefbank.platform.settings import core_count

    own = security(machine_certificates(args.certificates))
    address = require_address(args.address)
    if not args.folder.is_dir():
        raise UsageError(f"{args.folder} is not a folder.", "Check the name, and that the share is connected.")
    count = args.workers or core_count()
    processes = output.counted(count, "process", "processes")
    _print_now(args, {"address": address, "workers": count}, f"{processes} for {address}. Stop with Ctrl-C.")
    cancel = CancelToken()
    with ctrl_c_cancels(cancel, "unit"):
        run_workers(address, args.folder, count, args.ports or "", own, cancel)
    return ExitCode.OK


def _status(args: argparse.Namespace) -> ExitCode:
    from briefbank.ingest.cluster.certificates import machine_certificates
    from briefbank.ingest.cluster.machines import connection, require_address, security, workers

    own = security(machine_certificates(args.certificates))
    with connection(require_address(args.address), own) as client:
        there, working = workers(client), client.processing()
    machines = Counter(each.machine for each in there.values())
    at_work = Counter(each.machine for address, each in there.items() if working.get(address))
    if args.json:
        rows = [{"name": name, "workers": count, "at_work": at_work[name]} for name, count in sorted(machines.items())]
        output.out_json({"scheduler": args.address, "machines": rows})
        return ExitCode.OK
    for name, count in sorted(machines.items()):
        output.out(f"{name}  {output.counted(count, 'worker')}, {at_work[name]} at work")
    if not machines:
        output.out(f"No machine works for {args.address}: start one with briefbank cluster worker.")
    return ExitCode.OK


def _print_now(args: argparse.Namespace, row: dict[str, object], line: str) -> None:
    if args.json:
        output.out_json(row)
    else:
        output.out(line)
    sys.stdout.flush()


def _port(text: str) -> int:
    return _between(text, _MOST_PORT)


def _ports(text: str) -> str:
    first, _, last = text.partition(":")
    if _port(first) > _port(last):
        raise argparse.ArgumentTypeError("two numbers, the smaller one first")
    return text


def _between(text: str, most: int) -> int:
    number = int(text)
    if not 1 <= number <= most:
        raise argparse.ArgumentTypeError(f"a number from 1 to {most}")
    return number
