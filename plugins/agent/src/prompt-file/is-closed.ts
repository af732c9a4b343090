import {KernelError} from '@gemini-kernel/kernel';

const FILE_FLAG = /^(?:-f|--prompt-file(?:=|$))/;
const ALONE: readonly string[] = ['-f', '--prompt-file'];

/** Whether everything after the prompt file follows `--`, so that it cannot be taken for a flag. */
export function isClosed(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => FILE_FLAG.test(word));
  const next = argv[at + (ALONE.includes(argv[at] ?? '') ? 2 : 1)];
  return at >= 0 && (next === undefined || next === '--');
}

/** The error of a line that is not closed. */
export function openLine(path: string): KernelError {
  const hint = 'Put flags of gemini first, then -f <path> or --prompt-file <path>, then the arguments of the file.';
  return new KernelError(
    'PROMPT_ARGUMENTS_WRONG',
    `Cannot distinguish the arguments of ${path} from flags of gemini.`,
    {
      hint,
    },
  );
}
