import {lstat, readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {InboxItem} from '../contract.js';
import {planPatch, type PatchBase} from './plan-patch.js';
import {findSkillFault} from './skill-fault.js';

const MOST_BYTES = 512 * 1024;
const MOST_ITEMS = 200;

/** Where proposals are, and what they may change. */
export interface InboxPlaces {
  /** `~/.gemini/tmp/<project>/memory`. */
  readonly memory: string;
  readonly home: string;
  readonly cwd: string;
}

/** A proposal and the path that has it. */
export type FoundItem = InboxItem & {readonly source: string};

/** The proposals in the places of Gemini CLI, each with what is wrong with it. */
export async function readInbox(places: InboxPlaces): Promise<readonly FoundItem[]> {
  const skills = join(places.memory, 'skills');
  const found: FoundItem[] = [];
  for (const name of await namesIn(skills)) {
    if (found.length >= MOST_ITEMS) break;
    if (name.endsWith('.patch')) found.push(await readPatch('skill-patch', join(skills, name), places));
    else if (!name.startsWith('.')) found.push(await readSkill(join(skills, name), places));
  }
  for (const scope of ['private', 'global'] as const) {
    const folder = join(places.memory, '.inbox', scope);
    for (const name of await namesIn(folder))
      if (name.endsWith('.patch')) found.push(await readPatch('memory-patch', join(folder, name), places, scope));
  }
  const quarantine = join(places.memory, '.quarantine');
  for (const name of (await namesIn(quarantine)).slice(0, MOST_ITEMS))
    if (name.endsWith('.json')) found.push(await readQuarantined(join(quarantine, name)));
  return found;
}

/** A proposal that could not be one: it is only shown. */
async function readQuarantined(source: string): Promise<FoundItem> {
  const base = {id: `refused:${basename(source, '.json')}`, source, written: await timeOf(source)};
  const text = await readText(source, {limit: MOST_BYTES}).catch((error: unknown) => messageOf(error));
  const [, kind] = /"kind": "(skill|skill-patch|memory-patch)"/.exec(text) ?? [];
  const [, reason] = /"reason": (".*")/.exec(text) ?? [];
  const fault = reason === undefined ? 'It cannot be read.' : plainOf(reason);
  return {...base, kind: (kind ?? 'skill') as InboxItem['kind'], targets: [], text, sessions: [], fault};
}

function plainOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.sort();
}

async function readSkill(source: string, {home}: InboxPlaces): Promise<FoundItem> {
  const name = basename(source);
  const file = join(source, 'SKILL.md');
  const base = {
    ...{id: `skill:${name}`, kind: 'skill' as const, targets: [join(home, '.gemini', 'skills', name)], source},
    written: await timeOf(source),
  };
  try {
    const text = await readText(file, {limit: MOST_BYTES});
    const fault = await findSkillFault(source, name, text);
    return {...base, text, sessions: sessionsIn(text), ...(fault === undefined ? {} : {fault})};
  } catch (error) {
    return {...base, text: '', sessions: [], fault: messageOf(error)};
  }
}

async function readPatch(
  kind: 'skill-patch' | 'memory-patch',
  source: string,
  places: InboxPlaces,
  scope: PatchBase = 'skills',
): Promise<FoundItem> {
  const id = kind === 'skill-patch' ? `patch:${basename(source, '.patch')}` : `${scope}:${basename(source, '.patch')}`;
  const base = {id, kind, source, written: await timeOf(source)};
  try {
    const text = await readText(source, {limit: MOST_BYTES});
    const planned = await planPatch(text, scope, places);
    const targets = planned.changes.map(({path}) => path);
    const fault = planned.fault === undefined ? {} : {fault: planned.fault};
    return {...base, text, targets, sessions: sessionsIn(text), ...fault};
  } catch (error) {
    return {...base, text: '', targets: [], sessions: [], fault: messageOf(error)};
  }
}

async function timeOf(path: string): Promise<string> {
  return (await lstat(path)).mtime.toISOString();
}

/** The line `sessions: <id>, <id>` near the beginning of a proposal. */
function sessionsIn(text: string): readonly string[] {
  const head = text.split('\n').slice(0, 20).join('\n');
  const [, list = ''] = /^[#\s]*sessions:\s*(.+)$/im.exec(head) ?? [];
  return list.split(',').flatMap((one) => one.trim().match(/^[\w-]+$/)?.[0] ?? []);
}
