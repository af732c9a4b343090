import {isAbsolute, join, resolve} from 'node:path';
import {appendPrivateFile, makePrivateFolder, readRegular} from '@gemini-kernel/files';
import type {FileState, PathState} from './file-state.js';
import {lineOf, objectOf, textOf, type Loose} from './records.js';
import {MOST_BYTES} from './session-bytes.js';
import {passOver} from './system-code.js';

/** What one call did to files, as far as it is known. */
export interface CheckpointRecord {
  readonly id: string;
  readonly tool: string;
  readonly time: string;
  readonly prompt?: string;
  readonly before: readonly PathState[];
  /** Absent when the program ended before the call did. */
  readonly after?: readonly PathState[];
  /** Sentences about what was not saved. */
  readonly gaps: readonly string[];
}

/** Where a session's checkpoints are: the log, and the contents beside it. */
export function checkpointsOf(folder: string): {
  readonly folder: string;
  readonly log: string;
  readonly objects: string;
} {
  const own = join(folder, 'checkpoints');
  return {folder: own, log: join(own, 'log.jsonl'), objects: join(own, 'objects')};
}

/** Writes a line: a call that is about to run, or its result. Starts a new line after a truncated one. */
export async function appendCheckpoint(
  folder: string,
  record: Partial<CheckpointRecord> & Pick<CheckpointRecord, 'id'>,
): Promise<void> {
  const place = checkpointsOf(folder);
  await makePrivateFolder(place.folder);
  await appendPrivateFile(place.log, `\n${lineOf(record)}`);
}

/** The checkpoints of a session, oldest first; unreadable lines are skipped. */
export async function readCheckpoints(folder: string): Promise<readonly CheckpointRecord[]> {
  const reading = readRegular(checkpointsOf(folder).log, {limit: MOST_BYTES});
  const text = (await reading.catch((error: unknown) => passOver(error, 'ENOENT')))?.toString('utf8') ?? '';
  const records = new Map<string, CheckpointRecord>();
  for (const line of text.split('\n')) {
    const said = parse(line);
    const id = textOf(said?.['id']);
    if (!said || id === undefined) continue;
    records.set(id, updateRecord(records.get(id) ?? {id, ...UNSAID}, said));
  }
  return [...records.values()];
}

const UNSAID = {tool: '', time: '', before: [], gaps: []};

/** A record as its next line changes it: the last line alone says what the call did. */
function updateRecord(known: CheckpointRecord, said: Loose): CheckpointRecord {
  const prompt = textOf(said['prompt']) ?? known.prompt;
  const after = statesOf(said['after']);
  return {
    id: known.id,
    tool: textOf(said['tool']) ?? known.tool,
    time: textOf(said['time']) ?? known.time,
    ...(prompt === undefined ? {} : {prompt}),
    before: statesOf(said['before']) ?? known.before,
    ...(after ? {after} : {}),
    gaps: textsOf(said['gaps']) ?? known.gaps,
  };
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

function parse(line: string): Loose | undefined {
  if (line === '') return undefined;
  try {
    return objectOf(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function statesOf(value: unknown): readonly PathState[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .map(objectOf)
    .flatMap((one) =>
      one && typeof one['path'] === 'string' ? [stateAt(one['path'], objectOf(one['state']) ?? {})] : [],
    );
}

/** This program never writes a path that is not normalised, so such a path is not followed. */
function stateAt(path: string, state: Loose): PathState {
  const isPlain = isAbsolute(path) && resolve(path) === path && !path.includes('\0');
  return {
    path,
    state: isPlain
      ? stateIn(state)
      : {kind: 'unknown', reason: 'its path in the record was not written by this program'},
  };
}

function stateIn({kind, hash, mode, target, reason}: Loose): FileState {
  if (kind === 'absent') return {kind};
  if (kind === 'file' && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
    return {kind, hash, mode: typeof mode === 'number' ? mode : 0o644};
  if (kind === 'link' && typeof target === 'string') return {kind, target};
  return {kind: 'unknown', reason: textOf(reason) ?? 'its record cannot be read'};
}
