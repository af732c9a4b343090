import {readFile} from 'node:fs/promises';

/** What a reader of a page does, one after the other. */
export type DocStep = {readonly line: number} & (
  | {readonly kind: 'file'; readonly path: string; readonly text: string}
  | {readonly kind: 'command'; readonly command: string; readonly output: string}
);

/**
 * The files (`ts file=src/a.ts`) and commands (`console`, each behind `$ ` with its output below) of a markdown page,
 * in order.
 */
export async function readSteps(path: string): Promise<readonly DocStep[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const steps: DocStep[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const fence = /^```(\w+)(?: file=(\S+))?$/.exec(lines[start] ?? '');
    if (!fence) continue;
    const end = lines.indexOf('```', start);
    if (end < 0) throw new Error(`The fence of line ${start + 1} in ${path} is never closed.`);
    const body = lines.slice(start + 1, end);
    const [, language, file] = fence;
    if (file) steps.push({kind: 'file', path: file, text: `${body.join('\n')}\n`, line: start + 1});
    else if (language === 'console') steps.push(...readCommands(body, start + 2));
    start = end;
  }
  return steps;
}

function readCommands(body: readonly string[], first: number): readonly DocStep[] {
  const starts = body.flatMap((text, index) => (text.startsWith('$ ') ? [index] : []));
  return starts.map((start, index) => ({
    kind: 'command',
    command: (body[start] ?? '').slice(2),
    output: body
      .slice(start + 1, starts[index + 1])
      .map((text) => `${text}\n`)
      .join(''),
    line: first + start,
  }));
}

/** The files of a page, and each line of its scripts (`sh`), in order. */
export async function readScripts(path: string): Promise<readonly DocStep[]> {
  const text = await readFile(path, 'utf8');
  const blocks = text.matchAll(/^```(\w+)(?: file=(\S+))?\n([^]*?)^```$/gm);
  return [...blocks].flatMap(([, language, file, body = ''], line): readonly DocStep[] => {
    if (file !== undefined) return [{kind: 'file', path: file, text: body, line}];
    const commands = language === 'sh' ? body.trim().split('\n') : [];
    return commands.map((command) => ({kind: 'command', command, output: '...\n', line}));
  });
}

/** Whether output is what a page shows; a line `...` stands for any lines, `...` within a line for any text. */
export function matches(shown: string, output: string): boolean {
  const source = shown
    .split('\n')
    .slice(0, -1)
    .map((line) =>
      line === '...'
        ? '(?:.*\\n)*?'
        : `${line
            .split('...')
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*')}\\n`,
    )
    .join('');
  return new RegExp(`^${source}$`).test(output === '' || output.endsWith('\n') ? output : `${output}\n`);
}
