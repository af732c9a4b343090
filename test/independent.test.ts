import {execFile} from 'node:child_process';
import {cp, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {builtinModules} from 'node:module';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {listPlugins} from './helpers/error-tables.js';
import {makeFolder} from './helpers/make-plugin.js';
import {installPacked, packPackages, type Packed} from './helpers/packed.js';
import {checkout} from './helpers/plugin-root.js';

type Use =
  | {readonly tool: string; readonly input: object}
  | {readonly service: string; readonly method: string; readonly args: readonly unknown[]}
  | {readonly command: string; readonly argv: readonly string[]};

interface Case {
  readonly use: Use;
  readonly gives: object | null;
}

/** One contribution of each plugin, and part of what it gives. */
const cases: Readonly<Record<string, Case>> = {
  a2a: {use: {command: 'a2a:token:list', argv: []}, gives: []},
  acp: {use: {service: 'mcp-servers:acp', method: 'list', args: []}, gives: []},
  agent: {use: {service: 'agent', method: 'stats', args: []}, gives: {models: [], tools: []}},
  ask: {
    use: {tool: 'ask_user', input: {questions: [{question: 'Which?', header: 'Which', type: 'text'}]}},
    gives: {status: 'failed', error: {code: 'QUESTION_UNANSWERED'}},
  },
  bundles: {use: {command: 'plugins:list', argv: []}, gives: []},
  code: {use: {tool: 'code_map', input: {}}, gives: {status: 'done', result: {data: {files: []}}}},
  console: {use: {service: 'ui:console', method: 'confirm', args: [{}]}, gives: null},
  context: {
    use: {
      ...{service: 'history-graph', method: 'describe'},
      args: [{entries: [], sizes: [], inputLimit: 1000, compressAt: 500}],
    },
    gives: {nodes: []},
  },
  'custom-commands': {use: {command: 'commands:list', argv: []}, gives: {commands: [], faults: []}},
  devkit: {
    use: {command: 'plugins:build', argv: ['<here>/node_modules/@gemini-kernel/plugin-devkit']},
    gives: {name: '@gemini-kernel/plugin-devkit', contributions: {tools: 0}},
  },
  directories: {use: {command: 'directory:show', argv: []}, gives: {directories: [{source: 'cwd'}]}},
  doctor: {
    use: {command: 'doctor', argv: []},
    gives: {plugins: [{name: '@gemini-kernel/plugin-doctor', state: 'works'}], leftOut: []},
  },
  env: {use: {service: 'variables', method: 'explain', args: ['GEMINI_API_KEY']}, gives: {value: 'k'}},
  evals: {use: {command: 'evals:list', argv: []}, gives: []},
  extensions: {use: {service: 'extensions', method: 'list', args: []}, gives: []},
  filesystem: {
    use: {tool: 'read_file', input: {file_path: 'a.txt', start_line: 2}},
    gives: {status: 'done', result: {data: {firstLine: 2, lastLine: 2, encoding: 'utf-8'}}},
  },
  fleet: {use: {command: 'fleet:status', argv: ['--all']}, gives: {fleets: []}},
  'fleet-bullmq': {use: {service: 'queue:bullmq', method: 'close', args: ['redis://127.0.0.1:9/0']}, gives: null},
  hooks: {use: {service: 'hooks', method: 'list', args: []}, gives: []},
  ide: {
    use: {service: 'ide', method: 'status', args: []},
    gives: {state: 'disconnected', canDiff: false, openFiles: []},
  },
  'ide-neovim': {use: {command: 'ide:neovim', argv: ['--install']}, gives: {}},
  isolation: {use: {service: 'isolation', method: 'state', args: []}, gives: []},
  learning: {use: {command: 'inbox:list', argv: []}, gives: {items: []}},
  mcp: {use: {service: 'mcp', method: 'list', args: []}, gives: []},
  'mcp-server': {
    use: {command: 'mcp:serve', argv: ['--print-config', 'zed']},
    gives: {client: 'zed', file: '~/.config/zed/settings.json'},
  },
  memory: {use: {command: 'memory:list', argv: []}, gives: {files: []}},
  'model-gemini': {
    use: {service: 'model:gemini', method: 'describe', args: ['flash']},
    gives: {calls: true, images: true},
  },
  'model-openai': {
    use: {service: 'model:openai', method: 'describe', args: ['qwen3']},
    gives: {model: 'qwen3', calls: true},
  },
  'model-replay': {use: {service: 'model:replay', method: 'list', args: []}, gives: {models: [{name: 'rehearsal'}]}},
  network: {use: {service: 'network', method: 'proxyFor', args: ['https://example.com/']}, gives: null},
  plan: {use: {service: 'plans', method: 'list', args: []}, gives: []},
  policy: {use: {service: 'policy', method: 'check', args: [[]]}, gives: {problems: []}},
  sandbox: {use: {command: 'sandbox:status', argv: []}, gives: {isOn: false, why: 'Nothing asks for it.'}},
  search: {
    use: {tool: 'grep_search', input: {pattern: 'two', context: 0}},
    gives: {status: 'done', result: {data: {files: [{lines: [{number: 2, text: 'two'}]}]}}},
  },
  secrets: {use: {service: 'secrets', method: 'redact', args: ['hello']}, gives: {text: 'hello', count: 0}},
  sessions: {use: {command: 'sessions:list', argv: []}, gives: {sessions: []}},
  settings: {
    use: {service: 'settings', method: 'explain', args: ['general.vimMode']},
    gives: {key: 'general.vimMode', value: false, winner: 'default'},
  },
  shell: {
    use: {tool: 'run_shell_command', input: {command: 'echo hello'}},
    gives: {status: 'done', result: {data: {exitCode: 0}}},
  },
  skills: {use: {command: 'skills:list', argv: []}, gives: {skills: [], faults: []}},
  subagents: {use: {command: 'agents:list', argv: []}, gives: {faults: []}},
  telemetry: {use: {command: 'telemetry:status', argv: []}, gives: {isOn: false}},
  todos: {use: {service: 'todos', method: 'list', args: []}, gives: []},
  tools: {use: {command: 'tools:list', argv: []}, gives: {tools: []}},
  tour: {
    use: {command: 'tour', argv: []},
    gives: {steps: [{command: 'gemini directory add ../library', code: 0}, {}, {}, {}, {}, {}, {}]},
  },
  trust: {use: {service: 'trust', method: 'explain', args: ['.']}, gives: {trusted: false, source: 'none'}},
  tui: {use: {service: 'ui:terminal', method: 'confirm', args: [{}]}, gives: null},
  web: {
    use: {tool: 'web_fetch', input: {url: 'http://localhost/'}},
    gives: {status: 'failed', error: {code: 'URL_PRIVATE'}},
  },
  workspace: {
    use: {service: 'workspace', method: 'explain', args: ['a.txt']},
    gives: {exists: true, root: {source: 'cwd'}},
  },
};

interface Package {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Names of modules within it. */
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly gemini?: {readonly requires: {readonly services: Readonly<Record<string, string>>}};
}

const run = promisify(execFile);
const plugins = await listPlugins();
let packed: Packed;

beforeAll(async () => {
  packed = await packPackages();
}, 120_000);
afterAll(() => packed[Symbol.asyncDispose]());

async function readPackage(folder: string): Promise<Package> {
  return JSON.parse(await readFile(join(checkout, folder, 'package.json'), 'utf8')) as Package;
}

/** The plugin that provides a service; undefined for that of the host. */
async function findProvider(service: string): Promise<string | undefined> {
  for (const plugin of plugins) {
    const {services} = JSON.parse(
      await readFile(join(checkout, 'plugins', plugin, 'gemini.plugin.json'), 'utf8'),
    ) as Manifest;
    if (services.some(({name}) => name === service)) return plugin;
  }
  if (service === 'installs') return undefined;
  throw new Error(`No plugin provides ${service}.`);
}

/** A plugin with everything that its `requires` lead to. */
async function closure(plugin: string, found: Set<string> = new Set()): Promise<ReadonlySet<string>> {
  found.add(plugin);
  const {gemini} = await readPackage(join('plugins', plugin));
  for (const service of Object.keys(gemini?.requires.services ?? {}).filter((name) => !name.endsWith(':*'))) {
    const provider = await findProvider(service);
    if (provider !== undefined && !found.has(provider)) await closure(provider, found);
  }
  return found;
}

/** Packages that the code of an installed package imports without saying so in its package.json. */
async function findUndeclared(folder: string): Promise<readonly string[]> {
  const {dependencies, peerDependencies, imports} = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Package;
  const known = new Set([...Object.keys({...dependencies, ...peerDependencies, ...imports}), ...builtinModules]);
  // What a template writes into other packages is no import of this one.
  const files = (await readdir(join(folder, 'dist'), {recursive: true})).filter(
    (file) => file.endsWith('.js') && !file.startsWith('templates'),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(folder, 'dist', file), 'utf8')));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:\bfrom |\bimport |\bimport\()(['"])([^.'"\s][^'"\s]*)\1/g)].map((match) => match[2] ?? ''),
  );
  return [
    ...new Set(
      names.map((name) =>
        name
          .replace(/^node:/, '')
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  ].filter((name) => !known.has(name));
}

test('an import that package.json does not announce is found, whichever way it is written', async () => {
  await using folder = await makeFolder();
  await mkdir(join(folder.path, 'dist', 'deep'), {recursive: true});
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({name: 'x', dependencies: {known: '1'}}));
  await writeFile(
    join(folder.path, 'dist', 'deep', 'a.js'),
    "import {a} from 'plain';\nimport '@scope/side/effect';\nexport {b} from \"again\";\nconst c = () => " +
      "import('lazy');\n",
  );
  await writeFile(
    join(folder.path, 'dist', 'b.js'),
    "import {join} from 'node:path';\nimport fs from 'fs';\nimport d from 'known/sub';\nimport e from './deep/a.js';\n",
  );
  expect([...(await findUndeclared(folder.path))].sort()).toEqual(['@scope/side', 'again', 'lazy', 'plain']);
});

test('every plugin has its turn here', () => {
  expect(Object.keys(cases)).toEqual(plugins);
});

test.each(Object.entries(cases))(
  '%s works packed and installed with only the kernel and what it requires [plugins.independent]',
  async (plugin, {use, gives}) => {
    const folder = await makeFolder();
    try {
      const required = [...(await closure(plugin))].sort();
      const packages = await Promise.all(required.map((name) => readPackage(join('plugins', name))));
      const shared = await Promise.all(['kernel', 'kernel/command'].map(readPackage));
      const declared = [...shared, ...packages]
        .flatMap(({dependencies}) => Object.keys(dependencies ?? {}))
        .filter((name) => packed.tarballs.has(name));
      const names = [...new Set([...shared, ...packages].map(({name}) => name).concat(declared))].sort();
      await installPacked(folder.path, names, packed);
      const modules = join(folder.path, 'node_modules');
      const scopes = new Set(names.map((name) => name.split('/')[0] ?? ''));
      const found = [...scopes].map(async (scope) =>
        (await readdir(join(modules, scope))).map((name) => `${scope}/${name}`),
      );
      expect((await Promise.all(found)).flat().sort()).toEqual(names);
      const {name} = await readPackage(join('plugins', plugin));
      expect(await findUndeclared(join(modules, name))).toEqual([]);
      await cp(join(checkout, 'test', 'fixtures', 'independent', 'use.mjs'), join(folder.path, 'use.mjs'));
      const argument = JSON.stringify({plugins: packages.map(({name}) => name), use}).replaceAll('<here>', () =>
        JSON.stringify(folder.path).slice(1, -1),
      );
      const {stdout, stderr} = await run(process.execPath, ['use.mjs', argument], {cwd: folder.path});
      expect(stderr).toBe('');
      const given: unknown = JSON.parse(stdout);
      if (gives === null) expect(given).toBeNull();
      else expect(given).toMatchObject(gives);
    } finally {
      await folder[Symbol.asyncDispose]();
    }
  },
);
