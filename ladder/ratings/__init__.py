"""Pure arithmetic of ratings: no database, no clock, no global random."""
