import {FAMILIES, judged, machines, NAMESPACES, refused, TYPING, type Machine} from './system-calls.js';

/** One instruction of classic BPF: code, two jumps, a number. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
/** Where the number, the architecture and the low half of an argument are. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;
/** Numbers of the x32 calls begin here. */
const X32 = 0x4000_0000;

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const finish = (value: number): Instruction => [RETURN, 0, 0, value >>> 0];
const fail = (errno: number): Instruction => finish(ERRNO | errno);

/** The filter of a machine, as the kernel takes it: calls that are not named are allowed. */
export function makeFilter(machine: Machine): Buffer {
  const {index, audit} = machines[machine];
  const numbers = refused.flatMap(({calls}) => Object.values(calls)).flatMap((pair) => pair[index] ?? []);
  const program: Instruction[] = [
    load(ARCHITECTURE),
    // Another architecture has other numbers.
    [EQUAL, 1, 0, audit],
    fail(EPERM),
    load(NUMBER),
    ...(machine === 'x64' ? [[AT_LEAST, 0, 1, X32] as const, fail(ENOSYS)] : []),
    ...numbers.flatMap((number): Instruction[] => [[EQUAL, 0, 1, number], fail(EPERM)]),
    // Its flags are in memory, which a filter cannot read; libraries then use clone.
    [EQUAL, 0, 1, judged.clone3[index]],
    fail(ENOSYS),
    ...judge(judged.clone[index], 0, [[ANY_BIT, 0, 1, NAMESPACES], fail(EPERM)]),
    ...judge(judged.socket[index], 0, onlyFamilies()),
    ...judge(
      judged.ioctl[index],
      1,
      Object.values(TYPING).flatMap((order): Instruction[] => [[EQUAL, 0, 1, order], fail(EPERM)]),
    ),
    finish(ALLOW),
  ];
  return encode(program);
}

/** Instructions for one call, which look at one argument; afterwards the number is loaded again. */
function judge(number: number, index: number, body: readonly Instruction[]): readonly Instruction[] {
  return [[EQUAL, 0, body.length + 2, number], load(argument(index)), ...body, load(NUMBER)];
}

function onlyFamilies(): readonly Instruction[] {
  const families = Object.values(FAMILIES);
  return [...families.map((family, at): Instruction => [EQUAL, families.length - at, 0, family]), fail(EAFNOSUPPORT)];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  });
  return bytes;
}
