import {join} from 'node:path';
import type {CommandGrant} from './engine/granted.js';
import type {Mode, ModeTable, Said, SandboxLimits} from './rule.js';

/** What the files say together about one mode: the strongest file decides, and one that only tightens always counts. */
export function tableOf(limits: readonly SandboxLimits[], mode: Mode): ModeTable {
  const say = (one: SandboxLimits): ModeTable | undefined =>
    one.modes[mode] ?? (mode === 'yolo' ? one.modes.default : undefined);
  const free = limits.filter(({tightens}) => !tightens);
  const strict = limits.filter(({tightens}) => tightens);
  return Object.assign({}, ...[...free, ...strict].map(say)) as ModeTable;
}

/** What the files grant to commands in a mode, by the words that they begin with. */
export function commandGrants(limits: readonly SandboxLimits[], mode: Mode, home: string): readonly CommandGrant[] {
  const {approved, readOnly} = tableOf(limits, mode);
  const named = limits
    .flatMap(({commands}) => commands)
    .map(({grant: {write, ...rest}, ...one}) => ({
      ...one,
      grant: {
        ...rest,
        ...(write ? {write: write.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path))} : {}),
      },
    }));
  return [...named, ...(readOnly?.value ? approvedGrants(approved) : [])];
}

function approvedGrants(approved: Said<readonly string[]> | undefined): readonly CommandGrant[] {
  if (approved === undefined) return [];
  return approved.value.map((prefix) => ({prefix, grant: {workspace: true}, from: approved.from}));
}
