import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {timeToRequest, withServer} from './agent.js';
import {compareHomes, type Difference} from './compare-homes.js';
import {openScene} from '../plugins/custom-commands/scene.js';
import {median, peakMemory, timeRun, type Bench, type Program} from './measure.js';

const ROUNDS = 15;
const [EXTENSIONS, COMMANDS, SKILLS, HOOKS] = [10, 30, 30, 10];

type Files = Readonly<Record<string, string>>;

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({length: count}, (_, index) => make(index));
}

/** What a person has of their own, by path below the home. */
function ownFiles(parts: ReadonlySet<string>): Files {
  const hooks = times(parts.has('hooks') ? HOOKS : 0, (at) => ({
    matcher: `tool_${at}`,
    hooks: [{type: 'command', command: 'true', name: `hook-${at}`}],
  }));
  return {
    '.gemini/settings.json': JSON.stringify({hooks: {BeforeTool: hooks}}),
    ...Object.fromEntries(
      times(parts.has('commands') ? COMMANDS : 0, (at) => [
        `.gemini/commands/group-${at % 5}/command-${at}.toml`,
        `description = "The command ${at}."\nprompt = "Do {{args}}."\n`,
      ]),
    ),
    ...Object.fromEntries(
      times(parts.has('skills') ? SKILLS : 0, (at) => [
        `.gemini/skills/skill-${at}/SKILL.md`,
        `---\nname: skill-${at}\ndescription: Does the thing ${at}.\n---\n\nDo the thing ${at}.\n`,
      ]),
    ),
  };
}

function extensionFiles(at: number): Files {
  return {
    'gemini-extension.json': JSON.stringify({name: `extension-${at}`, version: '1.0.0', contextFileName: 'CONTEXT.md'}),
    'CONTEXT.md': `Words of the extension ${at}.\n`,
    [`commands/run-${at}.toml`]: 'prompt = "Run."\n',
  };
}

async function writeAll(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), {recursive: true});
    await writeFile(join(folder, path), text);
  }
}

/** Installs extensions as a person does, with their lock. */
async function installExtensions({argv: [program = ''], cwd, variables}: Program): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-bench-extensions-'));
  try {
    for (const at of times(EXTENSIONS, (index) => index)) {
      await writeAll(join(folder, `${at}`), extensionFiles(at));
      const words = [program, 'extensions', 'install', join(folder, `${at}`), '--consent'];
      execFileSync(process.execPath, words, {cwd, env: {PATH: process.env['PATH'], ...variables}, stdio: 'ignore'});
    }
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

const ALL: ReadonlySet<string> = new Set(['commands', 'skills', 'hooks', 'extensions']);

/** Runs with extensions, commands, skills and hooks against runs without. */
export function compare(
  measure: (program: Program) => Promise<number> | number,
  parts: ReadonlySet<string> = ALL,
): Promise<Difference> {
  return compareHomes({
    rounds: ROUNDS,
    measure,
    async prepare(program, isWith) {
      const given = isWith ? parts : new Set<string>();
      await writeAll(program.variables?.['HOME'] ?? '', ownFiles(given));
      if (given.has('extensions')) await installExtensions(program);
    },
  });
}

const WHAT = '10 extensions, 30 commands, 30 skills, 10 hooks';

const firstRequest: Bench = {
  name: `${WHAT}: to the first request of gemini -p hi`,
  target: {atMost: 10, of: 'a millisecond more than without'},
  async run() {
    const {difference, without} = await compare(timeToRequest);
    return {ratio: difference, detail: `${without.toFixed(0)} ms without, medians of ${ROUNDS} pairs`};
  },
};

const command: Bench = {
  name: `${WHAT}: gemini directory show`,
  target: {atMost: 1, of: 'a millisecond more than without'},
  async run() {
    const {difference, without} = await compare(({argv, ...program}) =>
      timeRun({...program, argv: [argv[0] ?? '', 'directory', 'show']}),
    );
    return {ratio: difference, detail: `${without.toFixed(0)} ms without, medians of ${ROUNDS} pairs`};
  },
};

const memory: Bench = {
  name: `${WHAT}: memory of gemini -p hi`,
  target: {atMost: 4, of: 'a MiB more than without'},
  async run() {
    const {difference, without} = await withServer((GOOGLE_GEMINI_BASE_URL) =>
      compare(
        ({variables, ...rest}) => peakMemory({...rest, variables: {...variables, GOOGLE_GEMINI_BASE_URL}}) / 1024,
      ),
    );
    return {ratio: difference, detail: `${without.toFixed(0)} MiB without, medians of ${ROUNDS} pairs`};
  },
};

const completion: Bench = {
  name: '1,000 commands of files, listed again to complete a line',
  target: {atMost: 10, of: 'a millisecond'},
  async run() {
    const person = times(1000, (at) => [`group-${at % 20}/command-${at}.toml`, `prompt = "Do ${at}."\n`] as const);
    await using kernel = await openScene({person: Object.fromEntries(person)});
    const commands = await kernel.service('slash-commands');
    const list = async (): Promise<number> => (await commands.list()).length;
    const began = performance.now();
    const count = await list();
    const first = performance.now() - began;
    const took: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const started = performance.now();
      await list();
      took.push(performance.now() - started);
    }
    return {ratio: median(took), detail: `${count} commands; ${first.toFixed(0)} ms for the first list`};
  },
};

/** What extensions, commands, skills and hooks cost where they are not used, and long lists of commands. */
export const extensions: readonly Bench[] = [firstRequest, command, memory, completion];
