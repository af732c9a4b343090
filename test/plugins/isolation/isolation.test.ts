import {expect} from '@jest/globals';
import type {ToolEntry} from '@gemini-kernel/kernel/host';
import {makeFolder, makePlugin, type PluginParts} from '../../helpers/make-plugin.js';
import {openIsolated, testIsolated} from './open-isolated.js';

const NAME = 'gemini-plugin-guest';

function toolEntry(name: string): ToolEntry {
  return {name, description: 'Made for a test.', effect: 'read', annotations: {}, input: {type: 'object'}, module: `dist/${name}.js`};
}

function toolCode(name: string, parts: string): string {
  return `import {defineTool, ToolError} from '@gemini-kernel/kernel';
import fs from 'node:fs';
export default defineTool({name: '${name}', effect: 'read', description: 'x', input: {type: 'object'}, ${parts}});\n`;
}

function guest(tools: Readonly<Record<string, string>>, more: Partial<PluginParts> = {}): PluginParts {
  const {files, ...rest} = more;
  return {
    name: NAME,
    origin: 'user',
    tools: Object.keys(tools).map(toolEntry),
    ...rest,
    files: {
      ...Object.fromEntries(Object.entries(tools).map(([name, code]) => [`dist/${name}.js`, toolCode(name, code)])),
      ...files,
    },
  };
}

testIsolated('a tool of an installed plugin runs in another process [isolation.process]', async () => {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, guest({
    guest_where: `run: async () => ({model: String(process.pid), data: {cwd: process.cwd(), env: Object.keys(process.env).sort()}})`,
  }));
  await using kernel = await openIsolated({plugins: [plugin], variables: {SECRET_TOKEN: 'x'}});
  const outcome = await kernel.call('guest_where', {});
  console.error(JSON.stringify(outcome));
  expect(outcome).toMatchObject({status: 'done', result: {model: expect.stringMatching(/^\d+$/)}});
  const {data} = (outcome as {result: {data: {env: string[]}}}).result;
  expect(data.env).not.toContain('SECRET_TOKEN');
});
