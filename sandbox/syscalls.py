"""System call numbers, for the calls the sandbox names; they are part of Linux's stable interface.

A call that is missing from a table does not exist on that machine.
"""

from __future__ import annotations


def _table(text: str) -> dict[str, int]:
    pairs = (entry.split("=") for entry in text.split())
    return {name: int(number) for name, number in pairs}


X86_64 = _table("""
    accept=43 accept4=288 access=21 acct=163 add_key=248 adjtimex=159 alarm=37 arch_prctl=158
    bind=49 bpf=321 brk=12 capget=125 capset=126 chmod=90 chown=92 chroot=161 clock_adjtime=305
    clock_getres=229 clock_gettime=228 clock_nanosleep=230 clock_settime=227 clone=56 clone3=435
    close=3 close_range=436 connect=42 creat=85 delete_module=176 dup=32 dup2=33 dup3=292
    epoll_create=213 epoll_create1=291 epoll_ctl=233 epoll_pwait=281 epoll_wait=232 eventfd2=290
    execve=59 execveat=322 exit=60 exit_group=231 faccessat=269 faccessat2=439 fallocate=285
    fanotify_init=300 fanotify_mark=301 fchmod=91 fchmodat=268 fchown=93 fchownat=260 fcntl=72
    finit_module=313 fork=57 fsconfig=431 fsetxattr=190 fsmount=432 fsopen=430 fspick=433
    fstat=5 fstatfs=138 ftruncate=77 futex=202 futimesat=261 get_robust_list=274 getcpu=309
    getcwd=79 getdents64=217 getegid=108 geteuid=107 getgid=104 getgroups=115 getitimer=36
    getpeername=52 getpgid=121 getpgrp=111 getpid=39 getppid=110 getrandom=318 getresgid=120
    getresuid=118 getrlimit=97 getrusage=98 getsid=124 getsockname=51 getsockopt=55 gettid=186
    gettimeofday=96 getuid=102 init_module=175 io_uring_enter=426 io_uring_register=427
    io_uring_setup=425 ioctl=16 ioperm=173 iopl=172 kcmp=312 kexec_file_load=320 kexec_load=246
    keyctl=250 kill=62 lchown=94 link=86 linkat=265 listen=50 lookup_dcookie=212 lseek=8
    lsetxattr=189 lstat=6 madvise=28 membarrier=324 mkdir=83 mkdirat=258 mknod=133 mknodat=259
    mmap=9 modify_ldt=154 mount=165 mount_setattr=442 move_mount=429 mprotect=10 mremap=25
    munmap=11 name_to_handle_at=303 nanosleep=35 newfstatat=262 open=2 open_by_handle_at=304
    open_tree=428 openat=257 perf_event_open=298 pidfd_getfd=438 pidfd_open=434
    pidfd_send_signal=424 pipe=22 pipe2=293 pivot_root=155 poll=7 ppoll=271 prctl=157 pread64=17
    prlimit64=302 process_madvise=440 process_vm_readv=310 process_vm_writev=311 pselect6=270
    ptrace=101 quotactl=179 read=0 readlink=89 readlinkat=267 readv=19 reboot=169 recvfrom=45
    recvmsg=47 rename=82 renameat=264 renameat2=316 request_key=249 restart_syscall=219 rmdir=84
    rseq=334 rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15 sched_get_priority_max=146
    sched_get_priority_min=147 sched_getaffinity=204 sched_getparam=143 sched_getscheduler=145
    sched_yield=24 select=23 sendmsg=46 sendto=44 set_robust_list=273 set_tid_address=218
    setdomainname=171 setgroups=116 sethostname=170 setitimer=38 setns=308 setresgid=119
    setresuid=117 setrlimit=160 setsockopt=54 settimeofday=164 setxattr=188 shutdown=48
    sigaltstack=131 socket=41 socketpair=53 stat=4 statfs=137 statx=332 swapoff=168 swapon=167
    symlink=88 symlinkat=266 sysinfo=99 syslog=103 tgkill=234 time=201 times=100 tkill=200
    truncate=76 umount2=166 uname=63 unlink=87 unlinkat=263 unshare=272 userfaultfd=323
    utime=132 utimensat=280 utimes=235 vfork=58 vhangup=153 waitid=247 write=1 writev=20
""")

AARCH64 = _table("""
    accept=202 accept4=242 acct=89 add_key=217 adjtimex=171 bind=200 bpf=280 brk=214 capget=90
    capset=91 chroot=51 clock_adjtime=266 clock_getres=114 clock_gettime=113 clock_nanosleep=115
    clock_settime=112 clone=220 clone3=435 close=57 close_range=436 connect=203
    delete_module=106 dup=23 dup3=24 epoll_create1=20 epoll_ctl=21 epoll_pwait=22 eventfd2=19
    execve=221 execveat=281 exit=93 exit_group=94 faccessat=48 faccessat2=439 fallocate=47
    fanotify_init=262 fanotify_mark=263 fchmod=52 fchmodat=53 fchown=55 fchownat=54 fcntl=25
    finit_module=273 fsconfig=431 fsetxattr=7 fsmount=432 fsopen=430 fspick=433 fstat=80
    fstatfs=44 ftruncate=46 futex=98 get_robust_list=100 getcpu=168 getcwd=17 getdents64=61
    getegid=177 geteuid=175 getgid=176 getgroups=158 getitimer=102 getpeername=205 getpgid=155
    getpid=172 getppid=173 getrandom=278 getresgid=150 getresuid=148 getrlimit=163 getrusage=165
    getsid=156 getsockname=204 getsockopt=209 gettid=178 gettimeofday=169 getuid=174
    init_module=105 io_uring_enter=426 io_uring_register=427 io_uring_setup=425 ioctl=29
    kcmp=272 kexec_file_load=294 kexec_load=104 keyctl=219 kill=129 linkat=37 listen=201
    lookup_dcookie=18 lseek=62 lsetxattr=6 madvise=233 membarrier=283 mkdirat=34 mknodat=33
    mmap=222 mount=40 mount_setattr=442 move_mount=429 mprotect=226 mremap=216 munmap=215
    name_to_handle_at=264 nanosleep=101 newfstatat=79 open_by_handle_at=265 open_tree=428
    openat=56 perf_event_open=241 pidfd_getfd=438 pidfd_open=434 pidfd_send_signal=424 pipe2=59
    pivot_root=41 ppoll=73 prctl=167 pread64=67 prlimit64=261 process_madvise=440
    process_vm_readv=270 process_vm_writev=271 pselect6=72 ptrace=117 quotactl=60 read=63
    readlinkat=78 readv=65 reboot=142 recvfrom=207 recvmsg=212 renameat=38 renameat2=276
    request_key=218 restart_syscall=128 rseq=293 rt_sigaction=134 rt_sigprocmask=135
    rt_sigreturn=139 sched_get_priority_max=125 sched_get_priority_min=126 sched_getaffinity=123
    sched_getparam=121 sched_getscheduler=120 sched_yield=124 sendmsg=211 sendto=206
    set_robust_list=99 set_tid_address=96 setdomainname=162 setgroups=159 sethostname=161
    setitimer=103 setns=268 setresgid=149 setresuid=147 setrlimit=164 setsockopt=208
    settimeofday=170 setxattr=5 shutdown=210 sigaltstack=132 socket=198 socketpair=199 statfs=43
    statx=291 swapoff=225 swapon=224 symlinkat=36 sysinfo=179 syslog=116 tgkill=131 times=153
    tkill=130 truncate=45 umount2=39 uname=160 unlinkat=35 unshare=97 userfaultfd=282
    utimensat=88 vhangup=58 waitid=95 write=64 writev=66
""")
