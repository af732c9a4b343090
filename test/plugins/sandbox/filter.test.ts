import {readFileSync} from 'node:fs';
import {describe, expect, test} from '@jest/globals';
import {makeFilter} from '#plugins/sandbox/dist/seccomp/filter.js';
import {filterFile} from '#plugins/sandbox/dist/seccomp/filter-file.js';
import {describeFilter} from '#plugins/sandbox/dist/seccomp/describe-filter.js';

const ALLOW = 0x7fff_0000;
const refuse = (errno: number): number => 0x0005_0000 + errno;

/** Runs a filter as the kernel does, on a call with a number, an architecture and arguments. */
function judge(filter: Buffer, {nr, arch, args = []}: {nr: number; arch: number; args?: readonly number[]}): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr, 0);
  data.writeUInt32LE(arch, 4);
  args.forEach((arg, index) => data.writeBigUInt64LE(BigInt(arg), 16 + index * 8));
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) === 0 ? no : yes;
    else throw new Error(`Unknown instruction ${code} at ${at}.`);
  }
  throw new Error('The filter ends without an answer.');
}

describe.each([
  ['x64', 0xc000_003e, {read: 0, ptrace: 101, clone: 56, clone3: 435, socket: 41, ioctl: 16, unshare: 272}],
  ['arm64', 0xc000_00b7, {read: 63, ptrace: 117, clone: 220, clone3: 435, socket: 198, ioctl: 29, unshare: 97}],
] as const)('the filter of %s [sandbox.filter]', (machine, arch, numbers) => {
  const filter = readFileSync(filterFile(machine));
  const call = (nr: number, ...args: number[]): number => judge(filter, {nr, arch, args});

  test('is what our own code makes when the plugin is built', () => {
    expect(filter.equals(makeFilter(machine))).toBe(true);
  });

  test('allows what it does not name, and refuses what it names', () => {
    expect(call(numbers.read)).toBe(ALLOW);
    expect(call(numbers.ptrace)).toBe(refuse(1));
    expect(call(numbers.unshare)).toBe(refuse(1));
    expect(call(numbers.clone3)).toBe(refuse(38));
  });

  test('looks at arguments', () => {
    expect([call(numbers.clone, 0x11), call(numbers.clone, 0x1000_0011), call(numbers.clone, 0x0002_0000)]).toEqual([
      ALLOW,
      refuse(1),
      refuse(1),
    ]);
    expect([1, 2, 10, 16, 17, 38, 40].map((family) => call(numbers.socket, family))).toEqual([
      ...[ALLOW, ALLOW, ALLOW, ALLOW],
      ...[refuse(97), refuse(97), refuse(97)],
    ]);
    expect([0x5401, 0x5412, 0x541c].map((order) => call(numbers.ioctl, 1, order))).toEqual([
      ALLOW,
      refuse(1),
      refuse(1),
    ]);
  });

  test('refuses every call of another architecture', () => {
    expect(judge(filter, {nr: numbers.read, arch: 0x4000_0003})).toBe(refuse(1));
    expect(judge(filter, {nr: 0x4000_0000 + numbers.read, arch})).toBe(machine === 'x64' ? refuse(38) : ALLOW);
  });
});

test('the words name every call of the filter [sandbox.filter]', () => {
  const named = describeFilter().flatMap(({calls}) => calls);
  for (const call of ['ptrace', 'bpf', 'io_uring_setup', 'keyctl', 'socket', 'clone3', 'ioctl'])
    expect(named).toContain(call);
});
