import {
  ALLOW,
  ANY_BIT,
  ARCHITECTURE,
  argument,
  AT_LEAST,
  encodeFilter,
  EQUAL,
  fail,
  finish,
  load,
  NUMBER,
  type FilterStep,
} from './filter-steps.js';
import {FAMILIES, judged, machines, NAMESPACES, refused, TYPING, type Machine} from './system-calls.js';

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
/** Numbers of the x32 calls begin here. */
const X32 = 0x4000_0000;

/** What the starter needs before it sets the whole filter. */
const BEFORE = ['mount', 'open_tree', 'unshare'];

/**
 * The filter of a machine, as the kernel takes it: calls that are not named are allowed. Until the starter has hidden
 * files, it is let do that.
 */
export function makeFilter(machine: Machine, isBefore = false): Buffer {
  const {index, audit} = machines[machine];
  const numbers = refused
    .flatMap(({calls}) => Object.entries(calls))
    .flatMap(([name, pair]) => (isBefore && BEFORE.includes(name) ? [] : (pair[index] ?? [])));
  const program: FilterStep[] = [
    load(ARCHITECTURE),
    // Another architecture has other numbers.
    [EQUAL, 1, 0, audit],
    fail(EPERM),
    load(NUMBER),
    ...(machine === 'x64' ? [[AT_LEAST, 0, 1, X32] as const, fail(ENOSYS)] : []),
    ...numbers.flatMap((number): FilterStep[] => [[EQUAL, 0, 1, number], fail(EPERM)]),
    // Its flags are in memory, which a filter cannot read; libraries then use clone.
    [EQUAL, 0, 1, judged.clone3[index]],
    fail(ENOSYS),
    ...judge(judged.clone[index], 0, [[ANY_BIT, 0, 1, NAMESPACES], fail(EPERM)]),
    ...judge(judged.socket[index], 0, onlyFamilies()),
    ...judge(
      judged.ioctl[index],
      1,
      Object.values(TYPING).flatMap((order): FilterStep[] => [[EQUAL, 0, 1, order], fail(EPERM)]),
    ),
    finish(ALLOW),
  ];
  return encodeFilter(program);
}

/** FilterSteps for one call, which look at one argument; afterwards the number is loaded again. */
function judge(number: number, index: number, body: readonly FilterStep[]): readonly FilterStep[] {
  return [[EQUAL, 0, body.length + 2, number], load(argument(index)), ...body, load(NUMBER)];
}

function onlyFamilies(): readonly FilterStep[] {
  const families = Object.values(FAMILIES);
  return [...families.map((family, at): FilterStep => [EQUAL, families.length - at, 0, family]), fail(EAFNOSUPPORT)];
}
