import {expect, test} from '@jest/globals';
import {makeOpenBundle} from '../bundle/open-bundle.js';
import {proposalReport} from '#plugins/bundles/dist/bundle/proposal-report.js';

test('the consent question names the product plugins that a bundle leaves out', async () => {
  const bundle = makeOpenBundle({plugins: {installed: {}, product: ['@gemini-kernel/plugin-settings']}});
  const leftOut = ['@gemini-kernel/plugin-policy', '@gemini-kernel/plugin-trust'];
  expect(
    proposalReport(
      {
        bundle,
        scope: 'user',
        findings: [],
        manifests: new Map(),
        before: undefined,
        displaced: [],
        leftOut,
        fresh: {},
      },
      (_, text) => text,
    ),
  ).toEqual([
    'corp, serial 1: For a test.',
    '  product     keeps only 1 of its plugins',
    '  leaves out  @gemini-kernel/plugin-policy, @gemini-kernel/plugin-trust',
  ]);
});
