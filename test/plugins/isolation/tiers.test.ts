import {cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {expect} from '@jest/globals';
import type {CatalogPlugin, Manifest} from '@gemini-kernel/kernel/host';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {createElsewhere} from '#bin/dist/elsewhere.js';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {testIsolated} from './open-isolated.js';

interface Case {
  readonly needs: readonly string[];
  readonly capabilities: readonly string[];
  readonly calls: readonly (readonly [tool: string, input: object])[];
}

const AGENT = ['env', 'policy', 'agent', 'model-replay', 'sessions'];

/** Plugins of the product whose services all travel, with calls that end well and calls that do not. */
const cases: Readonly<Record<string, Case>> = {
  todos: {
    needs: AGENT,
    capabilities: ['fs:write'],
    calls: [
      ['write_todos', {todos: [{description: 'One', status: 'in_progress'}]}],
      ['write_todos', {todos: 7}],
      ['tracker_list_tasks', {}],
      ['tracker_get_task', {id: 'none'}],
    ],
  },
  ask: {
    needs: AGENT,
    capabilities: [],
    calls: [
      ['ask_user', {questions: [{question: 'Which?', header: 'Which', type: 'text'}]}],
      ['ask_user', {questions: []}],
    ],
  },
};

/** A plugin of the product as it lies when it is installed: with its packages, and what it declares. */
function install(folder: string, name: string, capabilities: readonly string[]): CatalogPlugin {
  const modules = join(folder, 'node_modules');
  const copied = new Set<string>();
  const copy = (from: string): void => {
    const {name: own, dependencies = {}} = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    if (copied.has(own)) return;
    copied.add(own);
    mkdirSync(dirname(join(modules, own)), {recursive: true});
    cpSync(from, join(modules, own), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|src)$/.test(path) || path === from,
    });
    const folders = createRequire(join(from, 'package.json')).resolve.paths('x') ?? [];
    for (const one of Object.keys(dependencies)) {
      const found = folders.map((above) => join(above, one)).find((path) => existsSync(path));
      if (found !== undefined) copy(realpathSync(found));
    }
  };
  copy(pluginRoot(name));
  copy(join(checkout, 'kernel'));
  const root = join(modules, '@gemini-kernel', `plugin-${name}`);
  const file = join(root, 'gemini.plugin.json');
  const manifest = {...(JSON.parse(readFileSync(file, 'utf8')) as Manifest), capabilities};
  writeFileSync(file, JSON.stringify(manifest));
  return {root, origin: 'core', manifest};
}

/** Writes down every call that ends, with who was asked and what each answered. */
const RECORDER = `import {listen} from '@gemini-kernel/kernel';
export default listen('tool:end', {run: async (ended) => {
  (globalThis.endedCalls ??= []).push(ended);
}});\n`;

testIsolated.each(Object.entries(cases))(
  '%s does the same in both tiers, with the same trace [isolation.tiers]',
  async (name, {needs, capabilities, calls}) => {
    await using folder = await makeFolder();
    const plugin = install(folder.path, name, capabilities);
    const recorder = await makePlugin(folder.path, {
      name: 'recorder',
      listeners: [{hook: 'tool:end', module: './end.js'}],
      files: {'end.js': RECORDER},
    });
    const others = ['settings', 'trust', 'workspace', 'secrets', 'sandbox', 'isolation', ...needs].map(pluginRoot);
    const run = async (isIsolated: boolean): Promise<{said: unknown; starts: number}> => {
      const ended: unknown[] = ((globalThis as unknown as {endedCalls: unknown[]}).endedCalls = []);
      await using kernel = await createTestKernel({
        plugins: [...others, recorder, isIsolated ? {...plugin, isolated: true} : plugin],
        elsewhere: createElsewhere,
        confirm: 'yes',
        answer: ({fields}) => ({
          outcome: 'answered',
          values: Object.fromEntries(fields.map((one) => [one.name, 'This'])),
        }),
        variables: {PATH: process.env['PATH'], GEMINI_CLI_TRUST_WORKSPACE: 'true'},
      });
      expect(kernel.kernel.catalog.refused).toEqual([]);
      const outcomes = [];
      for (const [tool, input] of calls) outcomes.push(await kernel.call(tool, input));
      const states = await (await kernel.service('isolation')).state();
      const folders = [kernel.project, kernel.home, dirname(kernel.project)];
      return {said: settle({outcomes, ended}, folders), starts: states.reduce((sum, {starts}) => sum + starts, 0)};
    };
    const [inside, apart] = [await run(false), await run(true)];
    expect([inside.starts, apart.starts]).toEqual([0, 1]);
    expect(apart.said).toEqual(inside.said);
    expect(JSON.stringify(inside.said)).toContain('"status":"done"');
  },
  60_000,
);

/** Without what differs between any two runs: times, ids and folders. */
function settle(value: unknown, folders: readonly string[]): unknown {
  const text = JSON.stringify(value, (key, one: unknown) =>
    ['ms', 'began', 'id', 'callId', 'call', 'session'].includes(key) && typeof one !== 'object' ? key : one,
  );
  return JSON.parse(
    folders
      .reduce((all, folder) => all.replaceAll(folder, '<folder>'), text)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'),
  );
}
