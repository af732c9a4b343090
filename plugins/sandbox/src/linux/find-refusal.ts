import {basename} from 'node:path';
import {findFault} from '../asked-permissions.js';
import type {AskedPath, Grant, Plan} from '../contract.js';
import {isWithin} from './is-within.js';
import {SYSTEM, TOOLS} from './make-plan.js';
import {realOf} from './real-of.js';

/** Files of the kernel, and those of programs that run: no grant opens them. */
const NEVER = ['/proc', '/sys', '/dev', '/run'];
/** What programs try to make beside what they read, and do without. */
const UNNEEDED = /^__pycache__$/;

/**
 * What a program inside said that it may not write, judged again outside: undefined when that is not so, or when the
 * program does without it.
 */
export function findRefusal(
  {path, name}: {readonly path: string; readonly name: string},
  {plan, grants, home}: {readonly plan: Plan; readonly grants: readonly Grant[]; readonly home: string},
): AskedPath | undefined {
  if (realOf(path) !== path || UNNEEDED.test(name) || UNNEEDED.test(basename(path))) return undefined;
  const asked = {path, ...(name === '' ? {} : {name})};
  if (NEVER.some((folder) => isWithin(path, folder))) return {...asked, fault: 'it belongs to the system'};
  // A later mount counts over an earlier one.
  const mount = plan.mounts.toReversed().find((one) => isWithin(path, one.path));
  if (mount?.kind !== 'read') return undefined;
  const isOpen = mount.why === SYSTEM || mount.why === TOOLS || grants.some(({from}) => from === mount.why);
  if (!isOpen) return {...asked, fault: mount.why};
  const fault = findFault({write: [path]}, home);
  return fault === undefined ? asked : {...asked, fault: 'it contains your home'};
}
