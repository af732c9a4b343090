/** Of the command that takes prompts; the path stands in the same word or in the next. */
const FILE_FLAG = /^(?:-f|--prompt-file(?:=|$))/;
const ALONE: readonly string[] = ['-f', '--prompt-file'];

/**
 * The line as it counts: behind a prompt file come its arguments, as behind `--`. So a script that begins with
 * `#!/usr/bin/env -S gemini --prompt-file` gets every word that it is called with, and none of them is a flag of ours.
 */
export function endFlagsAtScript(argv: readonly string[], command: string | undefined): readonly string[] {
  const firstFlag = argv.findIndex((word) => word.startsWith('-'));
  const words = argv.slice(0, Math.max(firstFlag, 0));
  if (firstFlag < 0 || words.length > 1 || (words.length === 1 && words[0] !== command)) return argv;
  const end = argv.indexOf('--');
  const at = argv.findIndex((word, index) => (end < 0 || index < end) && FILE_FLAG.test(word));
  const cut = at + (ALONE.includes(argv[at] ?? '') ? 2 : 1);
  return at < 0 || cut >= argv.length || argv[cut] === '--' ? argv : [...argv.slice(0, cut), '--', ...argv.slice(cut)];
}
