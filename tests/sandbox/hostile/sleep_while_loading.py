# Expected: timeout "it slept"
# Limits: short
# Sleeps before it is even loaded.
import time

time.sleep(3600)
