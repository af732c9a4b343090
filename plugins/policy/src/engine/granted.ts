import {onlyTightens, type SandboxGrant} from '../rule.js';
import type {Judgement} from './engine.js';

/** What rules grant to a line in the sandbox, and the rules that do. */
export interface Granted extends SandboxGrant {
  readonly from: string;
}

/**
 * What the rules that let a line pass grant to it. A line is one process tree, so what one command may reach all may:
 * only what the rule of each of its commands grants counts. Rules of a project or an extension grant nothing.
 */
export function grantedTo({parts}: Judgement): readonly Granted[] {
  const rules = parts.filter(({isCommand}) => isCommand).map(({finding: {base}}) => base);
  const [first, ...others] = rules.map((rule) => (rule && !onlyTightens(rule) ? rule.sandbox : undefined));
  if (!first || others.includes(undefined)) return [];
  const grant = (others as readonly SandboxGrant[]).reduce(both, first);
  const from = [...new Set(rules.map((rule) => `rule ${rule?.id ?? ''}`))].join(' and ');
  return Object.keys(grant).length > 0 ? [{from, ...grant}] : [];
}

function both(a: SandboxGrant, b: SandboxGrant): SandboxGrant {
  const [read, write] = [common(a.read, b.read), common(a.write, b.write)];
  const network = a.network === true ? b.network : b.network === true ? a.network : common(a.network, b.network);
  return {
    ...(read ? {read} : {}),
    ...(write ? {write} : {}),
    ...(network ? {network} : {}),
  };
}

function common(a: readonly string[] = [], b: readonly string[] = []): readonly string[] | undefined {
  const shared = a.filter((one) => b.includes(one));
  return shared.length > 0 ? shared : undefined;
}
