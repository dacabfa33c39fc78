# Expected: crash "defines neither"
x = 1
