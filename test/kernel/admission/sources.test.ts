import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {
  describeSource,
  findBlocked,
  matchesSource,
  normaliseLocation,
  type PluginSource,
  type SourceRule,
} from '@gemini-kernel/admission';
import {includesCapability} from '@gemini-kernel/kernel/host';
import {checkout} from '../../helpers/plugin-root.js';

const schema = JSON.parse(await readFile(join(checkout, 'manifests', 'schemas', 'plugin.schema.json'), 'utf8')) as {
  readonly properties: {readonly capabilities: {readonly items: {readonly pattern: string}}};
};

describe('an address is what it leads to, not how it is written [sources.normalised]', () => {
  test.each<[string, string, string]>([
    ['https://NPM.Corp.Example/a/b', 'npm.corp.example', '/a/b'],
    ['https://npm.corp.example:443/a/', 'npm.corp.example', '/a'],
    ['https://npm.corp.example:8443/a', 'npm.corp.example:8443', '/a'],
    ['https://npm.corp.example./a', 'npm.corp.example', '/a'],
    ['https://good.example@evil.example/corp', 'evil.example', '/corp'],
    ['https://good.example%2f@evil.example/corp', 'evil.example', '/corp'],
    ['https://git.example/corp/../evil/x', 'git.example', '/evil/x'],
    ['https://git.example/corp/%2e%2e/evil', 'git.example', '/evil'],
    ['https://git.example/corp//x.git', 'git.example', '/corp/x'],
    ['https://git.example/corp/x.git?a=/b#c', 'git.example', '/corp/x'],
    ['git+ssh://git@git.example/corp/x.git', 'git.example', '/corp/x'],
    ['git@git.example:corp/x.git', 'git.example', '/corp/x'],
    ['good.example:@evil.example/x', 'good.example', '/@evil.example/x'],
    ['git@evil.example:good.example/corp/x', 'evil.example', '/good.example/corp/x'],
    ['ssh://git@git.example:22/corp/x', 'git.example', '/corp/x'],
    ['git://git.example:9418/corp/x', 'git.example', '/corp/x'],
    ['ssh://git@git%2eexample/corp/x', 'git.example', '/corp/x'],
    ['git@[git.example]:corp/x', 'git.example', '/corp/x'],
    ['[git@git.example]:corp/x', 'git.example', '/corp/x'],
    ['[git@git.example:2222]:corp/x', 'git.example:2222', '/corp/x'],
    ['ssh://git@[git.example]:22/corp/x', 'git.example', '/corp/x'],
    ['git@[::1]:corp/x', '[::1]', '/corp/x'],
    ['ssh://git@0x7f.1/corp/x', '127.0.0.1', '/corp/x'],
    ['https:/git.example/corp/x', 'git.example', '/corp/x'],
    ['https://npm.corp.example/@corp%2fx', 'npm.corp.example', '/@corp/x'],
    ['/srv/plugins/../other/x.tgz', '', '/srv/other/x.tgz'],
    ['file:/srv/plugins/x.tgz', '', '/srv/plugins/x.tgz'],
    ['file:///srv/plugins/x.tgz', '', '/srv/plugins/x.tgz'],
    ['C:\\plugins\\x.tgz', '', '/C:/plugins/x.tgz'],
  ])('%s', (location, host, path) => expect(normaliseLocation(location)).toEqual({host, path}));

  test.each([
    'https://',
    'https://git.example/%ff/x',
    'ssh://git@git.example/corp/%ff',
    'ssh://git%25.example/x',
    'ssh://a%40git.example/x',
    'https://git.example/evil/..%2fcorp/x',
    'file:///srv/%ff',
  ])('%s cannot be read', (location) => expect(normaliseLocation(location)).toBeUndefined());
});

describe('a rule speaks of sources by their parts', () => {
  const git = (location: string): PluginSource => ({type: 'git', location, commit: 'a'.repeat(40)});
  const registry: PluginSource = {type: 'registry', registry: 'https://npm.corp.example/mirror/', wanted: 'latest'};
  test.each<[string, SourceRule, PluginSource, boolean]>([
    ['a kind', {type: 'git'}, git('git@git.example:corp/x'), true],
    ['another kind', {type: 'registry'}, git('git@git.example:corp/x'), false],
    ['any kind', {type: '*', host: 'git.example'}, git('git@git.example:corp/x'), true],
    ['a host', {type: 'registry', host: 'npm.corp.example'}, registry, true],
    ['a host that only begins the same', {type: 'registry', host: 'npm.corp'}, registry, false],
    ['hosts below a domain', {type: 'registry', host: '*.corp.example'}, registry, true],
    [
      'hosts below a domain, which is not the domain itself',
      {type: 'registry', host: '*.npm.corp.example'},
      registry,
      false,
    ],
    ['a domain that only ends the same', {type: 'git', host: '*.git.example'}, git('https://evilgit.example/x'), false],
    [
      'the beginning of a path',
      {type: 'git', host: 'git.example', path: '/corp'},
      git('https://git.example/corp/x.git'),
      true,
    ],
    [
      'the beginning of a name, which is no folder',
      {type: 'git', host: 'git.example', path: '/corp'},
      git('https://git.example/corporation/x'),
      false,
    ],
    [
      'a path that is left again',
      {type: 'git', host: 'git.example', path: '/corp'},
      git('https://git.example/corp/../evil/x'),
      false,
    ],
    [
      'a path of this machine where a host is meant',
      {type: '*', host: 'git.example'},
      {type: 'folder', location: '/git.example/x'},
      false,
    ],
    ['a folder', {type: 'folder', path: '/opt/plugins'}, {type: 'folder', location: '/opt/plugins/x'}, true],
    ['a bundle', {type: 'bundle', path: 'corp'}, {type: 'bundle', bundle: 'corp', serial: 1}, true],
    ['no address at all', {type: 'git', path: '/'}, git('https://'), false],
    ['no address at all, whatever the rule says of it', {type: '*'}, git('https://'), false],
    [
      'an owner in other letters, on a host that takes them',
      {type: 'git', host: 'github.com', path: '/corp'},
      git('https://github.com/CORP/x'),
      true,
    ],
    [
      'an owner in other letters, on another host',
      {type: 'git', host: 'git.example', path: '/corp'},
      git('https://git.example/CORP/x'),
      false,
    ],
  ])('%s', (_, rule, source, expected) => expect(matchesSource(rule, source)).toBe(expected));

  test('an address that cannot be read is forbidden by every rule that forbids its kind, and let in by none', () => {
    const unread = git('ssh://git@git.example/corp/%ff');
    const answers = (rule: SourceRule): readonly boolean[] => [
      matchesSource(rule, unread, true),
      matchesSource(rule, unread),
    ];
    expect(
      [{type: '*' as const}, {type: 'git' as const, host: 'other.example'}, {type: 'registry' as const}].map(answers),
    ).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
  });

  test('and people are shown it without what it is opened with', () => {
    expect(describeSource({type: 'tarball', location: 'https://me:token@npm.corp.example/x.tgz'})).toBe(
      'the tarball https://npm.corp.example/x.tgz',
    );
    expect(describeSource(registry)).toBe('the registry npm.corp.example');
  });
});

describe('a capability', () => {
  const form = schema.properties.capabilities.items.pattern;
  test.each<[string, boolean]>([
    ['fs:read', true],
    ['fs:write', true],
    ['process', true],
    ['model', true],
    ['net:*', true],
    ['net:api.example', true],
    ['net:*.example', true],
    ['net:[::1]', true],
    ['env:TOKEN', true],
    ['fs:*', false],
    ['fs', false],
    ['net', false],
    ['net:', false],
    ['net:a b', false],
    ['env:1', false],
    ['net:evil.example.', false],
    ['net:evil.example:443', true],
    ['net:evil.example:', false],
    ['net:evil.example:443:1', false],
    ['net:::1', false],
    ['net:a..b', false],
    ['anything', false],
    ['', false],
  ])('%j has the right form: %s', (text, expected) => expect(new RegExp(form).test(text)).toBe(expected));

  test.each<[string, string, boolean]>([
    ['net:*', 'net:a.example', true],
    ['net:*.example', 'net:a.example', true],
    ['net:*.example', 'net:example', false],
    ['net:A.example', 'net:a.example', true],
    ['net:a.example', 'net:a.example.', true],
    ['net:a.example', 'net:a.example:443', true],
    ['net:[::1]', 'net:[::1]:443', true],
    ['env:*', 'env:X', true],
    ['fs:*', 'fs:write', true],
    ['*', 'process', true],
    ['net:a.example', 'net:b.example', false],
    ['net:a.example', 'net:*', false],
    ['fs:read', 'fs:write', false],
  ])('%s includes %s: %s', (wide, one, expected) => expect(includesCapability(wide, one)).toBe(expected));

  test('is blocked by a rule that holds it, and by one that it is wide enough to hold', () => {
    expect(findBlocked(['fs:read', 'net:*', 'env:A'], ['net:evil.example', 'env:*'])).toEqual(['net:*', 'env:A']);
  });
});
