import {KernelError} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {CheckpointRecord} from './checkpoint-log.js';
import type {Checkpoint, Prompt, Restored} from './contract.js';
import {isSameState} from './file-state.js';
import type {FilePlan} from './restore-files.js';
import {isPrompt, textOfEntry} from './session-texts.js';

/** The prompts of a conversation, each with the files that calls have changed since. */
export function listPrompts(entries: readonly Entry[], records: readonly CheckpointRecord[]): readonly Prompt[] {
  return entries.filter(isPrompt).map((entry, index) => ({
    id: entry.id,
    number: index + 1,
    time: entry.time,
    text: textOfEntry(entry),
    files: new Set(recordsSince(entries, records, entry.id).flatMap(({before}) => before.map(({path}) => path))).size,
  }));
}

/** The prompt that a person names, by number or id. Throws KernelError SESSION_PROMPT_UNKNOWN. */
export function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const found =
    prompts.find(({id}) => id === name) ??
    (/^\d+$/.test(name) ? prompts[Number(name) - 1] : name === 'last' ? prompts.at(-1) : undefined);
  if (found) return found;
  const range =
    prompts.length === 0 ? 'this session has no prompts yet' : `this session has prompts 1 to ${prompts.length}`;
  throw new KernelError('SESSION_PROMPT_UNKNOWN', `There is no prompt ${name}: ${range}.`, {
    hint: 'Run `gemini sessions rewind` without a prompt to list them.',
  });
}

/** The index of the first checkpoint of a prompt or of a later one. */
export function recordsSince(
  entries: readonly Entry[],
  records: readonly CheckpointRecord[],
  prompt: string,
): readonly CheckpointRecord[] {
  const at = entries.findIndex(({id}) => id === prompt);
  const later = new Set(entries.slice(at).map(({id}) => id));
  const first = records.findIndex((record) => record.prompt !== undefined && later.has(record.prompt));
  return first < 0 ? [] : records.slice(first);
}

/** A checkpoint for lists. */
export function showCheckpoint(
  {id, tool, time, prompt, before, after, gaps}: CheckpointRecord,
  index: number,
): Checkpoint {
  const files = before.filter(({state}, at) => !after?.[at] || !isSameState(state, after[at].state));
  const lost = files.flatMap(({path, state}) =>
    state.kind === 'unknown' ? [`${path} cannot be restored: ${state.reason}.`] : [],
  );
  return {
    id,
    number: index + 1,
    time,
    tool,
    ...(prompt === undefined ? {} : {prompt}),
    files: files.map(({path}) => path),
    gaps: [...gaps, ...lost],
  };
}

/** The index of the checkpoint that a person names. Throws KernelError CHECKPOINT_UNKNOWN. */
export function findCheckpoint(records: readonly CheckpointRecord[], name: string): number {
  const byId = records.findIndex(({id}) => id === name);
  const index = byId >= 0 ? byId : /^\d+$/.test(name) ? Number(name) - 1 : -1;
  if (records[index]) return index;
  throw new KernelError('CHECKPOINT_UNKNOWN', `There is no checkpoint ${name} in this session.`, {
    hint: 'Run `gemini sessions restore` without a checkpoint to list them.',
  });
}

/** Throws KernelError CHECKPOINT_CONFLICT when it would overwrite a file that someone else has changed. */
export function refuseConflicts(plans: readonly FilePlan[], force: boolean): void {
  const foreign = plans
    .filter(
      ({isForeign, now, target}) =>
        isForeign && target.kind !== 'unknown' && target.kind !== 'absent' && !isSameState(now, target),
    )
    .map(({path}) => path);
  if (force || foreign.length === 0) return;
  throw new KernelError(
    'CHECKPOINT_CONFLICT',
    `${foreign.length === 1 ? 'A file has' : 'Files have'} been changed by someone else since: ` +
      `${foreign.join(', ')}. Nothing was restored.`,
    {
      hint: 'Use --force to overwrite, or restore only the conversation with --what conversation.',
      data: {files: foreign},
    },
  );
}

/** Whether some file was not restored. */
export function isPartial({changed, guarded, lost}: Restored): boolean {
  return changed.length + guarded.length + lost.length > 0;
}

/** The combined result of two restores, of which the second was about what the first had left. */
export function joinRestored(first: Restored, second: Restored): Restored {
  return {
    restored: [...first.restored, ...second.restored],
    removed: [...first.removed, ...second.removed],
    changed: second.changed,
    guarded: second.guarded,
    lost: second.lost,
  };
}

/** The result of a restore, in sentences. */
export function describeRestored({restored, removed, changed, guarded, lost}: Restored): readonly string[] {
  return [
    ...(restored.length > 0 ? [`Restored: ${restored.join(', ')}.`] : []),
    ...(removed.length > 0 ? [`Removed, because the agent created them: ${removed.join(', ')}.`] : []),
    ...(changed.length > 0 ? [`Not changed, because someone else has changed them since: ${changed.join(', ')}.`] : []),
    ...guarded.map(({path, reason}) => `Not changed without your approval: ${path} (${reason.replace(/\.$/, '')}).`),
    ...lost.map(({path, reason}) => `Not restored: ${path} (${reason}).`),
    ...(restored.length + removed.length + changed.length + guarded.length + lost.length === 0
      ? ['No files need to be restored.']
      : []),
  ];
}
