import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {migrateKeys} from '#plugins/settings/dist/migrate-keys.js';

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'disableAutoUpdate',
    {general: {disableAutoUpdate: true, vimMode: true}},
    {general: {enableAutoUpdate: false, vimMode: true}},
  ],
  ['disableUpdateNag', {general: {disableUpdateNag: false}}, {general: {enableAutoUpdateNotification: true}}],
  [
    'disableLoadingPhrases',
    {ui: {accessibility: {disableLoadingPhrases: true}}},
    {ui: {accessibility: {enableLoadingPhrases: false}, loadingPhrases: 'off'}},
  ],
  [
    'enableLoadingPhrases: false',
    {ui: {accessibility: {enableLoadingPhrases: false}}},
    {ui: {accessibility: {enableLoadingPhrases: false}, loadingPhrases: 'off'}},
  ],
  [
    'enableLoadingPhrases: true',
    {ui: {accessibility: {enableLoadingPhrases: true}}},
    {ui: {accessibility: {enableLoadingPhrases: true}}},
  ],
  [
    'disableFuzzySearch',
    {context: {fileFiltering: {disableFuzzySearch: true}}},
    {context: {fileFiltering: {enableFuzzySearch: false}}},
  ],
  ['tools.approvalMode', {tools: {approvalMode: 'plan'}}, {tools: {}, general: {defaultApprovalMode: 'plan'}}],
  [
    'codebaseInvestigatorSettings',
    {
      experimental: {
        codebaseInvestigatorSettings: {
          enabled: true,
          maxNumTurns: 15,
          maxTimeMinutes: 5,
          thinkingBudget: 1,
          model: 'm',
        },
      },
    },
    {
      experimental: {},
      agents: {
        overrides: {
          codebase_investigator: {
            enabled: true,
            runConfig: {maxTurns: 15, maxTimeMinutes: 5},
            modelConfig: {model: 'm', generateContentConfig: {thinkingConfig: {thinkingBudget: 1}}},
          },
        },
      },
    },
  ],
  [
    'cliHelpAgentSettings',
    {experimental: {cliHelpAgentSettings: {enabled: false}}},
    {experimental: {}, agents: {overrides: {cli_help: {enabled: false}}}},
  ],
  ['experimental.plan', {experimental: {plan: false}}, {experimental: {}, general: {plan: {enabled: false}}}],
  ['the theme VS', {ui: {theme: 'VS'}}, {ui: {theme: 'Default Light'}}],
  ['the theme VS2015', {ui: {theme: 'VS2015'}}, {ui: {theme: 'Default'}}],
  [
    'nothing when the present name is there',
    {general: {disableAutoUpdate: true, enableAutoUpdate: true}},
    {general: {enableAutoUpdate: true}},
  ],
  [
    'nothing when the old value means nothing',
    {general: {disableAutoUpdate: 'perhaps'}},
    {general: {disableAutoUpdate: 'perhaps'}},
  ],
  ['nothing below something that is not an object', {general: 5}, {general: 5}],
])('gives %s its present name', (_, old, expected) => {
  expect(migrateKeys(old)).toEqual(expected);
});

test('reading old names leaves the file as it is', async () => {
  const text = '{"general": {"disableAutoUpdate": true} /* old */}';
  await using kernel = await createTestKernel({
    plugins: [pluginRoot('settings')],
    homeFiles: {'.gemini/settings.json': text},
  });
  const value = await (await kernel.service('settings')).get('general.enableAutoUpdate');
  expect([value, await readFile(join(kernel.home, '.gemini/settings.json'), 'utf8')]).toEqual([false, text]);
});
