import {onlyTightens, type SandboxGrant} from '../rule.js';
import {compileCommand, permits} from './command-match.js';
import type {Judgement} from './engine.js';
import type {JudgedPart} from './judge-part.js';

/** What is granted to a line in the sandbox, and what does. */
export interface Granted extends SandboxGrant {
  readonly from: string;
}

/** A grant to commands that begin with some words. */
export interface CommandGrant {
  readonly prefix: string;
  readonly grant: SandboxGrant;
  readonly from: string;
}

/**
 * What is granted to a line by the rules that let it pass, and by what files say of its commands. A line is one process
 * tree, so what one command may reach all may: only what is granted to each of them counts. Rules of a project or an
 * extension grant nothing.
 */
export function grantedTo({parts}: Judgement, commands: readonly CommandGrant[] = []): readonly Granted[] {
  const each = parts.filter(({isCommand}) => isCommand).map((part) => grantedToPart(part, commands));
  return [...sharedBy(each), ...limitsOf(each.flat())];
}

/** One process tree cannot be limited in parts, so that the limit of one command counts for the line. */
function limitsOf(grants: readonly Granted[]): readonly Granted[] {
  return grants
    .filter(({memory, processes}) => memory !== undefined || processes !== undefined)
    .map(({memory, processes, from}) => ({
      ...(memory === undefined ? {} : {memory}),
      ...(processes === undefined ? {} : {processes}),
      from,
    }));
}

function sharedBy(each: readonly (readonly Granted[])[]): readonly Granted[] {
  const [first, ...others] = each;
  if (!first || each.some(({length}) => length === 0)) return [];
  const grant = others.reduce((shared, one) => both(shared, joined(one)), joined(first));
  const from = [...new Set(each.flat().map((one) => one.from))].join(' and ');
  return Object.keys(grant).length > 0 ? [{...grant, from}] : [];
}

function grantedToPart({finding: {base}, command}: JudgedPart, commands: readonly CommandGrant[]): readonly Granted[] {
  const byRule = base?.sandbox && !onlyTightens(base) ? [{...base.sandbox, from: `rule ${base.id}`}] : [];
  const byName = commands
    .filter(({prefix}) => command !== undefined && permits(compileCommand({prefix}), command))
    .map(({grant, from}) => ({...grant, from}));
  return [...byRule, ...byName];
}

/** All that several grants give to one command. */
function joined(grants: readonly SandboxGrant[]): SandboxGrant {
  const list = (values: readonly (readonly string[] | undefined)[]): readonly string[] | undefined => {
    const all = [...new Set(values.flatMap((one) => one ?? []))];
    return all.length > 0 ? all : undefined;
  };
  const networks = grants.map(({network}) => network);
  return made({
    read: list(grants.map(({read}) => read)),
    write: list(grants.map(({write}) => write)),
    network: networks.includes(true) ? true : list(networks.map((one) => (one === true ? undefined : one))),
    workspace: grants.some(({workspace}) => workspace) || undefined,
  });
}

function both(a: SandboxGrant, b: SandboxGrant): SandboxGrant {
  return made({
    read: common(a.read, b.read),
    write: common(a.write, b.write),
    network: a.network === true ? b.network : b.network === true ? a.network : common(a.network, b.network),
    workspace: a.workspace && b.workspace,
  });
}

function made({
  read,
  write,
  network,
  workspace,
}: {[K in 'read' | 'write' | 'network' | 'workspace']: SandboxGrant[K] | undefined}): SandboxGrant {
  return {
    ...(read ? {read} : {}),
    ...(write ? {write} : {}),
    ...(network ? {network} : {}),
    ...(workspace ? {workspace} : {}),
  };
}

function common(a: readonly string[] = [], b: readonly string[] = []): readonly string[] | undefined {
  const shared = a.filter((one) => b.includes(one));
  return shared.length > 0 ? shared : undefined;
}
