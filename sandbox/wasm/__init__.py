"""WebAssembly bots: what of WASI they may call, the engine that runs them, and their shim."""
