import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {listPlugins, readBuiltManifest} from '../helpers/error-tables.js';
import {checkout} from '../helpers/plugin-root.js';

interface OclifCommand {
  readonly args?: Readonly<Record<string, {readonly required?: boolean}>>;
  readonly flags?: Readonly<
    Record<
      string,
      {readonly type: string; readonly char?: string; readonly multiple?: boolean; readonly options?: readonly string[]}
    >
  >;
}

const commands = {
  about: {args: [], flags: {}},
  'bundle:apply': {args: ['[bundle]'], flags: {from: 'text', key: 'text, many', system: 'yes', yes: 'yes'}},
  'bundle:create': {args: ['name'], flags: {directory: 'text', 'from-installed': 'yes'}},
  'bundle:diff': {args: ['before', 'after'], flags: {'exit-code': 'yes'}},
  'bundle:export': {args: ['lock'], flags: {out: 'text'}},
  'bundle:key': {args: ['name'], flags: {directory: 'text'}},
  'bundle:lock': {args: ['bundle'], flags: {check: 'yes', update: 'yes', registry: 'text'}},
  'bundle:remove': {args: ['name'], flags: {system: 'yes'}},
  'bundle:sign': {args: ['lock'], flags: {key: 'text', name: 'text'}},
  'bundle:status': {args: [], flags: {}},
  'bundle:verify': {args: ['bundle'], flags: {key: 'text, many', system: 'yes'}},
  'catalogs:check': {args: ['file'], flags: {}},
  'catalogs:list': {args: [], flags: {}},
  'catalogs:sign': {args: ['file'], flags: {key: 'text', name: 'text'}},
  chat: {
    args: [],
    flags: {
      prompt: '-p text',
      'prompt-interactive': '-i text',
      'output-format': '-o text | json | stream-json',
      'output-schema': 'text',
      'prompt-file': '-f text',
      'max-turns': 'text',
      'max-cost': 'text',
      timeout: 'text',
      'fail-on-refused': 'yes',
      'raw-output': 'yes',
      'accept-raw-output-risk': 'yes',
    },
  },
  clear: {args: [], flags: {}},
  'code:find': {
    args: ['name'],
    flags: {what: 'definitions | references | implementations', in: 'text', 'defined-in': 'text', most: 'text'},
  },
  'code:map': {args: ['[path]'], flags: {'max-tokens': 'text'}},
  'code:outline': {args: ['path'], flags: {'max-tokens': 'text'}},
  'code:servers': {args: [], flags: {}},
  'code:status': {args: [], flags: {}},
  'commands:check': {args: [], flags: {}},
  'commands:import': {args: ['[path]'], flags: {user: 'yes', overwrite: 'yes', 'dry-run': 'yes'}},
  'commands:list': {args: ['[filter]'], flags: {}},
  'commands:new': {args: ['name'], flags: {user: 'yes', description: 'text', prompt: '-p text'}},
  'commands:reload': {args: [], flags: {}},
  'commands:show': {args: ['name'], flags: {}},
  compress: {args: [], flags: {}},
  'directory:add': {args: ['path'], flags: {scope: 'project | user'}},
  'directory:explain': {args: ['path'], flags: {}},
  'directory:remove': {args: ['path'], flags: {scope: 'project | user'}},
  'directory:show': {args: [], flags: {}},
  doctor: {args: ['[plugin]'], flags: {}},
  'doctor:terminal': {args: [], flags: {}},
  'extensions:adopt': {args: ['name'], flags: {consent: 'yes'}},
  'extensions:check': {args: ['[path]'], flags: {}},
  'extensions:config': {args: ['name', '[setting]'], flags: {value: 'text', unset: 'yes'}},
  'extensions:convert': {args: ['path'], flags: {output: 'text', force: 'yes'}},
  'extensions:disable': {args: ['name'], flags: {scope: 'user | workspace'}},
  'extensions:enable': {args: ['name'], flags: {scope: 'user | workspace'}},
  'extensions:explore': {args: [], flags: {limit: 'text', source: 'text'}},
  'extensions:install': {
    args: ['[source]'],
    flags: {
      ...{ref: 'text', 'pre-release': 'yes', consent: 'yes', frozen: 'yes'},
      ...{'auto-update': 'yes', 'skip-settings': 'yes'},
    },
  },
  'extensions:link': {args: ['path'], flags: {consent: 'yes'}},
  'extensions:list': {args: [], flags: {used: 'yes'}},
  'extensions:new': {args: ['path', '[template]'], flags: {}},
  'extensions:rollback': {args: ['name'], flags: {}},
  'extensions:show': {args: ['name'], flags: {}},
  'extensions:uninstall': {args: ['name'], flags: {}},
  'extensions:update': {args: ['[name]'], flags: {all: 'yes', consent: 'yes'}},
  'hooks:disable': {args: ['[hook]'], flags: {all: 'yes', scope: '-s user | project'}},
  'hooks:enable': {args: ['[hook]'], flags: {all: 'yes', scope: '-s user | project'}},
  'hooks:import': {args: ['[file]'], flags: {scope: '-s user | project', 'dry-run': 'yes'}},
  'hooks:list': {args: ['[filter]'], flags: {event: 'text'}},
  'hooks:show': {args: ['hook'], flags: {}},
  'hooks:test': {args: ['hook'], flags: {event: 'text', tool: 'text', input: 'text'}},
  'hooks:trust': {args: ['[hook]'], flags: {}},
  'ide:check-companion': {args: ['companion'], flags: {token: 'text', patience: 'text'}},
  'ide:disable': {args: [], flags: {}},
  'ide:doctor': {args: [], flags: {}},
  'ide:enable': {args: [], flags: {}},
  'ide:install': {args: ['[editor]'], flags: {}},
  'ide:neovim': {args: [], flags: {attach: 'text', install: 'yes'}},
  'ide:status': {args: [], flags: {}},
  init: {args: [], flags: {print: 'yes', yes: 'yes'}},
  keys: {args: [], flags: {}},
  'mcp:add': {
    args: ['name', 'target'],
    flags: {
      description: 'text',
      env: '-e text, many',
      'exclude-tools': 'text, many',
      header: '-H text, many',
      'include-tools': 'text, many',
      scope: '-s user | project',
      timeout: 'text',
      transport: '-t stdio | sse | http',
      trust: 'yes',
    },
  },
  'mcp:call': {args: ['server', 'tool'], flags: {}},
  'mcp:disable': {args: ['name'], flags: {session: 'yes'}},
  'mcp:enable': {args: ['name'], flags: {session: 'yes'}},
  'mcp:get': {args: ['name'], flags: {}},
  'mcp:import': {
    args: ['[file]'],
    flags: {'dry-run': 'yes', overwrite: 'yes', scope: '-s user | project', server: 'text, many'},
  },
  'mcp:list': {args: ['[filter]'], flags: {check: 'yes'}},
  'mcp:login': {args: ['name'], flags: {}},
  'mcp:logout': {args: ['name'], flags: {}},
  'mcp:logs': {args: ['name'], flags: {}},
  'mcp:prompts': {args: ['[server]'], flags: {}},
  'mcp:remove': {args: ['name'], flags: {scope: '-s user | project'}},
  'mcp:resources': {args: ['[server]'], flags: {read: 'text'}},
  'mcp:serve': {
    args: [],
    flags: {
      'allow-plain-http': 'yes',
      face: 'tools | agent | both',
      host: 'text',
      http: 'yes',
      port: 'text',
      'print-config': 'claude | cursor | vscode | codex | zed',
      'tls-cert': 'text',
      'tls-key': 'text',
      'token-file': 'text',
    },
  },
  'mcp:test': {args: ['name'], flags: {}},
  'memory:add': {args: ['fact'], flags: {scope: 'global | private | project'}},
  'memory:check': {args: [], flags: {contradictions: 'yes'}},
  'memory:explain': {args: ['text'], flags: {}},
  'memory:list': {args: [], flags: {}},
  'memory:reload': {args: [], flags: {}},
  'memory:show': {args: [], flags: {}},
  model: {args: ['[name]'], flags: {persist: 'yes'}},
  models: {args: [], flags: {}},
  plan: {args: [], flags: {}},
  'plan:done': {args: [], flags: {}},
  'plan:list': {args: [], flags: {}},
  'plan:show': {args: ['[name]'], flags: {}},
  'plugins:audit': {args: [], flags: {format: 'text | cyclonedx'}},
  'plugins:build': {args: ['[directory]'], flags: {compile: 'yes'}},
  'plugins:check': {args: ['[directory]'], flags: {strict: 'yes', yes: 'yes'}},
  'plugins:create': {
    args: ['name'],
    flags: {
      ...{tool: 'yes', command: 'yes', hook: 'yes', service: 'yes', setting: 'yes'},
      ...{directory: 'text', install: 'yes'},
    },
  },
  'plugins:inspect': {args: [], flags: {registry: 'text', verbose: '-v yes'}},
  'plugins:install': {
    args: [],
    flags: {
      yes: 'yes',
      force: '-f yes',
      project: 'yes',
      system: 'yes',
      frozen: 'yes',
      registry: 'text',
      verbose: '-v yes',
      silent: '-s yes',
      jit: 'yes',
    },
  },
  'plugins:link': {
    args: ['[path]'],
    flags: {yes: 'yes', force: '-f yes', watch: 'yes', frozen: 'yes', install: 'yes', verbose: '-v yes'},
  },
  'plugins:list': {args: [], flags: {core: 'yes'}},
  'plugins:pack': {args: ['[directory]'], flags: {sign: 'text', 'key-name': 'text', out: 'text'}},
  'plugins:reset': {args: [], flags: {hard: 'yes', yes: 'yes', reinstall: 'yes'}},
  'plugins:rollback': {args: ['[plugin]'], flags: {to: 'text', list: 'yes', project: 'yes', system: 'yes'}},
  'plugins:search': {args: [], flags: {limit: 'text', source: 'text'}},
  'plugins:test': {args: ['[directory]'], flags: {}},
  'plugins:uninstall': {args: [], flags: {project: 'yes', system: 'yes', verbose: '-v yes'}},
  'plugins:update': {
    args: [],
    flags: {check: 'yes', yes: 'yes', force: '-f yes', project: 'yes', system: 'yes', verbose: '-v yes'},
  },
  'plugins:verify': {args: ['[plugin]'], flags: {}},
  'policy:check': {args: ['[path]'], flags: {}},
  'policy:explain': {args: ['tool'], flags: {args: 'text', mode: 'plan | default | auto_edit | yolo', headless: 'yes'}},
  'policy:list': {args: [], flags: {tool: 'text', tier: 'default | extension | workspace | session | user | admin'}},
  'policy:prove': {args: ['old', 'new'], flags: {asks: 'yes'}},
  'policy:test': {args: ['[path]'], flags: {}},
  'sandbox:explain': {args: [], flags: {filter: 'yes', mode: 'default | auto_edit | plan | yolo'}},
  'sandbox:shell': {args: [], flags: {}},
  'sandbox:status': {args: [], flags: {}},
  'sandbox:test': {args: [], flags: {only: 'text'}},
  'sessions:delete': {args: ['session'], flags: {}},
  'sessions:export': {args: ['session', '[file]'], flags: {format: 'markdown | json', force: 'yes'}},
  'sessions:list': {args: [], flags: {}},
  'sessions:rename': {args: ['session', 'name'], flags: {}},
  'sessions:restore': {args: ['[checkpoint]'], flags: {session: 'text', force: 'yes'}},
  'sessions:resume': {args: ['[session]'], flags: {}},
  'sessions:rewind': {args: ['[prompt]'], flags: {session: 'text', what: 'both | conversation | files', force: 'yes'}},
  'sessions:search': {args: ['text'], flags: {}},
  'sessions:show': {args: ['[session]'], flags: {}},
  'sessions:tag:delete': {args: ['tag'], flags: {}},
  'sessions:tag:list': {args: [], flags: {}},
  'sessions:tag:load': {args: ['tag'], flags: {}},
  'sessions:tag:save': {args: ['tag'], flags: {force: 'yes'}},
  'sessions:tag:share': {args: ['[file]'], flags: {force: 'yes'}},
  'settings:check': {args: [], flags: {}},
  'settings:explain': {args: ['key'], flags: {}},
  'settings:get': {args: ['key'], flags: {}},
  'settings:list': {args: [], flags: {all: 'yes'}},
  'settings:schema': {args: [], flags: {}},
  'settings:set': {args: ['key', '[value]'], flags: {scope: 'user | project', unset: 'yes'}},
  shells: {args: ['[action]', '[pid]'], flags: {}},
  'skills:check': {args: ['[folder]'], flags: {}},
  'skills:disable': {args: ['name'], flags: {scope: '-s user | workspace'}},
  'skills:enable': {args: ['name'], flags: {}},
  'skills:install': {
    args: ['source'],
    flags: {scope: '-s user | workspace', path: 'text', ref: 'text', consent: 'yes'},
  },
  'skills:link': {args: ['folder'], flags: {scope: '-s user | workspace', consent: 'yes'}},
  'skills:list': {args: [], flags: {all: 'yes'}},
  'skills:new': {args: ['name'], flags: {scope: '-s user | workspace', directory: '-d text', description: 'text'}},
  'skills:pack': {args: ['[folder]'], flags: {output: '-o text', force: '-f yes'}},
  'skills:show': {args: ['name'], flags: {}},
  'skills:test': {args: ['[folder]'], flags: {allow: 'text, many', model: '-m text', only: 'text', deadline: 'text'}},
  'skills:uninstall': {args: ['name'], flags: {scope: '-s user | workspace'}},
  'skills:update': {args: ['[name]'], flags: {scope: '-s user | workspace', consent: 'yes'}},
  stats: {args: [], flags: {}},
  todos: {args: [], flags: {}},
  'tools:call': {
    args: ['name'],
    flags: {args: 'text', 'args-file': 'text', 'exit-code': 'yes', yes: 'yes', trace: 'yes'},
  },
  'tools:describe': {args: ['name'], flags: {}},
  'tools:list': {args: [], flags: {offered: 'yes'}},
  tour: {args: [], flags: {}},
  'trust:add': {args: ['[path]'], flags: {parent: 'yes', deny: 'yes'}},
  'trust:explain': {args: ['[path]'], flags: {}},
  'trust:list': {args: [], flags: {}},
  'trust:remove': {args: ['[path]'], flags: {}},
  why: {args: ['[call]'], flags: {}},
};

/** Taken by every command of ours. */
const shared = {json: 'yes'};

const slash = [
  'about',
  'catalogs:list',
  'clear',
  'code:find',
  'code:map',
  'code:outline',
  'code:servers',
  'code:status',
  'commands:list',
  'commands:reload',
  'compress',
  'directory:add',
  'directory:explain',
  'directory:show',
  'doctor',
  'extensions:disable',
  'extensions:enable',
  'extensions:explore',
  'extensions:list',
  'extensions:show',
  'hooks:disable',
  'hooks:enable',
  'hooks:list',
  'hooks:show',
  'hooks:test',
  'hooks:trust',
  'ide:disable',
  'ide:doctor',
  'ide:enable',
  'ide:install',
  'ide:status',
  'init',
  'keys',
  'mcp:add',
  'mcp:call',
  'mcp:disable',
  'mcp:enable',
  'mcp:get',
  'mcp:list',
  'mcp:login',
  'mcp:logout',
  'mcp:logs',
  'mcp:prompts',
  'mcp:remove',
  'mcp:resources',
  'mcp:test',
  'memory:add',
  'memory:check',
  'memory:explain',
  'memory:list',
  'memory:reload',
  'memory:show',
  'model',
  'models',
  'plan',
  'plan:done',
  'plan:list',
  'plan:show',
  'plugins:search',
  'policy:check',
  'policy:explain',
  'policy:list',
  'policy:test',
  'sandbox:explain',
  'sandbox:status',
  'sessions:delete',
  'sessions:export',
  'sessions:list',
  'sessions:rename',
  'sessions:restore',
  'sessions:resume',
  'sessions:rewind',
  'sessions:search',
  'sessions:show',
  'sessions:tag:delete',
  'sessions:tag:list',
  'sessions:tag:load',
  'sessions:tag:save',
  'sessions:tag:share',
  'settings:check',
  'settings:explain',
  'settings:get',
  'settings:list',
  'settings:set',
  'shells',
  'skills:check',
  'skills:disable',
  'skills:enable',
  'skills:install',
  'skills:link',
  'skills:list',
  'skills:new',
  'skills:show',
  'skills:uninstall',
  'stats',
  'todos',
  'tools:call',
  'tools:describe',
  'tools:list',
  'trust:add',
  'trust:explain',
  'trust:list',
  'trust:remove',
  'why',
];

/** Of oclif's own plugins, which the product takes as they are. */
const oclifCommands = ['autocomplete', 'autocomplete:create', 'autocomplete:script', 'help'];

async function readCommands(): Promise<readonly (readonly [string, OclifCommand])[]> {
  const entries = JSON.parse(await readFile(join(checkout, 'bin', 'dist', 'commands.json'), 'utf8')) as readonly {
    readonly manifest: {readonly commands: Record<string, OclifCommand>};
  }[];
  return entries.flatMap(({manifest}) => Object.entries(manifest.commands)).sort(([a], [b]) => (a < b ? -1 : 1));
}

function describeFlag({type, char, multiple, options}: NonNullable<OclifCommand['flags']>[string]): string {
  return `${char ? `-${char} ` : ''}${type === 'boolean' ? 'yes' : (options?.join(' | ') ?? 'text')}${multiple ? ', many' : ''}`;
}

function describeCommand({args = {}, flags = {}}: OclifCommand): object {
  return {
    args: Object.entries(args).map(([name, {required}]) => (required ? name : `[${name}]`)),
    flags: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, describeFlag(flag)])),
  };
}

test('these commands with these arguments and flags are what people and scripts rely on [surface.pinned]', async () => {
  const own = (await readCommands()).filter(([id]) => !oclifCommands.includes(id));
  const expected = Object.entries(commands).map(([id, {args, flags}]) => [id, {args, flags: {...shared, ...flags}}]);
  expect(own.map(([id, command]) => [id, describeCommand(command)])).toEqual(expected);
});

test('these commands of oclif come along', async () => {
  const ids = (await readCommands()).map(([id]) => id);
  expect(ids.filter((id) => !(id in commands))).toEqual(oclifCommands);
});

test('these commands can be used inside a conversation [cli.slash]', async () => {
  const manifests = await Promise.all((await listPlugins()).map(readBuiltManifest));
  expect(
    manifests
      .flatMap((manifest) => manifest.commands)
      .filter((command) => command.slash)
      .map(({id}) => id)
      .sort(),
  ).toEqual(slash);
});

test('the package offers one program', async () => {
  const {bin} = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {bin: unknown};
  expect(bin).toEqual({gemini: 'bin/gemini.cjs'});
});
