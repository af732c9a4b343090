import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {
  findRefusal,
  findRuleFault,
  mustProve,
  readManagedRules,
  type LockedPlugin,
  type ManagedReading,
  type ManagedRules,
  type PluginFacts,
  type Provenance,
  type ProvenanceRule,
} from '@gemini-kernel/admission';
import {helloBuild, makeAuthority} from '../../helpers/attestation.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {checkout} from '../../helpers/plugin-root.js';

const schema = JSON.parse(await readFile(join(checkout, 'manifests/schemas/managed.schema.json'), 'utf8')) as Record<
  string,
  unknown
>;
const facts: PluginFacts = {
  name: '@acme/hello',
  version: '1.0.0',
  source: {type: 'registry', registry: 'https://registry.example/', wanted: 'latest'},
  capabilities: [],
};

function rulesWith(provenance: ProvenanceRule): ManagedRules {
  return {plugins: {'@acme/*': {provenance}}, keys: {}, sources: {}};
}

function judge(rule: Partial<ProvenanceRule>, found: Partial<Provenance> | undefined): string | undefined {
  return findRuleFault(rulesWith({repository: helloBuild.repository, ...rule}), {
    ...facts,
    ...(found ? {provenance: {...helloBuild, ...found}} : {}),
  });
}

describe('a rule about where a plugin was built', () => {
  test.each<[string, Partial<ProvenanceRule>, Partial<Provenance>]>([
    ['the same repository', {}, {}],
    [
      'the name of the host and of the repository in other case, where the host does not mind',
      {repository: 'https://GitHub.com/Acme/Hello'},
      {},
    ],
    ['.git at the end of the address', {repository: 'https://github.com/acme/hello.git'}, {}],
    ['anything of an owner', {repository: 'https://github.com/acme/*'}, {}],
    [
      'anything below a group',
      {repository: 'https://gitlab.com/group/*'},
      {repository: 'https://gitlab.com/group/deep/hello', issuer: 'https://gitlab.com'},
    ],
    ['the workflow', {workflow: '.github/workflows/release.yml'}, {}],
    ['the ref', {ref: 'refs/tags/v1.0.0'}, {}],
    ['refs below one', {ref: 'refs/tags/*'}, {}],
    [
      'an issuer of its own',
      {repository: 'https://git.corp.example/acme/hello', issuer: 'https://ci.corp.example'},
      {repository: 'https://git.corp.example/acme/hello', issuer: 'https://ci.corp.example'},
    ],
  ])('lets in %s', (_, rule, found) => expect(judge(rule, found)).toBeUndefined());

  test.each<[string, Partial<ProvenanceRule>, Partial<Provenance>]>([
    ['another repository', {}, {repository: 'https://github.com/acme/other'}],
    [
      'an owner whose name begins the same',
      {repository: 'https://github.com/acme/*'},
      {repository: 'https://github.com/acme-evil/hello'},
    ],
    ['a repository whose name begins the same', {}, {repository: 'https://github.com/acme/hello-evil'}],
    ['what lies below the repository', {}, {repository: 'https://github.com/acme/hello/evil'}],
    ['what the repository lies below', {}, {repository: 'https://github.com/acme'}],
    ['the owner alone', {repository: 'https://github.com/acme/*'}, {repository: 'https://github.com/acme'}],
    ['a way that leads out', {}, {repository: 'https://github.com/acme/hello/../x'}],
    [
      'a way that leads out in disguise',
      {repository: 'https://github.com/acme/*'},
      {repository: 'https://github.com/acme/%2e%2e/evil/x'},
    ],
    ['a user that looks like the host', {}, {repository: 'https://github.com@evil.example/acme/hello'}],
    ['a host that ends the same', {}, {repository: 'https://evilgithub.com/acme/hello'}],
    ['a host below it', {}, {repository: 'https://github.com.evil.example/acme/hello'}],
    ['another port', {}, {repository: 'https://github.com:8443/acme/hello'}],
    ['a host with a star', {}, {repository: 'https://*.com/acme/hello'}],
    [
      'another case, where the host minds',
      {repository: 'https://git.corp.example/acme/hello', issuer: 'https://ci.corp.example'},
      {repository: 'https://git.corp.example/Acme/hello', issuer: 'https://ci.corp.example'},
    ],
    ['no address', {}, {repository: ''}],
  ])('refuses %s, and names both', (_, rule, found) => {
    expect(judge(rule, found)).toBe(
      `it was built from ${found.repository ?? ''}, and the administrator wants it built from ` +
        `${rule.repository ?? helloBuild.repository}`,
    );
  });

  test.each<[string, Partial<ProvenanceRule>, Partial<Provenance> | undefined, string]>([
    [
      'no proof',
      {},
      undefined,
      'nothing proves where it was built, and the administrator wants it built from https://github.com/acme/hello',
    ],
    [
      'another workflow',
      {workflow: '.github/workflows/release.yml'},
      {workflow: '.github/workflows/evil.yml'},
      'it was built by .github/workflows/evil.yml, and the administrator wants .github/workflows/release.yml',
    ],
    [
      'another ref',
      {ref: 'refs/heads/main'},
      {},
      'it was built from refs/tags/v1.0.0, and the administrator wants refs/heads/main',
    ],
    [
      'a ref that begins the same',
      {ref: 'refs/tags/*'},
      {ref: 'refs/tags-evil/v1'},
      'it was built from refs/tags-evil/v1, and the administrator wants refs/tags/*',
    ],
    [
      'another issuer than that of the host',
      {},
      {issuer: 'https://ci.evil.example'},
      'that it was built from https://github.com/acme/hello is the word of https://ci.evil.example, and the ' +
        'administrator wants that of https://token.actions.githubusercontent.com',
    ],
    [
      'a host without a configured issuer',
      {repository: 'https://git.corp.example/acme/hello'},
      {repository: 'https://git.corp.example/acme/hello', issuer: 'https://ci.corp.example'},
      'that it was built from https://git.corp.example/acme/hello is the word of https://ci.corp.example, and the ' +
        'administrator names no issuer',
    ],
  ])('refuses %s', (_, rule, found, fault) => expect(judge(rule, found)).toBe(fault));

  test('asks for a ref, and there is none', () => {
    const {ref: _, ...provenance} = helloBuild;
    expect(
      findRuleFault(rulesWith({repository: helloBuild.repository, ref: 'refs/tags/*'}), {...facts, provenance}),
    ).toBe('it was built from no ref, and the administrator wants refs/tags/*');
  });
});

async function read(files: Readonly<Record<string, unknown>>): Promise<ManagedReading> {
  await using home = await makeFolder();
  const folder = join(home.path, 'etc', 'plugins.d');
  await mkdir(folder, {recursive: true});
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  return await readManagedRules({folder, owner: undefined}, schema);
}

const [one, two] = [makeAuthority().trustRoot, makeAuthority().trustRoot];
const ruleFile = (provenance: object): object => ({plugins: {a: {provenance}}});
const from = {repository: 'https://github.com/acme/hello'};

describe('the files of an administrator', () => {
  test('that speak of where a plugin is built are joined field by field, and a root of trust stands in one of them', async () => {
    const found = await read({
      '1.json': {...ruleFile({...from, ref: 'refs/tags/*'}), trustRoot: one},
      '2.json': ruleFile({...from, workflow: '.github/workflows/release.yml'}),
      '3.json': {trustRoot: one, plugins: {a: {mode: 'required'}}},
    });
    expect(found.kind === 'rules' ? found.rules : found).toEqual({
      plugins: {
        a: {mode: 'required', provenance: {...from, ref: 'refs/tags/*', workflow: '.github/workflows/release.yml'}},
      },
      keys: {},
      sources: {blocked: []},
      frozen: false,
      trustRoot: one,
    });
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'two repositories',
      {'1.json': ruleFile(from), '2.json': ruleFile({repository: 'https://github.com/acme/*'})},
      'says something else of a than a file before it',
    ],
    [
      'two refs',
      {'1.json': ruleFile({...from, ref: 'refs/tags/*'}), '2.json': ruleFile({...from, ref: 'refs/heads/main'})},
      'says something else of a than a file before it',
    ],
    [
      'two roots of trust',
      {'1.json': {trustRoot: one}, '2.json': {trustRoot: two}},
      'says something else of trustRoot than a file before it',
    ],
    [
      'a root of trust without authorities',
      {'1.json': {trustRoot: {mediaType: one['mediaType'], tlogs: []}}},
      'is not valid',
    ],
    ['a misspelt key in it', {'1.json': {trustRoot: {...one, tlog: []}}}, 'is not valid'],
    ['no repository', {'1.json': ruleFile({workflow: '.github/workflows/release.yml'})}, 'is not valid'],
    [
      'a repository with a user',
      {'1.json': ruleFile({repository: 'https://me@github.com/acme/hello'})},
      'is not valid',
    ],
    [
      'a repository with a way that leads out',
      {'1.json': ruleFile({repository: 'https://github.com/acme/../evil'})},
      'is not valid',
    ],
    ['a star in the middle', {'1.json': ruleFile({repository: 'https://github.com/*/hello'})}, 'is not valid'],
    ['a star for a part of a name', {'1.json': ruleFile({repository: 'https://github.com/acme*'})}, 'is not valid'],
    ['a whole host', {'1.json': ruleFile({repository: 'https://github.com/*'})}, 'is not valid'],
    ['a star for a part of a ref', {'1.json': ruleFile({...from, ref: 'refs/tags/v*'})}, 'is not valid'],
    [
      'an address without encryption',
      {'1.json': ruleFile({repository: 'http://github.com/acme/hello'})},
      'is not valid',
    ],
  ])('are unreliable with %s', async (_, files, reason) => {
    expect(await read(files)).toMatchObject({kind: 'unreadable', reason: expect.stringContaining(reason)});
  });
});

test('the file that docs/enterprise.md shows asks for what it says', async () => {
  const page = await readFile(join(checkout, 'docs/enterprise.md'), 'utf8');
  const [, text = ''] = /```json\n(\{.*"provenance".*\})\n```/.exec(page) ?? [];
  const found = await read({'1.json': JSON.parse(text)});
  const fault = (provenance: Provenance): string | undefined =>
    found.kind === 'rules' ? findRuleFault(found.rules, {...facts, provenance}) : found.kind;
  expect([fault(helloBuild), fault({...helloBuild, ref: 'refs/heads/main'})]).toEqual([
    undefined,
    'it was built from refs/heads/main, and the administrator wants refs/tags/*',
  ]);
});

describe('at a start', () => {
  const locked: LockedPlugin = {
    version: '1.0.0',
    source: facts.source,
    tree: `sha256-${'0'.repeat(64)}`,
    capabilities: [],
    provenance: helloBuild,
  };
  const manifest = {
    manifestVersion: 1 as const,
    name: '@acme/hello',
    version: '1.0.0',
    description: 'Made for a test.',
    kernel: '^0.2.0',
    requires: {services: {}},
    tools: [],
    services: [],
    hooks: [],
    listeners: [],
    commands: [],
    flags: [],
    errors: {},
  };
  const under = (provenance: ProvenanceRule, more: object = {}): ManagedReading => ({
    kind: 'rules',
    files: [],
    rules: {plugins: {'@acme/*': {provenance, ...more}}, keys: {}, sources: {}},
  });
  const ask = (managed: ManagedReading, isProven: boolean, entry = locked): Promise<string | undefined> =>
    findRefusal({root: '/nowhere', manifest, locked: entry, isProven}, {reserved: [], frozen: false, managed});

  test('what a person could have written proves nothing, and what only an administrator can write does', async () => {
    const managed = under(from);
    expect(mustProve('@acme/hello', managed)).toBe(true);
    expect(await ask(managed, false)).toBe(
      'the administrator names where it was built only, which proves nothing at a start; gemini plugins inspect ' +
        'shows the tree to name',
    );
    expect(await ask(managed, true)).toBeUndefined();
    expect(await ask(under({repository: 'https://github.com/acme/other'}), true)).toBe(
      'it was built from https://github.com/acme/hello, and the administrator wants it built from ' +
        'https://github.com/acme/other',
    );
    const {provenance: _, ...unproven} = locked;
    expect(await ask(managed, true, unproven)).toBe(
      'nothing proves where it was built, and the administrator wants it built from https://github.com/acme/hello',
    );
  });

  test('beside the files that it must have, it is held too', async () => {
    expect(await ask(under(from, {tree: locked.tree}), false)).toBeUndefined();
    expect(await ask(under({repository: 'https://github.com/acme/other'}, {tree: locked.tree}), false)).toContain(
      'it was built from https://github.com/acme/hello',
    );
  });

  test('a link is refused', async () => {
    const {tree: _, ...entry} = locked;
    expect(await ask(under(from), false, {...entry, source: {type: 'link', location: '/nowhere'}})).toBe(
      'it is a link, and the administrator names what it must hold',
    );
  });
});
