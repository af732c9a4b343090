import {mkdir, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says, type AgentPlace, type AgentPlaceOptions} from '../helpers/run-agent.js';
import {CTRL_C, CTRL_D, GeminiSitting} from '../helpers/sit-at-gemini.js';
import {VirtualTerminal} from '../plugins/console/virtual-terminal.js';
import {atTerminal} from './run-at-terminal.js';

/** The prompt, with the mode below it. */
const PROMPT = '> \r\nmode yolo\u001b[1A\r\u001b[2C';

const left = {code: 0, isRestored: true};
const REBUILT = 'words was rebuilt, and is used from now on.';

/** A linked plugin under development, and a conversation that uses it. */
interface Work {
  readonly place: AgentPlace;
  /** Writes a state of the compiled plugin. */
  write(
    version: string,
    parts?: {readonly tool?: string; readonly listens?: boolean; readonly more?: boolean},
  ): Promise<void>;
  build(): Promise<void>;
  /** Writes a state that adds what the one before did, and says it is built. */
  rebuild(version: string): Promise<void>;
  /** What the plugin's code has noted. */
  noted(): Promise<readonly string[]>;
  /** Releases a held call. */
  go(): Promise<void>;
  sit(): Promise<GeminiSitting>;
  /** Copies of the plugin that are there. */
  copies(): Promise<readonly string[]>;
  /** Waits until the plugin's code has noted a sentence. */
  hasNoted(sentence: string): Promise<void>;
  /** Waits until the program has noticed a build. */
  copied(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function beginWork(options: AgentPlaceOptions): Promise<Work> {
  const place = await openAgentPlace(options);
  const folder = await makeFolder();
  // A workspace: what the plugin uses lies above it.
  const [root, temporary, notes, gate] = [
    join(folder.path, 'workspace', 'packages', 'words'),
    join(folder.path, 'tmp'),
    join(folder.path, 'notes'),
    join(folder.path, 'gate'),
  ];
  const modules = join(folder.path, 'workspace', 'node_modules');
  await Promise.all([
    mkdir(temporary),
    mkdir(join(modules, '@gemini-kernel'), {recursive: true}),
    mkdir(join(modules, '@oclif'), {recursive: true}),
    writeFile(notes, ''),
  ]);
  await symlink(join(checkout, 'kernel'), join(modules, '@gemini-kernel', 'kernel'), 'junction');
  await symlink(join(checkout, 'node_modules', '@oclif', 'core'), join(modules, '@oclif', 'core'), 'junction');
  const run = async (...words: readonly string[]): Promise<void> => {
    const {code, stdout, stderr} = await place.run(words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
  };
  const work: Work = {
    place,
    async write(version, parts) {
      await rm(join(root, 'dist'), {recursive: true, force: true});
      for (const [name, text] of Object.entries(codeOf({version, notes, gate, ...parts}))) {
        await mkdir(dirname(join(root, name)), {recursive: true});
        await writeFile(join(root, name), text);
      }
    },
    build: () => run('plugins', 'build', root),
    async rebuild(version) {
      await work.write(version);
      const manifest = join(root, 'oclif.manifest.json');
      await writeFile(manifest, await readFile(manifest));
    },
    noted: async () => (await readFile(notes, 'utf8')).split('\n').filter(Boolean),
    go: () => writeFile(gate, ''),
    sit: () => GeminiSitting.begin(place, {words: ['--approval-mode', 'yolo'], variables: {TMPDIR: temporary}}),
    copies: async () => (await readdir(temporary)).filter((name) => name.startsWith('gemini-linked-')),
    async hasNoted(sentence) {
      for (const late = AbortSignal.timeout(30_000); !(await work.noted()).includes(sentence);)
        await pause(20, undefined, {signal: late});
    },
    async copied() {
      const late = AbortSignal.timeout(30_000);
      for (;;) {
        const [folder = ''] = await work.copies();
        // One was made at the beginning.
        if ((await readdir(join(temporary, folder))).length === 2) return;
        await pause(20, undefined, {signal: late});
      }
    },
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
  await work.write('one');
  await work.build();
  await run('plugins', 'link', root, '--yes');
  return work;
}

interface Code {
  readonly version: string;
  readonly notes: string;
  readonly gate: string;
  readonly tool?: string;
  readonly listens?: boolean;
  readonly more?: boolean;
}

/** Its version stands in a module that all the others import. */
function codeOf({
  version,
  notes,
  gate,
  tool = 'words_count',
  listens = true,
  more = false,
}: Code): Readonly<Record<string, string>> {
  const toolCode = (name: string, run: string): string =>
    `import {existsSync} from 'node:fs';\nimport {setTimeout as pause} from 'node:timers/promises';\nimport {defineTool} from '@gemini-kernel/kernel';\nimport {version, note} from '../version.js';
export default defineTool({name: '${name}', description: 'Counts, ' + version + '.', effect: 'read', input: {type: 'object', properties: {held: {type: 'boolean', description: 'Waits.'}}}, async run({held}, context) { ${run} }});\n`;
  const count =
    `note('begun ' + version); while (held && !existsSync(${JSON.stringify(gate)})) await pause(20); const words = ` +
    `await context.service('words'); return {model: 'tool ' + version + ', service ' + words.version};`;
  return {
    'package.json': JSON.stringify({
      name: 'words',
      version: '1.0.0',
      description: 'Words.',
      type: 'module',
      oclif: {commands: './dist/commands', topicSeparator: ' '},
      gemini: {kernel: '^0.2.0', requires: {services: {words: '^1'}}},
    }),
    'dist/version.js':
      `import {appendFileSync} from 'node:fs';\nexport const version = ${JSON.stringify(version)};\nexport const ` +
      `note = (text) => appendFileSync(${JSON.stringify(notes)}, text + '\\n');\n`,
    'dist/tools/count.js': toolCode(tool, count),
    ...(more ? {'dist/tools/more.js': toolCode('words_more', 'return {model: version};')} : {}),
    'dist/services/words.js': `import {provide} from '@gemini-kernel/kernel';\nimport {version, note} from '../version.js';
export default provide('words', {version: '1.0.0', scope: 'session', create: ({signal}) => { note('created ' + version); signal.addEventListener('abort', () => note('ended ' + version)); return {version}; }, dispose: (words) => note('disposed ' + words.version)});\n`,
    ...(listens
      ? {
          'dist/listeners/tool-end.js':
            `import {listen} from '@gemini-kernel/kernel';\nimport {version, note} from '../version.js';\nexport ` +
            `default listen('tool:end', {run: async () => note('heard ' + version)});\n`,
        }
      : {}),
    'dist/commands/words/count.js': `import {KernelCommand} from '@gemini-kernel/command';\nimport {version} from '../../version.js';
export default class Count extends KernelCommand { static summary = 'Counts.'; static slash = true; async run() { await this.parse(Count); const {version: served} = await this.service('words');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'].map((name) => process.listenerCount(name)).join(' '); const watchers = process.report.getReport().libuv.filter(({type}) => type === 'fs_event').length;
  this.log('Counted by ' + version + ' with ' + served + '. Held: ' + signals + ', ' + watchers + ' of files.'); } }\n`,
  };
}

const offered = (work: Work): readonly (readonly string[])[] =>
  work.place.server.requests.map(({tools}) =>
    tools.filter(({name}) => name.startsWith('words_')).map(({name, description}) => `${name}: ${description ?? ''}`),
  );
const results = (work: Work): string => JSON.stringify(work.place.server.requests.at(-1)?.messages);

atTerminal(
  'the next request has the tools of the rebuilt plugin, its code runs, and what was before is gone [plugins.reload]',
  async () => {
    await using work = await beginWork({
      script: [callsTools(['words_count', {}]), says('First.'), callsTools(['words_count', {}]), says('Second.')],
    });
    await using sitting = await work.sit();
    await sitting.go(
      [PROMPT, 'count\r'],
      ['First.', ''],
      [PROMPT, '/words count\r'],
      ['Counted by one with one.', ''],
      [PROMPT, ''],
    );
    await work.write('two', {listens: false, more: true});
    await work.build();
    await sitting.go(
      [REBUILT, ''],
      [PROMPT, 'again\r'],
      ['Second.', ''],
      [PROMPT, '/words count\r'],
      ['Counted by two with two.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    const [one, two] = [['words_count: Counts, one.'], ['words_count: Counts, two.', 'words_more: Counts, two.']];
    expect([offered(work), work.place.server.faults]).toEqual([[one, one, two, two], []]);
    expect(results(work)).toContain('tool two, service two');
    expect(await work.noted()).toEqual([
      'begun one',
      'created one',
      'heard one',
      'ended one',
      'disposed one',
      'begun two',
      'created two',
      'ended two',
      'disposed two',
    ]);
    expect(await work.copies()).toEqual([]);
  },
);

atTerminal(
  'a build in the middle of a call counts after it, and Ctrl+C twice leaves no copy [plugins.reload]',
  async () => {
    await using work = await beginWork({script: [callsTools(['words_count', {held: true}]), says('Ended.')]});
    await using sitting = await work.sit();
    await sitting.go([PROMPT, 'count\r']);
    await work.hasNoted('begun one');
    await work.write('two');
    await work.build();
    await work.copied();
    const before = await work.noted();
    await work.go();
    await work.hasNoted('disposed one');
    await sitting.go(
      ['Ended.', ''],
      [PROMPT, '/words count\r'],
      ['Counted by two with two.', ''],
      [PROMPT, CTRL_C],
      ['again to leave', CTRL_C],
    );
    expect(await sitting.end()).toEqual(left);
    expect(results(work)).toContain('tool one, service one');
    expect(sitting.screen).toContain(REBUILT);
    expect(before).toEqual(['begun one']);
    expect(await work.noted()).toEqual([
      'begun one',
      'created one',
      'heard one',
      'ended one',
      'disposed one',
      'created two',
      'ended two',
      'disposed two',
    ]);
    expect(await work.copies()).toEqual([]);
  },
);

atTerminal(
  'what cannot load any more is left out with the reason, and comes back when it is fixed [plugins.reload]',
  async () => {
    await using work = await beginWork({script: [says('Without.'), says('With.')]});
    await using sitting = await work.sit();
    await sitting.see(PROMPT);
    await work.write('two', {tool: 'read_file'});
    await work.build();
    await sitting.go(
      ['words is left out now: its tool read_file is already provided by', ''],
      [PROMPT, 'first\r'],
      ['Without.', ''],
      [PROMPT, '/words count\r'],
      ['There is no command', ''],
      [PROMPT, ''],
    );
    await work.write('three');
    await work.build();
    await sitting.go(
      [REBUILT, ''],
      [PROMPT, 'second\r'],
      ['With.', ''],
      [PROMPT, '/words count\r'],
      ['Counted by three with three.', ''],
      [PROMPT, CTRL_D],
    );
    expect(await sitting.end()).toEqual(left);
    expect([offered(work), await work.copies()]).toEqual([[[], ['words_count: Counts, three.']], []]);
  },
);

atTerminal(
  'after twenty builds as much is held as after one, and the prompt stands as it did [plugins.reload]',
  async () => {
    await using work = await beginWork({});
    await using sitting = await work.sit();
    await sitting.see(PROMPT);
    const held: string[] = [];
    for (let index = 1; index <= 20; index += 1) {
      await work.rebuild(`v${index}`);
      await sitting.go(
        [REBUILT, ''],
        [PROMPT, '/words count\r'],
        [`Counted by v${index} with v${index}. Held: `, ''],
        [PROMPT, ''],
      );
      held.push(/Held: (.*)\./.exec(sitting.screen.slice(sitting.screen.lastIndexOf('Held: ')))?.[1] ?? '');
    }
    // What is being typed stays.
    sitting.type('half a line');
    await sitting.see('half a line');
    await work.build();
    await sitting.go([REBUILT, ''], ['half a line', '']);
    const {screen} = sitting;
    await sitting.go(['', CTRL_C], [PROMPT, CTRL_D]);
    expect(await sitting.end()).toEqual(left);
    expect(new Set(held).size).toBe(1);
    const expected = Array.from({length: 20}, (_, index) => [
      `created v${index + 1}`,
      `ended v${index + 1}`,
      `disposed v${index + 1}`,
    ]).flat();
    expect([await work.noted(), await work.copies()]).toEqual([expected, []]);
    expect(await shown(screen)).toContain(`of files.\n${REBUILT}\n> half a line`);
  },
);

atTerminal('a build while the model speaks tears nothing that it says [plugins.reload]', async () => {
  const words = Array.from({length: 30}, (_, index) => `word${index} `);
  await using work = await beginWork({script: [{...says(...words), pauseMs: 50}]});
  await using sitting = await work.sit();
  await sitting.go([PROMPT, 'speak\r'], ['word3', '']);
  await work.rebuild('two');
  await sitting.go(['word29', ''], [REBUILT, ''], [PROMPT, '']);
  expect(await shown(sitting.screen)).toMatch(
    new RegExp(`${words.join('').trim().replaceAll(' ', '\\s+')}[·\\s]+${REBUILT}\\n>\\s+mode yolo$`),
  );
  await sitting.go(['', CTRL_D]);
  expect(await sitting.end()).toEqual(left);
});

/** What a person sees. */
async function shown(screen: string): Promise<string> {
  const {widthOf} = await import('#kernel/terminal/dist/graphemes.js');
  const terminal = new VirtualTerminal(80, 24, widthOf);
  terminal.write(screen.replaceAll('\r\n', '\n'));
  return terminal.text;
}
