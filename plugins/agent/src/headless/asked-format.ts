import type {Format} from './run-headless.js';

/** The output format that a command line asks for, right or wrong as it may be otherwise. */
export function askedFormat(argv: readonly string[]): Exclude<Format, 'text'> | undefined {
  if (argv.includes('--json')) return 'json';
  const line = argv.join('\n');
  const asked = /(?:^|\n)(?:-o\n?|--output-format[=\n])(stream-json|json)(?:\n|$)/.exec(line)?.[1];
  return asked === 'json' || asked === 'stream-json' ? asked : undefined;
}
