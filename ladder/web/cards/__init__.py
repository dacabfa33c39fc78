"""Pictures that other sites and messengers show beside a link: 1200 by 630, as PNG."""
