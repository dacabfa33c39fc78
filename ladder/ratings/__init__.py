"""Pure arithmetic of ratings: no database, no clock, no global random."""

import os

# A fit is a small part of a busy machine: more threads would take the cores from the workers.
# Numpy reads this when it is first imported, which is below this line.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
