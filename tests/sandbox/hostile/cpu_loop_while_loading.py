# Expected: timeout "loading"
# Limits: short
# Never stops loading.
while True:
    pass
