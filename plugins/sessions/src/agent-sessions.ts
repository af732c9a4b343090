import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isKernelError} from '@gemini-kernel/kernel';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import type {AgentSession} from './contract.js';
import {textOf} from './records.js';
import {isSafeId} from './session-name.js';
import {chatsOf, readConversation} from './session-store.js';
import {passOver} from './system-code.js';

/** Agents call each other no deeper. */
const MOST_DEPTH = 5;
/** More of one caller are not read. */
const MOST = 200;

/** The conversations of the agents that a session called, and of those that they called: in the order they began. */
export async function readAgentSessions(
  folder: ProjectFolder | undefined,
  caller: string,
  depth = 1,
): Promise<readonly AgentSession[]> {
  if (!folder || !isSafeId(caller) || depth > MOST_DEPTH) return [];
  const place = join(chatsOf(folder), caller);
  const names = await readdir(place).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR') ?? []);
  const named = names.filter((name) => /^[\w-]+\.jsonl$/.test(name)).map((name) => join(place, name));
  const sizes = await Promise.all(named.map(sizeOf));
  // A process that was killed as an agent began leaves an empty file: the agent has done nothing.
  const files = named.filter((_, at) => sizes[at] !== 0).slice(0, MOST);
  const read = await Promise.all(files.map((file) => readOne(file, {caller, depth})));
  const sorted = read.toSorted((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0));
  const all: AgentSession[] = [];
  for (const one of sorted) all.push(one, ...(await readAgentSessions(folder, one.id, depth + 1)));
  return all;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await lstat(file).catch((error: unknown) => passOver(error, 'ENOENT')))?.size;
}

/** A file that cannot be read says why, and does not hide the others. */
async function readOne(file: string, above: Pick<AgentSession, 'caller' | 'depth'>): Promise<AgentSession> {
  try {
    const {metadata, entries, notice} = await readConversation(file);
    return {
      ...above,
      id: textOf(metadata['sessionId']) ?? '',
      agent: textOf(metadata['agent']) ?? 'unknown',
      started: textOf(metadata['startTime']) ?? '',
      file,
      entries,
      ...(notice === undefined ? {} : {notice}),
    };
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return {...above, id: '', agent: 'unknown', started: '', file, entries: [], notice: error.message};
  }
}
