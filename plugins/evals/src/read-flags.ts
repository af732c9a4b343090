import {KernelError} from '@gemini-kernel/kernel';

/** Names between commas. Throws KernelError EVAL_FLAG_INVALID for an empty one. */
export function readList(flag: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return [...new Set(names)];
  throw new KernelError('EVAL_FLAG_INVALID', `--${flag} has an empty name in ${JSON.stringify(text)}.`, {
    hint: 'Pass names with commas between them.',
  });
}

/** The file of `--output`: its name says what it holds, so that it is known from the name of a run. */
export function checkOutput(file: string): string {
  if (file.endsWith('.jsonl')) return file;
  throw new KernelError(
    'EVAL_FLAG_INVALID',
    `--output names ${JSON.stringify(file)}, which does not end with .jsonl.`,
    {
      hint: 'Results are JSON lines: pass a name such as results.jsonl.',
    },
  );
}
