"""Running a site: its backups, its health, the release that may play, and where files lie."""
