"""Makes standard input the controlling terminal, then becomes the given program.

A script of its own, started as `attach.py PROGRAM ARGUMENTS…` in a session without a terminal.
"""

import fcntl
import os
import sys
import termios

if __name__ == "__main__":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - the host's binary, without a shell between
