import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';

const plugins = ['settings', 'secrets'].map(pluginRoot);
/** Put together here, so that no scanner takes the source for a leak. */
const forms = {
  github: `ghp_${'a1B2'.repeat(9)}`,
  aws: `AKIA${'ABCD1234'.repeat(2)}`,
  openai: `sk-${'abcDEF123'.repeat(4)}`,
  google: `AIza${'x'.repeat(35)}`,
  jwt: ['eyJhbGciOiJI', 'eyJzdWIiOiIx', 'c2lnbmF0dXJl'].join('.'),
  key: ['-----BEGIN OPENSSH PRIVATE', 'KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END'].join(' '),
  url: ['postgres://app:', 'hunter2hunter2', '@db.internal/app'].join(''),
};

async function withheldOf(
  variables: Record<string, string>,
  settings: {user?: unknown; project?: unknown} = {},
): Promise<readonly string[]> {
  const file = (redaction: unknown): string => JSON.stringify({security: {environmentVariableRedaction: redaction}});
  await using kernel = await createTestKernel({
    plugins,
    variables,
    ...(settings.user ? {homeFiles: {'.gemini/settings.json': file(settings.user)}} : {}),
    ...(settings.project ? {files: {'.gemini/settings.json': file(settings.project)}} : {}),
  });
  const {withheld, variables: passed} = await (await kernel.service('secrets')).environment();
  expect({...passed, ...Object.fromEntries(withheld.map((name) => [name, variables[name]]))}).toEqual(variables);
  return withheld;
}

test.each([
  'GITHUB_TOKEN',
  'CLIENT_SECRET',
  'PGPASSWORD',
  'ROOT_PASSWD',
  'OPENAI_API_KEY',
  'apiKey',
  'npm_config__authToken',
  'AWS_CREDENTIALS',
  'DB_CREDS',
  'PRIVATE_REGISTRY',
  'TLS_CERT',
  'SMTP_PASS',
  'GPG_PASSPHRASE',
  'DATABASE_URL',
  'MYSQL_PWD',
  'HTTP_AUTHORIZATION',
  'AZURE_CONNECTION_STRING',
])('%s is withheld by its name', async (name) => {
  expect(await withheldOf({[name]: 'x', PATH: '/bin'})).toEqual([name]);
});

test.each(Object.entries(forms))(
  'a value in the form of a %s secret is withheld whatever its name',
  async (_, value) => {
    expect(await withheldOf({PLAIN: value, OTHER: 'text'})).toEqual(['PLAIN']);
  },
);

test.each([
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'SSH_AUTH_SOCK',
  'GPG_AGENT_INFO',
  'XAUTHORITY',
  'GEMINI_CLI_TOKENS_SHOWN',
  'GIT_CONFIG_KEY_0',
  'GIT_AUTHOR_NAME',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'TOKENIZERS_PARALLELISM',
  'KEYBOARD_LAYOUT',
  'COMPASS',
  'GOOGLE_CLOUD_PROJECT',
  'PWD',
  'https_proxy',
])('%s passes, because commands need it or its name only sounds secret', async (name) => {
  expect(await withheldOf({[name]: name === 'https_proxy' ? forms.url : 'value'})).toEqual([]);
});

test.each<[string, {user?: unknown; project?: unknown}, readonly string[]]>([
  ['withholds without any setting, unlike the reference', {}, ['MY_TOKEN']],
  ['stops when the person switches it off', {user: {enabled: false}}, []],
  ['lets what the person allows pass', {user: {allowed: ['my_token']}}, []],
  ['withholds what the person blocks', {user: {blocked: ['PLAIN']}}, ['MY_TOKEN', 'PLAIN']],
  ['lets allowed beat blocked', {user: {allowed: ['PLAIN'], blocked: ['PLAIN']}}, ['MY_TOKEN']],
  ['withholds even what commands need when it is blocked', {user: {blocked: ['LANG']}}, ['LANG', 'MY_TOKEN']],
  ['lets a project block more', {project: {blocked: ['PLAIN']}}, ['MY_TOKEN', 'PLAIN']],
  ['lets a project allow nothing', {project: {allowed: ['MY_TOKEN']}}, ['MY_TOKEN']],
  ['lets no project switch it off', {project: {enabled: false}}, ['MY_TOKEN']],
  ['lets a project switch it on', {user: {enabled: false}, project: {enabled: true}}, ['MY_TOKEN']],
])('it %s', async (_, settings, expected) => {
  expect(await withheldOf({MY_TOKEN: 'x', PLAIN: 'y', LANG: 'C'}, settings)).toEqual(expected);
});
