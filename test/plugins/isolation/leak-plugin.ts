import {mkdirSync, realpathSync, writeFileSync} from 'node:fs';
import {randomUUID} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {boot, createCatalog, type Session, type ToolEntry} from '@gemini-kernel/kernel/host';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {createElsewhere} from '#bin/dist/elsewhere.js';
import {CANARY, Laboratory} from '#plugins/sandbox/dist/leaks/laboratory.js';
import {allProbes} from '#plugins/sandbox/dist/leaks/probes/index.js';
import type {Probe} from '#plugins/sandbox/dist/leaks/probe.js';
import {listenerCode, makeFolder, makePlugin, type PluginParts} from '../../helpers/make-plugin.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

/** Where in a plugin the lines of a probe run. */
export type Inside = 'tool' | 'listener' | 'service' | 'command';

/** What a program of the plugin printed, or that it could not. */
type RunScript = (script: string) => Promise<string>;

/** The module with which a plugin runs a script. */
export const SHELL = `import {execFile} from 'node:child_process';
export const run = (script, project) => new Promise((resolve) => {
  const env = {...process.env, HOME: process.env.LAB + '/home', LANG: 'C.UTF-8'};
  execFile('/bin/sh', ['-c', script], {cwd: project, env, timeout: 15000}, (error, stdout) => resolve(String(stdout)));
});\n`;

const tool: ToolEntry = {
  name: 'guest_shell',
  description: 'Made for a test.',
  effect: 'read',
  annotations: {},
  input: {type: 'object'},
  module: 'dist/tool.js',
};

/** Everything that a plugin may declare so that the probes run at all; nothing of it opens what they try to reach. */
export function capabilitiesOf(shown: string): readonly string[] {
  return ['process', 'fs:write', 'env:LAB', 'env:PORT', 'env:BYSTANDER', `fs:read:${shown}`];
}

function guest(laboratory: Laboratory): PluginParts {
  const import_ = "import {run} from './shell.js';\n";
  return {
    name: 'gemini-plugin-guest',
    origin: 'user',
    capabilities: capabilitiesOf(laboratory.shown),
    tools: [tool],
    listeners: [{hook: 'tool:judge', module: 'dist/judge.js'}],
    services: [{name: 'guest-shell', version: '1.0.0', scope: 'session', methods: ['run'], module: 'dist/service.js'}],
    files: {
      'dist/shell.js': SHELL,
      'dist/tool.js':
        `${import_}import {defineTool} from '@gemini-kernel/kernel';\n` +
        `export default defineTool({name: 'guest_shell', effect: 'read', description: 'x', input: {type: 'object'},\n` +
        'async run({script, project}) { return {model: await run(script, project)}; }});\n',
      'dist/judge.js':
        import_ +
        listenerCode(
          'tool:judge',
          'const {script, project, isJudged} = payload.input;\n' +
            "if (isJudged) return {decision: 'deny', reason: 'It printed: ' + await run(script, project)};",
        ),
      'dist/service.js':
        `${import_}import {provide} from '@gemini-kernel/kernel';\n` +
        "export default provide('guest-shell', {version: '1.0.0', scope: 'session', methods: ['run'],\n" +
        'create: () => ({run})});\n',
    },
  };
}

export interface LeakLaboratory extends AsyncDisposable {
  readonly laboratory: Laboratory;
  run(where: Inside): RunScript;
}

/** A laboratory in which a plugin runs in a process of its own. Its commands: see `openCommandLaboratory`. */
export async function openLeakLaboratory(): Promise<LeakLaboratory> {
  const folder = await makeFolder();
  const laboratory = await Laboratory.build(realpathSync(tmpdir()));
  const {project, home} = laboratory;
  mkdirSync(join(home, '.gemini'), {recursive: true});
  writeFileSync(join(home, '.gemini', 'settings.json'), '{"security": {"pluginIsolation": "required"}}');
  const needed = await Promise.all(
    ['settings', 'trust', 'workspace', 'secrets', 'sandbox', 'isolation'].map((name) => readPlugin(pluginRoot(name))),
  );
  const catalog = createCatalog([...needed, await makePlugin(folder.path, guest(laboratory))]);
  const kernel = boot(
    catalog,
    {
      ...{cwd: project, home, temporary: tmpdir(), cacheDir: join(laboratory.path, 'cache')},
      platform: process.platform,
      variables: {
        ...laboratory.variables(process.env),
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GEMINI_TEST_TOKEN: CANARY,
      },
      flags: {},
      interactive: true,
      newId: randomUUID,
    },
    {print: () => undefined, elsewhere: createElsewhere(catalog)},
  );
  const session = kernel.open({});
  await session.announce();
  return {
    laboratory,
    run: (where) => runIn(session, project, where),
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await laboratory.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function runIn(session: Session, project: string, where: Inside): RunScript {
  return async (script) => {
    if (where === 'service') {
      const shell = (await session.service('guest-shell' as never)) as unknown as {
        run(script: string, project: string): Promise<string>;
      };
      return shell.run(script, project);
    }
    const input = {script, project, ...(where === 'listener' ? {isJudged: true} : {})};
    const outcome = await session.call({tool: 'guest_shell', input}, {confirm: async () => ({decision: 'yes'})});
    if (outcome.status === 'refused') return outcome.reason;
    if (outcome.status === 'done') return outcome.result.model as string;
    throw outcome.error;
  };
}

/** What must not succeed. That a process ends with its command is not asked of one that lives on. */
export function leakProbes(): readonly Probe[] {
  return allProbes().filter(({kind, id}) => kind === 'contained' && id !== 'machine.outlive');
}

/** The probes that succeeded, each with what shows it. */
export async function findLeaks(
  {laboratory, run}: LeakLaboratory,
  where: Inside,
  probes: readonly Probe[],
): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const {id, script, keeps = []} of probes) {
    const before = keeps.map((path) => laboratory.look(path));
    const said = await run(where)(script).catch((error: unknown) => {
      // Who ends all processes also ends the own one.
      if ((error as {readonly code?: unknown}).code === 'PLUGIN_DIED') return '';
      throw error;
    });
    const changed = keeps.filter((path, index) => laboratory.look(path) !== before[index]);
    if (changed.length > 0) leaks.push(`${id}: changed ${changed.join(', ')}`);
    else if (said.includes(CANARY) || said.includes('LEAK')) leaks.push(`${id}: ${said}`);
  }
  return leaks;
}
