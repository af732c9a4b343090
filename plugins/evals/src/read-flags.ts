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

const AMOUNT = /^(\d+(?:\.\d+)?) ?(k|M|usd)?$/i;
const FACTORS: Readonly<Record<string, number>> = {k: 1000, m: 1_000_000, usd: 1};

/** An amount such as `20M` tokens or `50usd`. Throws KernelError EVAL_FLAG_INVALID. */
export function readAmount(flag: 'budget' | 'tokens', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = AMOUNT.exec(text) ?? [];
  const isFit = flag === 'budget' ? ['', 'usd'].includes(unit.toLowerCase()) : unit.toLowerCase() !== 'usd';
  const amount = Number(digits) * (FACTORS[unit.toLowerCase()] ?? 1);
  if (isFit && amount > 0) return amount;
  throw new KernelError('EVAL_FLAG_INVALID', `--${flag} is ${JSON.stringify(text)}, which is no such amount.`, {
    hint: flag === 'budget' ? 'Pass US dollars, such as 5usd or 0.5.' : 'Pass a number of tokens, such as 500k or 20M.',
  });
}
