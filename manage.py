#!/usr/bin/env python
"""Django's command line for Ladle."""

import sys

from django.core.management import execute_from_command_line

from ladder import environment


def main() -> None:
    environment.load()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
