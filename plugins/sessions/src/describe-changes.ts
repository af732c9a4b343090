import {isAbsolute, relative} from 'node:path';
import type {StructuredPatch} from 'diff';
import type {CheckpointRecord} from './checkpoint-log.js';
import type {FileChange, PromptChanges} from './contract.js';
import {contentOf, isSameState, type FileState, type Snapshots} from './file-state.js';
import type {FilePlan} from './restore-files.js';

/** Larger files are named, and not compared. */
const MOST_BYTES = 1024 * 1024;
/** Of a session with more changes, only the files are counted. */
const MOST_COMPARED = 300;

interface Places {
  readonly store: Snapshots;
  readonly cwd: string;
}

interface Difference {
  readonly path: string;
  readonly from: FileState;
  readonly to: FileState;
}

/** What a restore would do to each file. What it cannot or must not do is a note. */
export async function describeUndo(plans: readonly FilePlan[], places: Places): Promise<readonly FileChange[]> {
  const due = plans.filter(({now, target}) => !isSameState(now, target));
  return Promise.all(
    due.map(async ({path, now, target, isForeign}) => {
      const change = await describe({path, from: now, to: target}, places);
      const note =
        target.kind === 'unknown'
          ? `It cannot be restored: ${target.reason}.`
          : isForeign
            ? 'Someone else has changed it since.'
            : change.note;
      return {...change, ...(note === undefined ? {} : {note})};
    }),
  );
}

/** What the calls of each prompt changed. */
export async function countChanges(
  records: readonly CheckpointRecord[],
  places: Places,
): Promise<readonly PromptChanges[]> {
  const prompts = new Map<string, CheckpointRecord[]>();
  for (const record of records)
    if (record.prompt !== undefined) prompts.set(record.prompt, [...(prompts.get(record.prompt) ?? []), record]);
  let left = MOST_COMPARED;
  const counted: PromptChanges[] = [];
  for (const [prompt, own] of prompts) {
    const differences = differencesOf(own);
    left -= differences.length;
    const changes = left < 0 ? [] : await Promise.all(differences.map((one) => describe(one, places)));
    counted.push({
      prompt,
      files: differences.length,
      added: changes.reduce((sum, {added}) => sum + added, 0),
      removed: changes.reduce((sum, {removed}) => sum + removed, 0),
      isComplete: left >= 0 && changes.every(({note}) => note === undefined),
    });
  }
  return counted;
}

/** Each file before the first and after the last of these calls. */
function differencesOf(records: readonly CheckpointRecord[]): readonly Difference[] {
  const files = new Map<string, {from: FileState; to: FileState}>();
  for (const {before, after = []} of records)
    before.forEach(({path, state}, index) => {
      const to = after[index]?.path === path ? after[index].state : after.find((one) => one.path === path)?.state;
      files.set(path, {from: files.get(path)?.from ?? state, to: to ?? state});
    });
  return [...files].flatMap(([path, states]) => (isSameState(states.from, states.to) ? [] : [{path, ...states}]));
}

async function describe({path, from, to}: Difference, {store, cwd}: Places): Promise<FileChange> {
  const inner = relative(cwd, path);
  const name = inner === '' || inner.startsWith('..') || isAbsolute(inner) ? path : inner;
  const kind = from.kind === 'absent' ? 'created' : to.kind === 'absent' ? 'deleted' : 'changed';
  const [before, after] = await Promise.all([from, to].map((state) => textOf(path, state, store)));
  const bare = {path: name, kind, added: 0, removed: 0, diff: ''} as const;
  if (before === undefined || after === undefined) return {...bare, note: 'Its content cannot be shown.'};
  const {structuredPatch, formatPatch} = await import('diff');
  const patch = structuredPatch(name, name, before, after, '', '', {context: 3});
  return {...bare, ...counts(patch), diff: formatPatch(patch)};
}

function counts({hunks}: StructuredPatch): {readonly added: number; readonly removed: number} {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** Undefined for what is no text, too large, or no longer there. */
async function textOf(path: string, state: FileState, store: Snapshots): Promise<string | undefined> {
  if (state.kind === 'absent') return '';
  if (state.kind === 'link') return `link to ${state.target}\n`;
  if (state.kind !== 'file') return undefined;
  const content = await contentOf(path, state.hash, store);
  if (!content || content.length > MOST_BYTES || content.includes(0)) return undefined;
  return content.toString('utf8');
}
