;; A bot that answers with the first action it is offered, to try the engine with. Tests put parts of
;; their own in place of the comments in (; ;).
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (;imports;)
  (memory (export "memory") 4 (;most_pages;))
  (data (i32.const 16) "{\22id\22:\22")
  (data (i32.const 200) "out of turn\n")
  (;parts;)
  (func $byte (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func $say (param $file i32) (param $at i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $size))
    (drop (call $write (local.get $file) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $think (;think;))
  (func (export "_start") (local $at i32) (local $out i32)
    (;first;)
    (loop $next
      (i32.store (i32.const 0) (i32.const 65536))
      (i32.store (i32.const 4) (i32.const 131072))
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
      (if (i32.eqz (i32.load (i32.const 8))) (then (return)))
      (br_if $next (i32.ne (call $byte (i32.const 65545)) (i32.const 100)))  ;; no "decide"
      (call $think)
      (memory.copy (i32.const 23) (i32.const 65559) (i32.const 16))          ;; the id
      (i64.store (i32.const 39) (i64.const 0x6f69746361222c22))              ;; ","actio
      (i32.store (i32.const 47) (i32.const 0x223a226e))                      ;; n":"
      (local.set $at (i32.const 65536))
      (loop $find
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $find (i32.ne (i32.load (local.get $at)) (i32.const 0x6167656c))))  ;; lega
      (local.set $at (i32.add (local.get $at) (i32.const 9)))
      (local.set $out (i32.const 51))
      (loop $copy
        (i32.store8 (local.get $out) (call $byte (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $out (i32.add (local.get $out) (i32.const 1)))
        (br_if $copy (i32.ne (call $byte (local.get $at)) (i32.const 34))))
      (i32.store (local.get $out) (i32.const 0x000a7d22))                    ;; "} and the end
      (call $say (i32.const 1) (i32.const 16) (i32.sub (local.get $out) (i32.const 13)))
      (;last;)
      (br $next))))
