import {dirname} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {QueueEngine} from '../contract.js';
import {lineOf} from './result.js';

const PIECE = 500;

/** Writes a line for each task, in the order of the plan. Throws KernelError FLEET_UNWRITABLE. */
export async function writeResults(
  {engine, address}: {readonly engine: QueueEngine; readonly address: string},
  file: string,
): Promise<void> {
  const pieces: Buffer[] = [];
  for (let after: string | undefined; ;) {
    const items = await engine.list(address, {most: PIECE, ...(after === undefined ? {} : {after})});
    pieces.push(Buffer.from(items.map((item) => `${JSON.stringify(lineOf(item))}\n`).join('')));
    after = items.at(-1)?.task.id;
    if (items.length < PIECE) break;
  }
  try {
    await makePrivateFolder(dirname(file));
    await writeAtomically(file, pieces);
  } catch (cause) {
    throw new KernelError('FLEET_UNWRITABLE', `Cannot write the results to ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'They are in the queue: gemini fleet results writes them with --output.',
    });
  }
}
