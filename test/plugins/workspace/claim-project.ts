import {randomUUID} from 'node:crypto';
import {boot, createCatalog} from '@gemini-kernel/kernel/host';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

// A process that claims the given project and prints the short name.
const [home = '', cwd = ''] = process.argv.slice(2);
const plugins = await Promise.all([readPlugin(pluginRoot('settings')), readPlugin(pluginRoot('workspace'))]);
const kernel = boot(
  createCatalog(plugins),
  {
    cwd,
    home,
    temporary: home,
    cacheDir: home,
    platform: process.platform,
    variables: {},
    flags: {},
    interactive: false,
    newId: randomUUID,
  },
  {print: ({sentence}) => console.error(sentence)},
);
const {slug} = await (await kernel.open().service('project')).claim();
await kernel.close();
process.send?.(slug, () => process.disconnect());
