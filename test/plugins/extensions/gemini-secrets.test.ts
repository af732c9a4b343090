import {createCipheriv, createHash, randomBytes, scryptSync} from 'node:crypto';
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {hostname, userInfo} from 'node:os';
import {delimiter, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {findSecret} from '@gemini-kernel/files/sealed';
import {readSecurity} from '#kernel/files/dist/sealed/find-secret.js';
import {SettingValues} from '#plugins/extensions/dist/installed/setting-values.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {onPosix} from '../../helpers/where.js';
import {extension, makeFolder, shared, startWith, writeFiles} from './scene.js';

const settings = [
  {name: 'Token', envVar: 'TOKEN', description: '', isSecret: true},
  {name: 'Host', envVar: 'HOST', description: '', isSecret: false},
];
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const BUS = 'unix:path=/nowhere';

/** A folder with a program that answers as secret-tool or security does. */
async function withProgram(name: string, body: string): Promise<{readonly path: string; readonly PATH: string}> {
  const folder = await makeFolder();
  await writeFile(join(folder.path, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(folder.path, name), 0o755);
  return {path: folder.path, PATH: `${folder.path}${delimiter}${process.env['PATH'] ?? ''}`};
}

/** Prints the value of one service and account, as secret-tool does, and notes what it was asked. */
const keyring = (service: string, value: string): string =>
  `echo "$*" >>"$(dirname "$0")/asked"
[ "$*" = "lookup service ${service} account __secret__TOKEN" ] && printf '%s' '${value}' && exit 0
exit 1`;

function valuesIn(cwd: string, variables: Readonly<Record<string, string | undefined>>, home = cwd): SettingValues {
  return new SettingValues({cwd, home, platform: 'linux', variables});
}

const owner = (type: 'git' | 'folder' | 'unknown' | 'link', location: string) => ({
  name: 'one',
  folder: '/nowhere',
  source: {type, location},
  state: type === 'link' ? ('linked' as const) : ('unlocked' as const),
});

describe('a secret that Gemini CLI keeps in the keychain', () => {
  onPosix.each([
    ['git', 'https://github.com/acme/one', 'https://github.com/acme/one'],
    ['git', 'https://github.com/acme/one.git', 'https://github.com/acme/one'],
    ['git', 'git@github.com:acme/one.git', 'https://github.com/acme/one'],
    ['git', 'acme/one', 'https://github.com/acme/one'],
    ['git', 'https://gitlab.com/acme/one', 'https://gitlab.com/acme/one'],
    ['git', 'git@gitlab.com:acme/one.git', 'git@gitlab.com:acme/one.git'],
    ['folder', '/home/me/one', '/home/me/one'],
    ['link', '/home/me/one', '/home/me/one'],
    ['unknown', '/anywhere', 'one'],
  ] as const)('of an extension from %s %s is found [extensions.keychain]', async (type, location, id) => {
    const {path, PATH} = await withProgram('secret-tool', keyring(`Gemini CLI Extensions one ${digest(id)}`, 's3cret'));
    const variables = {PATH, DBUS_SESSION_BUS_ADDRESS: BUS};
    const read = await valuesIn(path, variables).read(owner(type, location), settings);
    expect(read).toEqual({values: {TOKEN: 's3cret'}});
  });

  onPosix(
    'counts for the directory first, and is not asked for where it is kept here [extensions.keychain]',
    async () => {
      const {path, PATH} = await withProgram(
        'secret-tool',
        keyring(`Gemini CLI Extensions one ${digest('one')} /work/here`, 'here'),
      );
      const values = valuesIn('/work/here', {PATH, DBUS_SESSION_BUS_ADDRESS: BUS}, path);
      expect(await values.read(owner('unknown', ''), settings)).toEqual({values: {TOKEN: 'here'}});
      const before = await readFile(join(path, 'asked'), 'utf8');
      const own = new SettingValues({cwd: path, home: path, platform: 'linux', variables: {PATH}});
      await own.set('one', {envVar: 'TOKEN', isSecret: true}, 'mine');
      expect(await values.read(owner('unknown', ''), settings)).toEqual({values: {TOKEN: 'mine'}});
      expect(await values.read({...owner('unknown', ''), state: 'locked'}, settings)).toEqual({
        values: {TOKEN: 'mine'},
      });
      // Only our own key is asked for.
      const after = (await readFile(join(path, 'asked'), 'utf8')).slice(before.length);
      expect(after).not.toContain('Gemini CLI Extensions');
    },
  );

  test.each([
    ['linux', {}, 'there is no session bus'],
    ['linux', {DBUS_SESSION_BUS_ADDRESS: BUS, PATH: '/nowhere'}, 'the program secret-tool is not installed'],
    ['win32', {}, 'no program of win32 shows what the keychain has'],
  ] as const)(
    'that cannot be asked for on %s with %j is a reason [extensions.keychain]',
    async (platform, variables, fault) => {
      expect(await findSecret({service: 's', account: 'a'}, {platform, variables})).toEqual({fault});
    },
  );

  onPosix.each([
    ['exit 1', {}],
    ['printf x', {value: 'x'}],
    ['echo "Cannot autolaunch D-Bus without X11." >&2; exit 1', {fault: 'Cannot autolaunch D-Bus without X11'}],
    ['exec sleep 60', {fault: 'secret-tool gave no answer within 3 s'}],
  ])('is what secret-tool says: %s [extensions.keychain]', async (body, found) => {
    const {PATH} = await withProgram('secret-tool', body);
    const place = {platform: 'linux', variables: {PATH, DBUS_SESSION_BUS_ADDRESS: BUS}} as const;
    expect(await findSecret({service: 's', account: 'a'}, place)).toEqual(found);
  });
});

// As `security find-generic-password -g` of macOS prints it on standard error; the attributes go to standard output.
test.each([
  [0, 'password: "s3cret"\n', {value: 's3cret'}],
  [0, 'password: "with "quotes" and 0xdigits"\n', {value: 'with "quotes" and 0xdigits'}],
  [0, 'password: 0x67C3BC6E  "g\\303\\274n"\n', {value: 'g\u00fcn'}],
  [0, 'password: "0x6768"\n', {value: '0x6768'}],
  [44, 'security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.\n', {}],
  [
    36,
    'security: SecKeychainItemCopyContent: User interaction is not allowed.\n',
    {fault: 'security: SecKeychainItemCopyContent: User interaction is not allowed'},
  ],
  [1, '', {fault: 'security ended with 1'}],
])('security with code %i and %j gives %j [extensions.keychain]', (code, errors, found) => {
  expect(readSecurity({code, errors})).toEqual(found);
});

test('the file of Gemini CLI is read [extensions.keychain]', async () => {
  await using folder = await makeFolder();
  const kept = {[`Gemini CLI Extensions one ${digest('one')}`]: {__secret__TOKEN: 'from the file'}};
  const key = scryptSync('gemini-cli-oauth', `${hostname()}-${userInfo().username}-gemini-cli`, 32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const data = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()]);
  const text = [nonce, cipher.getAuthTag(), data].map((part) => part.toString('hex')).join(':');
  const file = join(folder.path, '.gemini', 'gemini-credentials.json');
  await mkdir(join(folder.path, '.gemini'), {mode: 0o700});
  await writeFile(file, text, {mode: 0o600});
  const values = valuesIn(folder.path, {GEMINI_FORCE_FILE_STORAGE: 'true'});
  expect(await values.read(owner('unknown', ''), settings)).toEqual({values: {TOKEN: 'from the file'}});
  for (const broken of [`${text.slice(0, -2)}00`, '', 'a:b:c', '{"plain": true}']) {
    await writeFile(file, broken);
    expect(await values.read(owner('unknown', ''), settings)).toEqual({
      values: {},
      fault: `${file} was not written by you on this computer, or is damaged`,
    });
  }
});

test('a secret that cannot be read is named, with its command [extensions.keychain]', async () => {
  const manifest = {name: 'one', settings: [{name: 'Token', envVar: 'TOKEN', sensitive: true}]};
  await using kernel = await startWith(shared('one', extension(manifest)));
  await (await kernel.service('extensions')).active();
  await kernel.kernel.close();
  expect(kernel.notices.map(({sentence}) => sentence)).toEqual([
    'The extension "one" has no value for Token. Set it with `gemini extensions config one`. What Gemini CLI keeps ' +
      'of it cannot be read: there is no session bus.',
  ]);
});

onPosix(
  'an extension that is adopted keeps the values that Gemini CLI has [extensions.keychain]',
  async () => {
    await using folder = await makeFolder();
    const {PATH} = await withProgram('secret-tool', keyring(`Gemini CLI Extensions one ${digest('one')}`, 's3cret'));
    const home = join(folder.path, 'home');
    const cwd = join(folder.path, 'project');
    await mkdir(cwd);
    const manifest = {
      name: 'one',
      settings: [
        {name: 'Token', envVar: 'TOKEN', sensitive: true},
        {name: 'Host', envVar: 'HOST'},
      ],
    };
    await writeFiles(home, shared('one', extension(manifest, {'.env': 'HOST=h.example\n'})));
    const place = {cwd, home, variables: {PATH, DBUS_SESSION_BUS_ADDRESS: BUS}};
    expect(await runGemini(['extensions', 'adopt', 'one', '--consent'], place)).toMatchObject({code: 0});
    const {stdout} = await runGemini(['extensions', 'config', 'one', 'HOST', '--value', 'h.example'], place);
    expect(stdout).toBe('Token (TOKEN): set\nHost (HOST): h.example\n');
    expect((await runGemini(['extensions', 'show', 'one', '--json'], place)).stdout).toContain('"state": "locked"');
  },
  30_000,
);
