# Expected: timeout "loading"
# Never stops loading.
while True:
    pass
