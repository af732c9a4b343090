import {randomBytes} from 'node:crypto';
import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, isKernelError} from '@gemini-kernel/kernel';
import {ifMissing} from './if-missing.js';

/** What another process may ask of the owner of a queue. */
export interface Request {
  readonly method: 'cancel' | 'retry' | 'set';
  readonly argument?: unknown;
}

type Answer = {readonly value: unknown} | {readonly error: {readonly code: string; readonly message: string}};

const FOLDER = 'requests';
const ASKED = '.asked.json';
const ANSWERED = '.answered.json';
const PAUSE_MS = 50;
/** The owner looks several times a second. */
const PATIENCE_MS = 10_000;

/**
 * Asks the process that owns the queue of a folder. Gives undefined when it does not answer: it may have ended. A
 * request that no one took is taken back.
 */
export async function askOwner(folder: string, request: Request): Promise<{readonly value: unknown} | undefined> {
  const place = join(folder, FOLDER);
  await makePrivateFolder(place);
  const id = randomBytes(12).toString('hex');
  const [asked, answered] = [join(place, id + ASKED), join(place, id + ANSWERED)];
  await writeAtomically(asked, JSON.stringify(request), {durable: false});
  try {
    for (const start = Date.now(); Date.now() - start < PATIENCE_MS; await setTimeout(PAUSE_MS)) {
      const text = await readText(answered).catch(ifMissing);
      if (text === undefined) continue;
      const answer = JSON.parse(text) as Answer;
      if ('error' in answer) throw new KernelError(answer.error.code, answer.error.message);
      return answer;
    }
    return undefined;
  } finally {
    await rm(asked, {force: true});
    await rm(answered, {force: true});
  }
}

/** Answers what other processes ask, once. */
export async function answerRequests(folder: string, act: (request: Request) => Promise<unknown>): Promise<void> {
  const place = join(folder, FOLDER);
  const names = await readdir(place).catch(ifMissing);
  for (const name of names ?? []) {
    if (!name.endsWith(ASKED)) continue;
    const text = await readText(join(place, name)).catch(ifMissing);
    if (text === undefined) continue;
    // Taken before it is done: it is not done twice.
    await rm(join(place, name), {force: true});
    const answer = await answerTo(text, act);
    const file = join(place, name.slice(0, -ASKED.length) + ANSWERED);
    await writeAtomically(file, JSON.stringify(answer), {durable: false});
  }
}

async function answerTo(text: string, act: (request: Request) => Promise<unknown>): Promise<Answer> {
  try {
    return {value: (await act(JSON.parse(text) as Request)) ?? null};
  } catch (error) {
    if (error instanceof SyntaxError) return {error: {code: 'QUEUE_TASK_INVALID', message: 'The request is no JSON.'}};
    if (!isKernelError(error)) throw error;
    return {error: {code: error.code, message: error.message}};
  }
}
