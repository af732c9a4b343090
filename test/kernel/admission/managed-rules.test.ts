import {chmod, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {
  durationOf,
  findRuleFault,
  readManagedRules,
  ruleFor,
  type ManagedReading,
  type ManagedRules,
  type PluginFacts,
} from '@gemini-kernel/admission';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';
import {where} from '../../helpers/where.js';

const schema = JSON.parse(await readFile(join(checkout, 'manifests/schemas/managed.schema.json'), 'utf8')) as Record<
  string,
  unknown
>;

async function read(
  files: Readonly<Record<string, unknown>>,
  change: (folder: string) => Promise<unknown> = async () => undefined,
  owner: number | undefined = undefined,
): Promise<ManagedReading> {
  await using home = await makeFolder();
  const folder = join(home.path, 'etc', 'plugins.d');
  await mkdir(folder, {recursive: true});
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  await change(folder);
  const reading = await readManagedRules({folder, owner}, schema);
  return reading.kind === 'unreadable' ? {...reading, reason: reading.reason.replaceAll(folder, 'D')} : reading;
}

const rulesOf = (reading: ManagedReading): unknown => (reading.kind === 'rules' ? reading.rules : reading);

describe('files of an administrator are joined, and the stricter counts [managed.strictest]', () => {
  test('no folder, and one without files, say nothing', async () => {
    expect(await readManagedRules({folder: '/no/such/folder', owner: 0}, schema)).toEqual({kind: 'none'});
    expect(await read({'notes.txt': 'x'})).toEqual({kind: 'none'});
  });

  test('entry by entry and field by field', async () => {
    const found = rulesOf(
      await read({
        '10.json': {
          plugins: {
            '*': {mode: 'blocked'},
            'a': {mode: 'required', blockedCapabilities: ['process'], signers: ['k1', 'k2']},
          },
          sources: {allowed: [{type: 'git'}, {type: 'registry'}], blocked: [{type: 'link'}]},
          keys: {k1: 'AAAA'},
        },
        '20.json': {
          plugins: {
            'a': {mode: 'allowed', message: 'Ask.', blockedCapabilities: ['net:*'], signers: ['k2']},
            'b': {mode: 'allowed'},
          },
          sources: {allowed: [{type: 'registry'}], blocked: [{type: 'folder'}]},
          frozen: true,
          kernel: '^0.2.0',
        },
      }),
    );
    expect(found).toEqual({
      plugins: {
        '*': {mode: 'blocked'},
        'a': {mode: 'required', message: 'Ask.', blockedCapabilities: ['process', 'net:*'], signers: ['k2']},
        'b': {mode: 'allowed'},
      },
      keys: {k1: 'AAAA'},
      sources: {allowed: [{type: 'registry'}], blocked: [{type: 'link'}, {type: 'folder'}]},
      frozen: true,
      kernel: '^0.2.0',
    });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'two versions of one plugin',
      {'1.json': {plugins: {a: {version: '1.0.0'}}}, '2.json': {plugins: {a: {version: '2.0.0'}}}},
      'D/2.json says something else of a than a file before it',
    ],
    [
      'two keys of one name',
      {'1.json': {keys: {k: 'AAAA'}}, '2.json': {keys: {k: 'BBBB'}}},
      'D/2.json says something else of the key k than a file before it',
    ],
    ['no JSON', {'1.json': '{"plugins": '}, 'D/1.json cannot be read: Unexpected end of JSON input'],
    ['an empty file', {'1.json': ''}, 'D/1.json cannot be read: Unexpected end of JSON input'],
    [
      'a mode that there is not',
      {'1.json': {plugins: {a: {mode: 'alowed'}}}},
      'D/1.json is not valid: rules.plugins.a.mode must be one of "allowed", "default-on", "required", "blocked", ' +
        '"removed", not "alowed".',
    ],
    ['a misspelt key', {'1.json': {plugin: {}}}, 'D/1.json is not valid: rules has an unknown key "plugin"'],
    [
      'one bad file beside a good one',
      {'1.json': {plugins: {}}, '2.json': '7'},
      'D/2.json is not valid: rules must be',
    ],
  ])(
    '%s makes all of it unreliable, for nothing is dropped in silence [managed.unreliable]',
    async (_, files, reason) => {
      expect(await read(files)).toMatchObject({kind: 'unreadable', reason: expect.stringContaining(reason)});
    },
  );

  test('and what can be read of them still names who is blocked', async () => {
    expect(
      await read({
        '1.json': '{',
        '2.json': {plugins: {a: {mode: 'blocked'}, b: {mode: 'allowed'}, c: {mode: 'removed'}}, 'odd': 1},
      }),
    ).toMatchObject({kind: 'unreadable', blocked: ['a', 'c']});
  });

  const own = process.getuid?.();
  const posix = where(own !== undefined, 'a POSIX system');
  posix.each<[string, (folder: string) => Promise<unknown>, number | undefined, string]>([
    [
      'a file that others own',
      async () => undefined,
      (own ?? 0) + 1,
      `belongs to user ${own ?? 0}, not to the administrator`,
    ],
    [
      'a file that others may write',
      (folder) => chmod(join(folder, '1.json'), 0o666),
      own,
      'D/1.json may be written by others than the administrator (mode 666)',
    ],
    [
      'a folder that others may write',
      (folder) => chmod(folder, 0o777),
      own,
      'D may be written by others than the administrator (mode 777)',
    ],
    [
      'a link',
      (folder) => symlink('/etc/hostname', join(folder, '2.json')),
      own,
      'D/2.json is a link, whose target others may own',
    ],
  ])('%s is not relied on', async (_, change, owner, reason) => {
    expect(await read({'1.json': {plugins: {}}}, change, owner)).toEqual({
      kind: 'unreadable',
      reason: expect.stringContaining(reason),
      blocked: [],
    });
  });
});

describe('what the rules say of one plugin', () => {
  const rules = (parts: Partial<ManagedRules>): ManagedRules => ({plugins: {}, keys: {}, sources: {}, ...parts});
  const facts: PluginFacts = {
    name: '@corp/audit',
    version: '1.2.0',
    source: {type: 'registry', registry: 'https://npm.corp.example/', wanted: '1'},
    capabilities: ['fs:read', 'net:api.example'],
  };
  const now = new Date('2026-01-10T00:00:00Z');

  test('each field is that of its name, else of its scope, else of all', () => {
    const all = rules({
      plugins: {
        '*': {mode: 'blocked', message: 'Ask.', minReleaseAge: '7d'},
        '@corp/*': {mode: 'allowed', signers: ['corp']},
        '@corp/audit': {version: '1.x'},
      },
    });
    expect([ruleFor(all, '@corp/audit'), ruleFor(all, '@corp/other'), ruleFor(all, 'audit')]).toEqual([
      {mode: 'allowed', message: 'Ask.', minReleaseAge: '7d', signers: ['corp'], version: '1.x'},
      {mode: 'allowed', message: 'Ask.', minReleaseAge: '7d', signers: ['corp']},
      {mode: 'blocked', message: 'Ask.', minReleaseAge: '7d'},
    ]);
  });

  test.each<[string, ManagedRules, Partial<PluginFacts>, string | undefined]>([
    ['nothing', rules({}), {}, undefined],
    [
      'a capability that is blocked',
      rules({plugins: {'*': {blockedCapabilities: ['net:*'], message: 'No.'}}}),
      {},
      'it wants net:api.example, which the administrator blocks (No.)',
    ],
    [
      'a source list that is empty',
      rules({sources: {allowed: []}}),
      {},
      'its source, the registry npm.corp.example, is not one that the administrator allows',
    ],
    [
      'one that is too young',
      rules({plugins: {'*': {minReleaseAge: '7d'}}}),
      {published: new Date('2026-01-08T12:00:00Z')},
      'it was published 36 hours ago, and the administrator wants 7d',
    ],
    [
      'one that is old enough',
      rules({plugins: {'*': {minReleaseAge: '7d'}}}),
      {published: new Date('2026-01-01T00:00:00Z')},
      undefined,
    ],
    [
      'one of an unknown age',
      rules({plugins: {'*': {minReleaseAge: '7d'}}}),
      {},
      'its publication date is unknown, and the administrator requires it to be 7d old',
    ],
    [
      'one that is signed by another',
      rules({plugins: {'*': {signers: ['corp']}}}),
      {signer: 'mallory'},
      'it has no signature of corp, which the administrator asks for',
    ],
    [
      'one without an allowed key',
      rules({plugins: {'*': {signers: []}}}),
      {signer: 'corp'},
      'it has no signature of anybody, which the administrator asks for',
    ],
    ['one that is signed', rules({plugins: {'*': {signers: ['corp']}}}), {signer: 'corp'}, undefined],
  ])('%s', (_, all, parts, fault) => expect(findRuleFault(all, {...facts, ...parts}, now)).toBe(fault));

  test('a duration in no known form is for ever', () => {
    expect(['7d', '12h', '30m', '2w', '7', '', '-1d'].map((text) => durationOf(text) / 3_600_000)).toEqual([
      168,
      12,
      0.5,
      336,
      Infinity,
      Infinity,
      Infinity,
    ]);
  });
});
