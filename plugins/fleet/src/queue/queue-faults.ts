import {KernelError} from '@gemini-kernel/kernel';

interface More {
  readonly hint: string;
  readonly cause?: unknown;
}

/** For an engine at whose address is no queue: the sentence says so. */
export function queueAbsent(sentence: string, more: More = {hint: 'Begin one with gemini fleet run.'}): KernelError {
  return new KernelError('QUEUE_ABSENT', sentence, more);
}

/** For an engine that cannot keep what was said: the sentence says why. */
export function queueUnwritable(sentence: string, more: More): KernelError {
  return new KernelError('QUEUE_UNWRITABLE', sentence, more);
}
