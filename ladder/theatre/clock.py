"""Python in a browser cannot tell CPU time, and bots ask for it: there the wall clock has to do."""

import time

for _name, _wall in (("thread_time", time.perf_counter), ("thread_time_ns", time.perf_counter_ns)):
    if not hasattr(time, _name):
        setattr(time, _name, _wall)
