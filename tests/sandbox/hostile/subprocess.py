# Expected: crash
import subprocess

def decide(view):
    subprocess.run(["/python/bin/python3", "-c", "print('ESC' + 'APED')"])
