"""Python in a browser cannot measure CPU time, and bots ask for it: the wall clock replaces it."""

import time

for _name, _wall in (("thread_time", time.perf_counter), ("thread_time_ns", time.perf_counter_ns)):
    if not hasattr(time, _name):
        setattr(time, _name, _wall)
