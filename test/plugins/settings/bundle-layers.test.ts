import {describe, expect, test} from '@jest/globals';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {hostBundles} from '../../helpers/host-services.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

const plugins = [pluginRoot('settings')];
const bundle = (name: string, settings: ActiveBundle['settings']): ActiveBundle => ({
  name,
  origin: 'system',
  settings,
  policies: [],
});

describe('what bundles in force say [settings.bundles]', () => {
  test('stands below and above what anybody else says', async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {'.gemini/settings.json': '{"model": {"name": "user"}, "general": {"vimMode": true}}'},
      flags: {'model.name': 'flag'},
      services: [
        hostBundles(
          bundle('corp', {
            defaults: {general: {vimMode: false, preferredEditor: 'vim'}},
            enforced: {model: {name: 'enforced'}},
          }),
        ),
      ],
    });
    const settings = await kernel.service('settings');
    const {layers, winner, value} = await settings.explain('model.name');
    expect({
      said: layers.map(({layer, source, value: own}) => [layer, source?.startsWith('/') ? 'file' : source, own]),
      winner,
      value,
    }).toEqual({
      said: [
        ['user', 'file', 'user'],
        ['flag', undefined, 'flag'],
        ['enforced', 'bundle corp', 'enforced'],
      ],
      winner: 'enforced',
      value: 'enforced',
    });
    expect([await settings.get('general.vimMode'), await settings.get('general.preferredEditor')]).toEqual([
      true,
      'vim',
    ]);
  });

  test('is not expanded with variables, which the user who starts the program sets', async () => {
    await using kernel = await createTestKernel({
      plugins,
      variables: {NAME: 'mine'},
      services: [hostBundles(bundle('corp', {enforced: {model: {name: '$NAME'}}}))],
    });
    expect(await (await kernel.service('settings')).get('model.name')).toBe('$NAME');
  });

  test("of a person's own bundle stands above the files of that person, and below the system's and the flags", async () => {
    await using kernel = await createTestKernel({
      plugins,
      homeFiles: {'.gemini/settings.json': '{"model": {"name": "user"}, "general": {"vimMode": true}}'},
      flags: {'model.name': 'flag'},
      services: [
        hostBundles({
          ...bundle('mine', {enforced: {model: {name: 'mine'}, general: {vimMode: false}}}),
          origin: 'user',
        }),
      ],
    });
    const settings = await kernel.service('settings');
    expect([await settings.get('model.name'), await settings.get('general.vimMode')]).toEqual(['flag', false]);
  });

  test('is reported when it does not fit', async () => {
    await using kernel = await createTestKernel({
      plugins,
      services: [hostBundles(bundle('corp', {enforced: {general: {vimMode: 'often'}}}))],
    });
    await (await kernel.service('settings')).get('general.vimMode');
    expect(kernel.warnings).toEqual([
      expect.stringMatching(/^bundle corp: general\.vimMode .*often.*; it is used all the same\.$/),
    ]);
  });

  test("of a person's own bundle loosens nothing that the person decides alone [authority.bundle]", async () => {
    const loosening = {
      security: {
        folderTrust: {enabled: false},
        disableYoloMode: false,
        checkers: {audit: {command: 'true'}},
        environmentVariableRedaction: {enabled: false},
      },
      tools: {allowed: ['run_shell_command'], exclude: ['web_fetch']},
      general: {defaultApprovalMode: 'auto_edit'},
      mcpServers: {x: {command: 'x', trust: true}},
      policyPaths: ['a.toml'],
      adminPolicyPaths: ['b.toml'],
      context: {includeDirectories: ['/']},
    };
    await using kernel = await createTestKernel({
      plugins,
      services: [hostBundles({...bundle('mine', {enforced: loosening}), origin: 'user'})],
    });
    const settings = await kernel.service('settings');
    const keys = [
      'security.folderTrust.enabled',
      'security.checkers',
      'security.environmentVariableRedaction.enabled',
      'tools.allowed',
      'general.defaultApprovalMode',
      'mcpServers',
      'policyPaths',
      'adminPolicyPaths',
      'context.includeDirectories',
      'tools.exclude',
    ];
    expect(await Promise.all(keys.map((key) => settings.get(key)))).toEqual([
      true,
      {},
      true,
      undefined,
      'default',
      {x: {command: 'x'}},
      [],
      [],
      [],
      ['web_fetch'],
    ]);
    expect(kernel.warnings.join('\n')).toContain('The bundle mine says security.folderTrust.enabled, ');
  });
});
