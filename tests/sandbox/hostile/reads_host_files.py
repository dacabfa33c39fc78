# Expected: none
# Reads what a program may usually read.
import glob, os

def decide(view):
    paths = ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "/proc/1/environ", "/proc/self/maps", "/sys/kernel", "/root", "/home", "/tmp", "/var", "/run", "@FILE@", "/python/../../../../@FILE@", "/dev/mem", "/dev/kmsg", "/dev/tty", "/proc/@PID@/environ", "/proc/@PID@/root@FILE@"]
    for path in paths:
        try:
            print(open(path).read())
            print("ESCAPED", path)
        except OSError:
            pass
        if os.path.exists(path):
            print("ESCAPED", path)
    return view["legal"][0]
