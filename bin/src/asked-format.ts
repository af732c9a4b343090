type Format = 'json' | 'stream-json';

/** The format for programs that a command line asks for, right or wrong as it may be otherwise. */
export function askedFormat(argv: readonly string[]): Format | undefined {
  const end = argv.indexOf('--');
  const words = argv.slice(0, end < 0 ? undefined : end);
  if (words.includes('--json')) return 'json';
  const asked = /(?:^|\n)(?:-o[=\n]?|--output-format[=\n])(stream-json|json)(?:\n|$)/.exec(words.join('\n'))?.[1];
  return asked === 'json' || asked === 'stream-json' ? asked : undefined;
}

/** A failure as programs read it: one object, or the last line of a stream. */
export function writeFailure(failure: {readonly error: object}, format: Format): string {
  if (format === 'json') return `${JSON.stringify(failure, null, 2)}\n`;
  const timestamp = new Date().toISOString();
  return `${JSON.stringify({type: 'result', timestamp, status: 'error', outcome: 'failed', ...failure})}\n`;
}
