/** What keeps a number while system calls run: a register of the processor. */
export type Slot = `s${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}`;
/** The address of a label: of an instruction, of a constant, or of the memory that can be written. */
export type Address = `=${string}`;
/** What a value is taken from. `result` is what the last system call gave. */
export type Value = number | Slot | 'result' | Address;
export type Comparison = '==' | '!=' | '<' | '>=';

/** One step of a program, for any processor. Numbers have 64 bits and a sign. */
export type Instruction =
  | readonly ['label', name: string]
  | readonly ['move', to: Slot, from: Value]
  | readonly ['add', to: Slot, from: number | Slot]
  | readonly ['subtract', to: Slot, from: Slot]
  /** The address where the number of arguments, the arguments and the variables begin. */
  | readonly ['stack', to: Slot]
  | readonly ['load', to: Slot, base: Slot, offset: number]
  /** 32 bits, without a sign. */
  | readonly ['load word', to: Slot, base: Slot, offset: number]
  | readonly ['store', base: Slot, offset: number, from: Slot]
  | readonly ['load byte', to: Slot, base: Slot]
  | readonly ['store byte', base: Slot, from: Slot]
  | readonly ['jump', label: string]
  | readonly ['jump if', left: Slot | 'result', Comparison, right: number | Slot, label: string]
  /** `result` cannot be an argument. A fifth argument changes s6 on x86-64. */
  | readonly ['call', name: SystemCall, ...args: readonly (number | Slot | Address)[]];

/** The instructions of one kind. */
export type Step<K extends Instruction[0]> = Extract<Instruction, readonly [K, ...(readonly unknown[])]>;

/** The numbers of the system calls that are used: on x86-64, and on arm64. */
export const systemCalls = {
  read: [0, 63],
  write: [1, 64],
  close: [3, 57],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  ioctl: [16, 29],
  pread64: [17, 67],
  nanosleep: [35, 101],
  socket: [41, 198],
  connect: [42, 203],
  shutdown: [48, 210],
  bind: [49, 200],
  listen: [50, 201],
  clone: [56, 220],
  execve: [59, 221],
  wait4: [61, 260],
  setsid: [112, 157],
  capset: [126, 91],
  prctl: [157, 167],
  mount: [165, 40],
  exit_group: [231, 94],
  openat: [257, 56],
  readlinkat: [267, 78],
  faccessat: [269, 48],
  ppoll: [271, 73],
  unshare: [272, 97],
  accept4: [288, 242],
  dup3: [292, 24],
  pipe2: [293, 59],
  prlimit64: [302, 261],
  setns: [308, 268],
  seccomp: [317, 277],
  open_tree: [428, 428],
  move_mount: [429, 429],
  pidfd_open: [434, 434],
  close_range: [436, 436],
  mount_setattr: [442, 442],
  openat2: [437, 437],
} as const satisfies Readonly<Record<string, readonly [x64: number, arm64: number]>>;
export type SystemCall = keyof typeof systemCalls;

/** Where an instruction lies, and where labels do. */
export interface Placing {
  readonly here: number;
  find(label: string): number;
}

/** What makes the bytes of each kind of instruction. Their number must not depend on where labels are. */
export type Encoders = {readonly [K in Instruction[0]]: (step: Step<K>, placing: Placing) => readonly number[]};

/** The bytes of one instruction. */
export function encode(encoders: Encoders, step: Instruction, placing: Placing): readonly number[] {
  // The kind of the step chooses the encoder of that kind.
  return (encoders[step[0]] as (step: Instruction, placing: Placing) => readonly number[])(step, placing);
}

/** A number in bytes, the lowest first. */
export function littleEndian(value: number | bigint, bytes: number): readonly number[] {
  const unsigned = BigInt.asUintN(bytes * 8, BigInt(value));
  return Array.from({length: bytes}, (_, at) => Number((unsigned >> BigInt(at * 8)) & 0xffn));
}
