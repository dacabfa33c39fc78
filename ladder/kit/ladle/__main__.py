"""The command, as `python -m ladle` and as the script `ladle`."""

import ladle as ladle  # first: it finds the packages inside it


def main() -> None:
    from ladder.cli import main as command

    command()


if __name__ == "__main__":
    main()
