"""wasmtime, by ctypes: the one file that knows its C library, whose version is pinned.

Its own Python package would cost every bot 30 ms at its start and 40 us at every question.
"""

from __future__ import annotations

import ctypes
from ctypes import byref, c_bool, c_int64, c_size_t, c_uint64, c_void_p

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

VERSION = "50.0.1"
MIB = 2**20
LARGEST_MEMORY = 192 * MIB
# Compiled code fits only an engine with these very settings. What no bot needs is off.
# Fuel and results do not depend on the processor; only the bits of a NaN may, since making them
# equal would cost code with floats up to four times its speed.
SETTINGS: dict[str, tuple[type[Any], int]] = {
    "consume_fuel": (c_bool, 1),
    "signals_based_traps": (c_bool, 0),  # nothing but what the jail's filter knows
    "memory_reservation": (c_uint64, LARGEST_MEMORY),
    "memory_guard_size": (c_uint64, 0),
    "memory_reservation_for_growth": (c_uint64, 0),
    "memory_init_cow": (c_bool, 0),
    "parallel_compilation": (c_bool, 0),
    "shared_memory": (c_bool, 0),
    "wasm_threads": (c_bool, 0),
    "wasm_memory64": (c_bool, 0),
    "wasm_multi_memory": (c_bool, 0),
    "wasm_gc": (c_bool, 0),
    "wasm_function_references": (c_bool, 0),
    "wasm_exceptions": (c_bool, 0),
    "wasm_stack_switching": (c_bool, 0),
    "wasm_relaxed_simd_deterministic": (c_bool, 1),
    "max_wasm_stack": (c_size_t, MIB),
}
KEY = f"wasmtime {VERSION} {sorted((name, value) for name, (_, value) in SETTINGS.items())}"
MOST_TABLE_ELEMENTS = MIB
FUNCTION, MEMORY = 0, 3  # kinds of exports
OUT_OF_FUEL = 11  # the code of a trap


class BadModule(Exception):
    """Why a module cannot be used, in a sentence."""


class Trap(Exception):
    """A module did what ends it."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.is_out_of_fuel = code == OUT_OF_FUEL


class _Bytes(ctypes.Structure):
    _fields_ = (("size", c_size_t), ("data", c_void_p))


class _Memory(ctypes.Structure):
    _fields_ = (("store", c_uint64), ("one", ctypes.c_uint32), ("two", ctypes.c_uint32))


class _Function(ctypes.Structure):
    _fields_ = (("store", c_uint64), ("private", c_void_p))


class _Instance(ctypes.Structure):
    _fields_ = (("store", c_uint64), ("private", c_size_t))


class _What(ctypes.Union):
    _fields_ = (("function", _Function), ("memory", _Memory), ("room", c_uint64 * 3))


class _Export(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_uint8), ("of", _What))


VALUE_BYTES = 16  # of a raw argument or result, as they stand one after the other


Raw = ctypes.CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_void_p, c_size_t)


class Engine:
    """Compiles modules and runs them."""

    def __init__(self, library: str) -> None:
        # The lock of the interpreter is kept: there is no other thread to give it to.
        self.c: Any = ctypes.PyDLL(library)
        for name in (
            *("wasm_config_new", "wasm_engine_new_with_config", "wasm_valtype_new"),
            *("wasm_functype_new", "wasmtime_linker_new", "wasmtime_linker_define_func_unchecked"),
            *("wasmtime_module_new", "wasmtime_module_serialize", "wasmtime_module_deserialize"),
            *("wasmtime_store_new", "wasmtime_store_context", "wasmtime_linker_instantiate"),
            *("wasmtime_func_call_unchecked", "wasmtime_memory_data"),
        ):
            getattr(self.c, name).restype = c_void_p
        self.c.wasmtime_memory_data_size.restype = c_size_t
        for name in ("wasmtime_instance_export_get", "wasmtime_caller_export_get"):
            getattr(self.c, name).restype = c_bool
        config = c_void_p(self.c.wasm_config_new())
        for name, (kind, value) in SETTINGS.items():
            change = self.c[f"wasmtime_config_{name}_set"]
            change.restype = None
            change(config, kind(value))
        self._engine = c_void_p(self.c.wasm_engine_new_with_config(config))
        self._kept: list[Any] = []

    def compile(self, wasm: bytes) -> bytes:
        """Native code for `load`."""
        module, code = c_void_p(), _Bytes()
        self._check(
            self.c.wasmtime_module_new(self._engine, wasm, c_size_t(len(wasm)), byref(module))
        )
        self._check(self.c.wasmtime_module_serialize(module, byref(code)))
        return ctypes.string_at(code.data, code.size)

    def offer(self, module: str, functions: Mapping[str, tuple[str, str, Any]]) -> None:
        """What modules may import: by name, its parameters, its results and what is called."""
        self._linker = c_void_p(self.c.wasmtime_linker_new(self._engine))
        own = module.encode()
        for name, (takes, gives, call) in functions.items():
            callback = Raw(call)
            self._kept.append(callback)
            kind = c_void_p(self.c.wasm_functype_new(self._kinds(takes), self._kinds(gives)))
            error = self.c.wasmtime_linker_define_func_unchecked(
                *(self._linker, own, c_size_t(len(own)), name.encode(), c_size_t(len(name))),
                *(kind, callback, None, None),
            )
            self._check(error)

    def load(self, code: bytes) -> Module:
        """A module that was compiled before. The code is trusted to be so: never outside a jail."""
        module = c_void_p()
        error = self.c.wasmtime_module_deserialize(
            self._engine, code, c_size_t(len(code)), byref(module)
        )
        self._check(error)
        return Module(self, self._engine, self._linker, module)

    def _kinds(self, letters: str) -> Any:
        listed = (c_void_p * len(letters))(
            *(self.c.wasm_valtype_new(ctypes.c_uint8("iI".index(letter))) for letter in letters)
        )
        vector = _Bytes()
        self.c.wasm_valtype_vec_new(byref(vector), c_size_t(len(letters)), listed)
        return byref(vector)

    def _check(self, error: int | None) -> None:
        if error:
            raise BadModule(self.message(self.c.wasmtime_error_message, error))

    def message(self, get: Any, of: int) -> str:
        text = _Bytes()
        get(c_void_p(of), byref(text))
        return ctypes.string_at(text.data, text.size).decode("utf-8", "replace").rstrip("\0")


class Module:
    """One module in a store of its own."""

    def __init__(self, engine: Engine, native: Any, linker: Any, module: Any) -> None:
        self._engine, self._c = engine, engine.c
        self._linker, self._module = linker, module
        store = c_void_p(self._c.wasmtime_store_new(native, None, None))
        self._c.wasmtime_store_limiter(
            *(store, c_int64(LARGEST_MEMORY), c_int64(MOST_TABLE_ELEMENTS)),
            *(c_int64(1), c_int64(4), c_int64(1)),  # instances, tables, memories
        )
        self._context = c_void_p(self._c.wasmtime_store_context(store))
        # What every host call needs is put together once: that is half of its time.
        self._fuel = c_uint64()
        self._fuel_at = byref(self._fuel)
        self._get_fuel = self._c.wasmtime_context_get_fuel
        self._set_fuel = self._c.wasmtime_context_set_fuel
        self._set_fuel.argtypes = (c_void_p, c_uint64)
        self._data, self._data_size = (
            self._c.wasmtime_memory_data,
            self._c.wasmtime_memory_data_size,
        )
        self._memory: Any = None

    @property
    def fuel(self) -> int:
        self._get_fuel(self._context, self._fuel_at)
        return self._fuel.value

    @fuel.setter
    def fuel(self, fuel: int) -> None:
        self._set_fuel(self._context, fuel)

    def run(self) -> None:
        """Begin at `_start` and come back when it is over; BadModule, Trap."""
        instance, trap = _Instance(), c_void_p()
        error = self._c.wasmtime_linker_instantiate(
            self._linker, self._context, self._module, byref(instance), byref(trap)
        )
        self._check(error, trap, BadModule)
        start = _Export()
        found = self._c.wasmtime_instance_export_get(
            self._context, byref(instance), b"_start", c_size_t(6), byref(start)
        )
        if not found or start.kind != FUNCTION:
            raise BadModule("it has no function `_start`")
        nothing = ctypes.create_string_buffer(VALUE_BYTES)
        error = self._c.wasmtime_func_call_unchecked(
            self._context, byref(start.of.function), nothing, c_size_t(0), byref(trap)
        )
        self._check(error, trap, Trap)

    def memory(self, caller: int) -> tuple[int, int]:
        """Where the module's memory lies, and its size now."""
        if self._memory is None:
            found = _Export()
            self._c.wasmtime_caller_export_get(
                c_void_p(caller), b"memory", c_size_t(6), byref(found)
            )
            if found.kind != MEMORY:
                raise BadModule("it exports no memory")
            self._found = found
            self._memory = byref(found.of.memory)
        context, memory = self._context, self._memory
        return self._data(context, memory), self._data_size(context, memory)

    def _check(self, error: int | None, trap: Any, kind: Callable[..., Exception]) -> None:
        if trap:
            code = ctypes.c_uint8(255)
            self._c.wasmtime_trap_code(trap, byref(code))
            text = self._engine.message(self._c.wasm_trap_message, trap.value)
            raise Trap(text, code.value)
        if error:
            text = self._engine.message(self._c.wasmtime_error_message, error)
            raise BadModule(text) if kind is BadModule else Trap(text, 255)
