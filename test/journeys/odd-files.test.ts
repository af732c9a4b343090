import {spawn} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {nodeUnderModes} from '../helpers/node-under-modes.js';
import {makeOddFile, oddKinds, type OddFile} from '../helpers/odd-files.js';
import {checkout} from '../helpers/plugin-root.js';
import {openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';

/** A start takes a fraction of a second; what hangs takes for ever. */
const DEADLINE_MS = 20_000;
const PEAK_KIB = 400 * 1024;
/** Every kind with --long; else those that hung or filled the memory, and one more of each place. */
const isLong = process.env['FUZZ_RUNS'] !== undefined;

interface Case {
  /** Below the project; `~/` is the home folder. */
  readonly path: string;
  readonly argv: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Written beside it, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Several where another part of the program decides whether to stop or to leave it out. */
  readonly exit: number | readonly number[];
  /** Whether the output names the path. */
  readonly isNamed?: boolean;
  /** Kinds that mean something else here, or count as nothing. */
  readonly except?: Readonly<
    Partial<Record<OddFile, {readonly exit: number | readonly number[]; readonly isNamed: boolean}>>
  >;
}

const fine = {exit: 0, isNamed: false};
const show = ['directory', 'show'];
const prompt = ['-p', 'go'];
const find = ['tools', 'call', 'glob', 'pattern=*', '--yes'];
/** As the registry of projects spells a folder that has the name `project`. */
const marked = {'~/.gemini/projects.json': '{"projects": {}}'};

const cases: Readonly<Record<string, Case>> = {
  'settings of the person': {path: '~/.gemini/settings.json', argv: show, exit: 52, isNamed: true},
  'settings of the project': {path: '.gemini/settings.json', argv: show, exit: 52, isNamed: true},
  'settings of the system': {
    path: 'system.json',
    argv: show,
    variables: {GEMINI_CLI_SYSTEM_SETTINGS_PATH: '<project>/system.json'},
    exit: 52,
    isNamed: true,
  },
  'trusted folders': {path: '~/.gemini/trustedFolders.json', argv: ['trust', 'list'], exit: 52, isNamed: true},
  'a policy of the person': {
    path: '~/.gemini/policies/a.toml',
    argv: ['policy', 'check'],
    exit: [1, 52],
    isNamed: true,
  },
  'the lock of plugins': {path: '~/.local/share/gemini/plugins.lock.json', argv: show, exit: [0, 52], isNamed: true},
  'a context file': {path: 'GEMINI.md', argv: prompt, exit: 0, isNamed: true},
  'an import of a context file': {path: 'docs/x.md', argv: prompt, files: {'GEMINI.md': 'See @./docs/x.md'}, ...fine},
  'the context file of the person': {path: '~/.gemini/GEMINI.md', argv: prompt, exit: 0, isNamed: true},
  'variables of the project': {
    path: '.env',
    argv: prompt,
    variables: {GEMINI_API_KEY: ''},
    exit: 0,
    isNamed: true,
    except: {directory: fine, 'dangling link': fine},
  },
  // A search lists a file of that name.
  'a repository': {path: '.git', argv: find, exit: 0},
  'the head of a repository': {path: '.git/HEAD', argv: find, ...fine},
  'ignore rules of git': {
    path: '.gitignore',
    argv: find,
    files: {'.git/HEAD': 'ref: refs/heads/main\n'},
    exit: 0,
    isNamed: true,
    except: {'endless device': fine, 'dangling link': fine, 'loop link': fine},
  },
  'ignore rules': {
    path: '.geminiignore',
    argv: find,
    exit: 0,
    isNamed: true,
    except: {'dangling link': fine, 'loop link': fine},
  },
  'the registry of projects': {path: '~/.gemini/projects.json', argv: ['sessions', 'list'], exit: 0, isNamed: true},
  'the marker of a project': {
    path: '~/.gemini/tmp/project/.project_root',
    argv: ['sessions', 'list'],
    files: marked,
    ...fine,
  },
  'a lock of settings': {
    path: '~/.gemini/settings.json.lock',
    argv: ['settings', 'set', 'ui.theme', 'x', '--scope', 'user'],
    exit: 1,
    isNamed: true,
    except: {unreadable: {exit: 1, isNamed: false}},
  },
  'a system instruction': {
    path: 'system.md',
    argv: prompt,
    variables: {GEMINI_SYSTEM_MD: '<project>/system.md'},
    exit: 42,
    isNamed: true,
  },
  'a schema of answers': {
    path: 'answer.json',
    argv: [...prompt, '--output-schema', 'answer.json'],
    exit: 42,
    isNamed: true,
  },
  'a conversation to start from': {
    path: 'talk.json',
    argv: [...prompt, '--session-file', 'talk.json'],
    exit: 42,
    isNamed: true,
  },
  'responses of a model': {
    path: 'responses.jsonl',
    argv: [...prompt, '--fake-responses', 'responses.jsonl'],
    exit: 42,
    isNamed: true,
  },
};

interface Outcome {
  readonly exit: number | null;
  readonly output: string;
  readonly peakKiB: number;
}

/** Runs the program, as a user for whom modes hold; one that takes longer than the deadline is ended, which shows. */
function run(
  place: AgentPlace,
  argv: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const [program, ...words] = nodeUnderModes();
    const line = [
      ...words,
      '--require',
      join(checkout, 'test', 'bench', 'report-rss.cjs'),
      join(checkout, 'bin', 'gemini.cjs'),
      ...argv,
    ];
    const child = spawn(program, line, {
      cwd: place.project,
      env: isolate(place.home, variables),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    });
    const [output, peak]: [Buffer[], Buffer[]] = [[], []];
    for (const stream of [child.stdio[1], child.stdio[2]]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stdio[3]?.on('data', (chunk: Buffer) => peak.push(chunk));
    child.on('error', reject);
    child.on('close', (exit) =>
      resolve({exit, output: Buffer.concat(output).toString(), peakKiB: Number(Buffer.concat(peak).toString())}),
    );
  });
}

const always: readonly OddFile[] = ['FIFO', 'endless device', 'sparse gigabyte'];
const kindsOf = (index: number): readonly OddFile[] => {
  const others = oddKinds.filter((kind) => !always.includes(kind));
  return isLong ? oddKinds : [...always, others[index % others.length] ?? 'socket'];
};
const isUnix = process.platform !== 'win32';

describe('what is not a file where one is read', () => {
  const table = Object.entries(cases).flatMap(([name, one], index) =>
    kindsOf(index).map((kind) => [kind, name, one] as const),
  );
  (isUnix ? test : test.failing).each(table)(
    '%s as %s: the program ends in time, with little memory, and says so [files.bounded]',
    async (kind, _, {path, argv, variables = {}, files = {}, exit, isNamed, except = {}}) => {
      await using place = await openAgentPlace({script: [says('Fine.'), says('Fine.')]});
      const locate = (name: string): string =>
        name.startsWith('~/') ? join(place.home, name.slice(2)) : join(place.project, name);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(locate(name)), {recursive: true});
        writeFileSync(locate(name), text);
      }
      mkdirSync(dirname(locate(path)), {recursive: true});
      rmSync(locate(path), {force: true});
      const close = await makeOddFile(locate(path), kind);
      const given = Object.entries({GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: place.server.url, ...variables});
      const outcome = await run(
        place,
        argv,
        Object.fromEntries(given.map(([name, value]) => [name, value.replace('<project>', place.project)])),
      );
      await close();
      const expected = except[kind] ?? {exit, isNamed};
      const isSmall = outcome.peakKiB > 0 && outcome.peakKiB < PEAK_KIB;
      const exits = [expected.exit].flat();
      expect({...outcome, isNamed: outcome.output.includes(locate(path)), isSmall}).toMatchObject({
        exit: exits.find((one) => one === outcome.exit) ?? exits[0],
        isSmall: true,
        ...(expected.isNamed === undefined ? {} : {isNamed: expected.isNamed}),
      });
    },
  );
});

const waiting = ['FIFO', 'endless device', 'socket'] as const;
const tools: readonly (readonly [string, readonly string[]])[] = [
  ['read_file', ['file_path=odd']],
  ['read_many_files', ['include=["odd"]']],
  ['grep_search', ['pattern=hello']],
  ['glob', ['pattern=*']],
  ['list_directory', ['dir_path=.']],
  ['write_file', ['file_path=odd', 'content=x']],
  ['replace', ['file_path=odd', 'old_string=a', 'new_string=b']],
];

describe('what is not a file, beside those that are', () => {
  const table = tools.flatMap(([tool, input]) => waiting.map((kind) => [tool, kind, input] as const));
  (isUnix ? test : test.failing).each(table)(
    '%s meets a %s, and ends in time, with little memory [files.bounded]',
    async (tool, kind, input) => {
      await using place = await openAgentPlace({files: {'a.txt': 'hello\n'}});
      const close = await makeOddFile(join(place.project, 'odd'), kind);
      const {exit, peakKiB} = await run(place, ['tools', 'call', tool, ...input, '--yes'], {});
      await close();
      expect([exit === 0 || exit === 1, peakKiB > 0 && peakKiB < PEAK_KIB]).toEqual([true, true]);
    },
  );

  (process.platform === 'linux' ? test : test.failing).each(['endless device', 'sparse gigabyte'] as const)(
    'a search below a folder whose .gitignore is a %s ends in time, and finds what is there [files.bounded]',
    async (kind) => {
      await using place = await openAgentPlace({
        files: {'.git/HEAD': 'ref: refs/heads/main\n', 'sub/a.txt': 'hello\n'},
      });
      await makeOddFile(join(place.project, 'sub', '.gitignore'), kind);
      const {exit, output} = await run(place, ['tools', 'call', 'grep_search', 'pattern=hello', '--yes'], {});
      expect([exit, output.includes('a.txt')]).toEqual([0, true]);
    },
  );

  (isUnix ? test : test.failing).each(waiting)(
    'a prompt names a %s by @path, and the model is asked all the same',
    async (kind) => {
      await using place = await openAgentPlace({script: [says('Fine.')], files: {'a.txt': 'hello\n'}});
      const close = await makeOddFile(join(place.project, 'odd'), kind);
      const {exit, output} = await run(place, ['-p', 'look at @odd and @a.txt'], {
        GEMINI_API_KEY: 'key',
        GOOGLE_GEMINI_BASE_URL: place.server.url,
      });
      await close();
      expect([
        exit,
        output.includes('Fine.'),
        JSON.stringify(place.server.requests[0]?.messages).includes('hello'),
      ]).toEqual([0, true, true]);
    },
  );

  (isUnix ? test : test.failing)(
    'the journal of calls and the history of prompts are not kept where something else has their names, and ' +
      'nothing waits for it',
    async () => {
      await using place = await openAgentPlace({files: {'a.txt': 'hello\n'}});
      const journal = join(place.home, '.cache', 'gemini', 'calls.jsonl');
      mkdirSync(dirname(journal), {recursive: true});
      await makeOddFile(journal, 'FIFO');
      const read = await run(place, ['tools', 'call', 'read_file', 'file_path=a.txt', '--yes'], {});
      expect([read.exit, read.output.includes('gemini why will not find it')]).toEqual([0, true]);
      expect((await run(place, ['why', 'last'], {})).exit).toBe(42);
      const {PromptHistory} = await import('#kernel/terminal/dist/prompt-history.js');
      const history = join(place.home, 'history');
      await makeOddFile(history, 'FIFO');
      await expect(PromptHistory.open(history, (text) => Promise.resolve(text))).rejects.toMatchObject({
        reason: 'it is a FIFO, not a file',
      });
    },
  );
});
