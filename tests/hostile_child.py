"""A child that a hostile file has taken over: whatever it is asked, it says the bytes that it was started with."""

from __future__ import annotations

import sys
import time


def main() -> None:
    head = sys.stdin.buffer.read(4)
    sys.stdin.buffer.read(int.from_bytes(head, "little"))
    sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]))
    sys.stdout.buffer.flush()
    time.sleep(60)


if __name__ == "__main__":
    main()
