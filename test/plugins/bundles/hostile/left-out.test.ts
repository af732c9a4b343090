import {expect, test} from '@jest/globals';
import {builtModule} from '../../../helpers/built-module.js';

type Report = (proposal: object, paint: (style: string, text: string) => string) => readonly string[];

test('the consent question names the product plugins that a bundle leaves out', async () => {
  const {proposalReport} = await builtModule<{proposalReport: Report}>('bundles', 'bundle/proposal-report.js');
  const lock = {
    name: 'corp',
    serial: 1,
    description: 'Ours.',
    plugins: {installed: {}, product: ['@gemini-kernel/plugin-settings']},
    policies: [],
  };
  const leftOut = ['@gemini-kernel/plugin-policy', '@gemini-kernel/plugin-trust'];
  expect(
    proposalReport(
      {
        bundle: {lock},
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
    'corp, serial 1: Ours.',
    '  product     keeps only 1 of its plugins',
    '  leaves out  @gemini-kernel/plugin-policy, @gemini-kernel/plugin-trust',
  ]);
});
