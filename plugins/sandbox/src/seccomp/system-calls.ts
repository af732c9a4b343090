/** Numbers of a system call: on x86-64, and on arm64 where it has one. */
type Numbers = readonly [x64: number | undefined, arm64: number | undefined];

/** Why calls are refused, and which. Numbers as the Linux headers have them. */
export const refused: readonly {readonly why: string; readonly calls: Readonly<Record<string, Numbers>>}[] = [
  {
    why: 'Reads and changes other processes.',
    calls: {
      ptrace: [101, 117],
      process_vm_readv: [310, 270],
      process_vm_writev: [311, 271],
      process_madvise: [440, 440],
      pidfd_getfd: [438, 438],
      kcmp: [312, 272],
    },
  },
  {
    why: 'Reaches keys of the person that no namespace hides.',
    calls: {add_key: [248, 217], request_key: [249, 218], keyctl: [250, 219]},
  },
  {
    why: 'Runs code in the kernel, or watches all of it.',
    calls: {
      bpf: [321, 280],
      perf_event_open: [298, 241],
      kexec_load: [246, 104],
      kexec_file_load: [320, 294],
      init_module: [175, 105],
      finit_module: [313, 273],
      delete_module: [176, 106],
      create_module: [174, undefined],
      get_kernel_syms: [177, undefined],
      query_module: [178, undefined],
      lookup_dcookie: [212, 18],
      nfsservctl: [180, 42],
      uselib: [134, undefined],
      modify_ldt: [154, undefined],
      iopl: [172, undefined],
      ioperm: [173, undefined],
      fanotify_init: [300, 262],
      syslog: [103, 116],
    },
  },
  {
    why: 'Passes by this filter, or makes faults of the kernel easy to use.',
    calls: {
      io_uring_setup: [425, 425],
      io_uring_enter: [426, 426],
      io_uring_register: [427, 427],
      userfaultfd: [323, 282],
    },
  },
  {
    why: 'Changes what is mounted, or opens files past it.',
    calls: {
      mount: [165, 40],
      umount2: [166, 39],
      pivot_root: [155, 41],
      chroot: [161, 51],
      move_mount: [429, 429],
      open_tree: [428, 428],
      fsopen: [430, 430],
      fsconfig: [431, 431],
      fsmount: [432, 432],
      fspick: [433, 433],
      mount_setattr: [442, 442],
      open_by_handle_at: [304, 265],
    },
  },
  {
    why: 'Enters or makes namespaces, where a program has rights again.',
    calls: {setns: [308, 268], unshare: [272, 97]},
  },
  {
    why: 'Changes the whole machine.',
    calls: {
      reboot: [169, 142],
      swapon: [167, 224],
      swapoff: [168, 225],
      acct: [163, 89],
      quotactl: [179, 60],
      quotactl_fd: [443, 443],
      settimeofday: [164, 170],
      clock_settime: [227, 112],
      adjtimex: [159, 171],
      clock_adjtime: [305, 266],
    },
  },
];

/** Calls that depend on an argument. */
export const judged = {
  clone: [56, 220],
  clone3: [435, 435],
  socket: [41, 198],
  ioctl: [16, 29],
} as const satisfies Record<string, Numbers>;

/** Flags of clone that make namespaces. */
export const NAMESPACES = 0x7e02_0000;

/** Families of sockets that a program can make: within the machine, to the network, and to ask for addresses. */
export const FAMILIES: Readonly<Record<string, number>> = {AF_UNIX: 1, AF_INET: 2, AF_INET6: 10, AF_NETLINK: 16};

/** Orders to a terminal that put words into it as if they had been typed. */
export const TYPING: Readonly<Record<string, number>> = {TIOCSTI: 0x5412, TIOCLINUX: 0x541c};

/** What processors are called, and how the kernel numbers them. */
export const machines = {x64: {index: 0, audit: 0xc000_003e}, arm64: {index: 1, audit: 0xc000_00b7}} as const;
export type Machine = keyof typeof machines;
