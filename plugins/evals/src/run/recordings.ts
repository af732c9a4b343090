import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {messageOf} from '@gemini-kernel/kernel';
import {RECORDING, type Eval} from '../format/eval.js';
import type {Prepared} from './prepare-project.js';

const LARGEST = 64 * 2 ** 20;
/** Stands in a recording for the folder of the project, which is another one each time. */
const PROJECT = '<the folder of the project>';

/** Writes the recording of an evaluation for one run. Gives its file, or why there is no such recording. */
export async function lendRecording(
  {folder}: Eval,
  prepared: Prepared,
): Promise<{readonly file: string} | {readonly fault: string}> {
  const kept = join(folder, RECORDING);
  const text = await readText(kept, {limit: LARGEST}).catch((error: unknown) => new Error(messageOf(error)));
  if (text instanceof Error) return {fault: `Its recording ${kept} cannot be read: ${text.message}`};
  const file = join(prepared.folder, RECORDING);
  await writeFile(file, text.replaceAll(PROJECT, inJSON(prepared.project)));
  return {file};
}

/** Keeps what a model answered in one run as the recording of its evaluation. */
export async function keepRecording({folder}: Eval, prepared: Prepared, file: string): Promise<void> {
  const text = await readText(file, {limit: LARGEST});
  await writeAtomically(join(folder, RECORDING), text.replaceAll(inJSON(prepared.project), PROJECT));
}

/** A path as it stands inside a text of JSON. */
function inJSON(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
