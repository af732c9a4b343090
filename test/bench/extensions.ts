import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {timeToRequest} from './agent.js';
import {compareHomes, type Difference} from './compare-homes.js';
import {peakMemory, timeRun, type Bench, type Program} from './measure.js';

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
    const {difference, without} = await compare((program) => peakMemory(program) / 1024);
    return {ratio: difference, detail: `${without.toFixed(0)} MiB without, medians of ${ROUNDS} pairs`};
  },
};

/** What extensions, commands, skills and hooks cost where they are not used. */
export const extensions: readonly Bench[] = [firstRequest, command, memory];
