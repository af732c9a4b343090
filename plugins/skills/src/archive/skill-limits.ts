import {SourceLimits} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';

export const MOST_FILES = 2000;
export const MOST_BYTES = 50 * 1024 * 1024;

/** The limits of a source of skills. What exceeds them is a KernelError SKILL_INVALID. */
export function skillLimits(source: string): SourceLimits {
  return new SourceLimits({
    source,
    files: MOST_FILES,
    bytes: MOST_BYTES,
    refused: (sentence) =>
      new KernelError('SKILL_INVALID', sentence, {
        hint: 'Nothing was written. Ask its author to pack it with `gemini skills pack`.',
      }),
  });
}
