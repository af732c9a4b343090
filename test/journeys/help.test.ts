import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini} from '../helpers/run-gemini.js';

interface Entry {
  readonly name: string;
  readonly manifest: {
    readonly commands: Readonly<
      Record<
        string,
        {readonly summary?: string; readonly flags?: Readonly<Record<string, {readonly hidden?: boolean}>>}
      >
    >;
  };
}

const entries = JSON.parse(await readFile(join(checkout, 'bin', 'dist', 'commands.json'), 'utf8')) as readonly Entry[];
const commands = entries.flatMap(({manifest}) => Object.entries(manifest.commands));
const ownCommands = entries
  .filter(({name}) => name.startsWith('@gemini-kernel/'))
  .flatMap(({manifest}) => Object.entries(manifest.commands));
const topics = [
  ...new Set(
    commands
      .map(([id]) => id.split(':'))
      .filter(({length}) => length > 1)
      .map(([topic = '']) => topic),
  ),
];
/**
 * Lines that start both ways and must come out the same: the fast start of this program, and oclif finding everything
 * on its own.
 */
const lines = [
  ['--help'],
  ...topics.map((topic) => [topic, '--help']),
  ...commands.map(([id]) => [...id.split(':'), '--help']),
  ['directory', 'show'],
  ['tools', 'list'],
  ['tools', 'describe', 'read_file'],
  ['settings', 'get', 'context.fileName'],
  ['directory', 'show', '--no-such-flag'],
  ['directory', 'show', '--no-such-flag', '--json'],
  ['directory', 'add'],
  ['no-such-command'],
];

/** In the short form, the help of every third command is compared. */
const compared = lines.filter(
  (words, index) => process.env['FUZZ_RUNS'] || words.length < 3 || !words.includes('--help') || index % 3 === 0,
);

const shared = await makeFolder();
afterAll(() => shared[Symbol.asyncDispose]());

function start(words: readonly string[], {path}: Folder, variables: Readonly<Record<string, string>> = {}) {
  return runGemini(words, {cwd: path, home: path, variables});
}

const started = new Map<string, ReturnType<typeof start>>();

/** What the fast start prints as help, asked for once. */
function startOnce(words: readonly string[]): ReturnType<typeof start> {
  const line = words.join(' ');
  const run = started.get(line) ?? start(words, shared);
  started.set(line, run);
  return run;
}

async function startBothWays(words: readonly string[]) {
  const stock = {GEMINI_STOCK_OCLIF: '1'};
  if (words.includes('--help')) return await Promise.all([startOnce(words), start(words, shared, stock)]);
  await using folder = await makeFolder();
  return await Promise.all([start(words, folder), start(words, folder, stock)]);
}

test.concurrent.each(compared.map((words) => [words.join(' '), words] as const))(
  'gemini %s prints the same bytes when oclif finds everything on its own [cli.stock-same]',
  async (_, words) => {
    const [own, stock] = await startBothWays(words);
    expect(own).toEqual(stock);
    if (words.includes('--help')) expect(own).toMatchObject({code: 0, stderr: ''});
  },
);

test.concurrent.each(ownCommands)(
  'gemini %s --help says what it does and names every flag [cli.help]',
  async (id, {summary, flags = {}}) => {
    const {code, stdout, stderr} = await startOnce([...id.split(':'), '--help']);
    const missing = Object.entries(flags)
      .filter(([name, {hidden}]) => !hidden && !stdout.includes(`--${name}`))
      .map(([name]) => name);
    expect({
      code,
      stderr,
      missing,
      summary: stdout.replaceAll(/\s+/g, ' ').includes((summary ?? '').replaceAll(/\s+/g, ' ')),
    }).toEqual({code: 0, stderr: '', missing: [], summary: true});
  },
);
