import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Comparison} from '../compare/compare-runs.js';
import type {Run} from '../results/result.js';
import {renderPage} from './render-page.js';

/** Writes the page of a run. Throws KernelError EVAL_RUN_UNWRITABLE. */
export async function writePage(file: string, run: Run, comparison?: Comparison): Promise<void> {
  await writeAtomically(file, renderPage(run, comparison)).catch((cause: unknown) => {
    throw new KernelError('EVAL_RUN_UNWRITABLE', `Cannot write the page ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'Name a file in a folder that can be written.',
    });
  });
}
