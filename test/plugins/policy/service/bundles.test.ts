import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {hostBundles} from '../../../helpers/host-services.js';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {pluginRoot} from '../../../helpers/plugin-root.js';

const plugins = ['settings', 'trust', 'workspace', 'filesystem', 'policy'].map(pluginRoot);

async function call(origin: ActiveBundle['origin'], rule: string, own = ''): Promise<unknown> {
  await using folder = await makeFolder();
  const file = join(folder.path, 'corp.toml');
  await writeFile(file, rule);
  await using kernel = await createTestKernel({
    plugins,
    confirm: 'yes',
    files: {'a.txt': 'a'},
    homeFiles: own ? {'.gemini/policies/mine.toml': own} : {},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    services: [hostBundles({name: 'corp', origin, settings: {}, policies: [file]})],
  });
  const outcome = await kernel.call('read_file', {file_path: 'a.txt'});
  return outcome.status === 'refused' ? outcome.reason : outcome.status;
}

const rule = (decision: string): string =>
  `[[rule]]\ntoolName = "read_file"\ndecision = "${decision}"\npriority = ` +
  `500\n${decision === 'deny' ? 'denyMessage = "Not here."\n' : ''}`;

test.each<[ActiveBundle['origin'], string]>([
  ['system', 'Not here.'],
  ['product', 'Not here.'],
])(
  'rules of a bundle of the %s count as the administrator’s: no rule of a person lifts them [policy.bundles]',
  async (origin, expected) => {
    expect(await call(origin, rule('deny'), rule('allow'))).toContain(expected);
  },
);

test('rules of a bundle that a person applied are that person’s', async () => {
  expect(await call('user', rule('deny'))).toContain('Not here.');
});

test('a bundle whose rules are broken stops everything, as the administrator’s own would', async () => {
  await expect(call('system', '[[rule]]\ntoolName = \n')).rejects.toMatchObject({code: 'POLICY_ADMIN_BROKEN'});
});
