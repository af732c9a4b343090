import {createHash} from 'node:crypto';
import {join} from 'node:path';
import type {CommandHost, RunEnd} from '@gemini-kernel/command';
import {appendPrivateFile} from '@gemini-kernel/files';
import {rm, stat} from 'node:fs/promises';
import {checkAll, type Checked, type CheckPlace} from '../checks/check-all.js';
import {RECORDED, type Eval} from '../format/eval.js';
import {keyOf, type Result} from '../results/result.js';
import {variablesOf, type Variant} from '../variant/variant.js';
import {conversationOfCall} from './conversation-of-call.js';
import type {Conversation} from './conversation.js';
import {prepareProject, type Prepared} from './prepare-project.js';
import {readConversation, readEvents} from './read-conversation.js';
import {keepRecording, lendRecording} from './recordings.js';
import {wordsOf} from './words-of.js';

/** One repetition that is to be run. */
export interface Repetition {
  readonly eval: Eval;
  readonly model: string;
  readonly repetition: number;
}

export interface RunPlace extends Omit<CheckPlace, 'model'> {
  readonly host: Pick<CommandHost, 'run'>;
  readonly temporary: string;
  /** Where conversations are kept. */
  readonly conversations: string;
  /** Whether the answers of the model are kept as the recording of this evaluation. */
  records(one: Eval): boolean;
  /** What the run has in the place of a component. */
  readonly variant?: Variant;
}

/** How long a run has to end after its own limit. */
const GRACE_MS = 10_000;
/** Exit codes that say nothing about the model: no key, input, sandbox, settings, disk, trust, or the service. */
const UNASKED = new Set([41, 42, 44, 52, 54, 55, 60, 61, 62]);

/** Runs one repetition in a project of its own, and says how it ended. Throws only the reason of the signal. */
export async function runRepetition(one: Repetition, place: RunPlace): Promise<Result> {
  const prepared = await prepareProject(one.eval, place.temporary);
  try {
    const started = performance.now();
    const end = await start(one, prepared, place);
    const seconds = (performance.now() - started) / 1000;
    if ('fault' in end) return resultOf(one, {seconds, faults: [end.fault], status: 'error'});
    const {stdout, made} = read(one, end);
    const conversation = await keepConversation(one, stdout, place.conversations);
    if (made === undefined)
      return resultOf(one, {seconds, conversation, ...unfinished(one.eval, end), outcome: 'unfinished'});
    const checked = await check(one, {made, prepared}, place);
    const status = checked.error === undefined ? (checked.faults.length === 0 ? 'passed' : 'failed') : 'error';
    const faults = checked.error === undefined ? checked.faults : [checked.error];
    if (status === 'passed' && place.records(one.eval))
      await keepRecording(one.eval, prepared, join(prepared.folder, 'recorded.jsonl'));
    const varied = place.variant === undefined ? {} : {varied: await countUses(prepared)};
    return resultOf(one, {seconds, conversation, faults, status, ...countsOf(made), ...varied});
  } finally {
    await prepared.remove();
  }
}

async function start(
  {eval: one, model}: Repetition,
  prepared: Prepared,
  {host, signal, given, records, variant}: RunPlace,
): Promise<RunEnd | {readonly fault: string}> {
  const lent = model === RECORDED ? await lendRecording(one, prepared) : undefined;
  if (lent && 'fault' in lent) return lent;
  const record = records(one) ? {record: join(prepared.folder, 'recorded.jsonl')} : {};
  const words = wordsOf(one, {model, given, ...record, ...(lent ? {recording: lent.file} : {})});
  return host.run(words, {
    directory: prepared.project,
    show: false,
    // The copy is of a folder that is trusted.
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variablesOf(variant, usesOf(prepared))},
    deadline: one.limits.seconds * 1000 + GRACE_MS,
    signal,
  });
}

/** Beside the project, where its run notes how often the variant took the place of the component. */
function usesOf({folder}: Prepared): string {
  return join(folder, 'variant-uses');
}

async function countUses(prepared: Prepared): Promise<number> {
  return stat(usesOf(prepared)).then(
    ({size}) => size,
    () => 0,
  );
}

function read(
  {eval: {task}}: Repetition,
  {stdout, code}: RunEnd,
): {readonly stdout: string; readonly made: Conversation | undefined} {
  if (task.kind === 'prompt') return {stdout, made: readConversation(readEvents(stdout))};
  const events = conversationOfCall(task, stdout, code);
  if (events === undefined) return {stdout, made: undefined};
  return {stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''), made: readConversation(events)};
}

async function check(
  {eval: one, model}: Repetition,
  run: {readonly made: Conversation; readonly prepared: Prepared},
  place: RunPlace,
): Promise<Checked> {
  const {error} = run.made;
  if (error !== undefined && one.task.kind === 'prompt' && UNASKED.has(error.exit))
    return {faults: [], error: `The run could not be made: ${error.code}: ${error.message}`};
  return checkAll(one, run, {...place, model});
}

function unfinished({limits}: Eval, {isLate, stderr}: RunEnd): Pick<Result, 'faults' | 'status'> {
  if (isLate) return {status: 'failed', faults: [`The run did not end within ${limits.seconds} seconds.`]};
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return {status: 'error', faults: [`The run printed no result: ${reason === '' ? 'it gave no reason.' : reason}`]};
}

/** Keeps the events of a run in a file that its name in the results finds again. Gives the name. */
export async function keepConversation(one: Repetition, stdout: string, folder: string): Promise<string> {
  const key = keyOf({eval: one.eval.name, model: one.model, repetition: one.repetition});
  const name = `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.jsonl`;
  // An earlier one is that of an error, which is run again.
  await rm(join(folder, name), {force: true});
  await appendPrivateFile(join(folder, name), stdout);
  return name;
}

function countsOf(made: Conversation): Partial<Result> {
  const {outcome, calls, refused, turns, tokens, cost} = made;
  const counts = {outcome, calls: calls.length, refused: refused.length, turns, tokens};
  return {...counts, ...(cost === undefined ? {} : {cost})};
}

function resultOf(
  {eval: {name, digest}, model, repetition}: Repetition,
  {seconds, ...known}: Partial<Result> & Pick<Result, 'status' | 'faults' | 'seconds'>,
): Result {
  return {
    ...{kind: 'result', eval: name, model, repetition, digest, outcome: 'unfinished', calls: 0, refused: 0},
    ...{turns: 0, tokens: 0, conversation: '', seconds: Number(seconds.toFixed(3))},
    ...known,
  };
}
