# Expected: none
# The worker's environment, from its own variables and from memory.
import ctypes, os

def decide(view):
    print(dict(os.environ))
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    index = 0
    while block[index]:
        print(block[index])
        if block[index].split(b"=")[0] not in (b"LANG", b"LD_BIND_NOW", b"OPENBLAS_NUM_THREADS", b"MALLOC_ARENA_MAX", b"PYTHONHASHSEED", b"PYTHONPATH", b"LC_CTYPE", b"PWD"):
            print("ESCAPED", block[index])
        index += 1
    return view["legal"][0]
