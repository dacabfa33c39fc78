# Expected: timeout "it slept"
# Sleeps before it is even loaded.
import time

time.sleep(3600)
