import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from '@jest/globals';
import {readPlugin} from '@gemini-kernel/kernel/testing';
import {checkout, pluginRoot} from '../helpers/plugin-root.js';

const {chooseProduct} = (await import(
  pathToFileURL(join(checkout, 'bin/dist/choose-product.js')).href
)) as typeof import('../../bin/src/choose-product.js');
type Parts = Parameters<typeof chooseProduct>[1];

const names = ['settings', 'trust', 'workspace', 'policy', 'filesystem', 'search', 'tools', 'doctor'];
const product = await Promise.all(names.map((name) => readPlugin(pluginRoot(name))));
const bundle = (origin: 'user' | 'system', ...plugins: readonly string[]): Parts['bundles'][number] => ({
  name: origin,
  origin,
  settings: {},
  policies: [],
  product: plugins.map((name) => `@gemini-kernel/plugin-${name}`),
});

test.each<[string, Partial<Parts>, readonly string[]]>([
  ['nothing is said', {}, names],
  [
    'an administrator blocks one by name',
    {withheld: ['@gemini-kernel/plugin-search']},
    ['settings', 'trust', 'workspace', 'policy', 'filesystem', 'tools', 'doctor'],
  ],
  [
    'a bundle of the administrator lists some',
    {bundles: [bundle('system', 'settings', 'workspace', 'filesystem')]},
    ['settings', 'workspace', 'filesystem'],
  ],
  [
    'a bundle of the person lists some: what judges calls stays, with what that needs',
    {bundles: [bundle('user', 'tools')]},
    ['settings', 'trust', 'workspace', 'policy', 'tools'],
  ],
  ['a bundle lists none', {bundles: [bundle('user'), bundle('system')]}, names],
  [
    'both list some',
    {
      bundles: [
        bundle('user', 'tools', 'doctor'),
        bundle('system', 'settings', 'trust', 'workspace', 'policy', 'doctor'),
      ],
    },
    ['settings', 'trust', 'workspace', 'policy', 'doctor'],
  ],
])('of the product stays, when %s [bundles.guards]', (_, parts, stay) => {
  expect(
    chooseProduct(product, {withheld: [], bundles: [], ...parts}).map(({manifest}) =>
      manifest.name.replace('@gemini-kernel/plugin-', ''),
    ),
  ).toEqual(stay);
});
