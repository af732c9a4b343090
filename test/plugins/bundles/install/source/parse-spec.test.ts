import {join, sep} from 'node:path';
import {expect, test} from '@jest/globals';

const cwd = join(sep, 'work', 'project');

async function parse(text: string): Promise<object> {
  return (await import('#plugins/bundles/dist/install/source/parse-spec.js')).parseSpec(text, cwd);
}

test.each<[string, object]>([
  ['hello', {type: 'registry', name: 'hello', wanted: 'latest', isExact: false}],
  ['hello@1.2.3', {type: 'registry', name: 'hello', wanted: '1.2.3', isExact: true}],
  ['@acme/hello@^1', {type: 'registry', name: '@acme/hello', wanted: '^1', isExact: false}],
  ['@acme/hello@next', {type: 'registry', name: '@acme/hello', wanted: 'next', isExact: false}],
  ['hello@*', {type: 'registry', name: 'hello', wanted: '*', isExact: false}],
  ['./hello-1.0.0.tgz', {type: 'tarball', location: join(cwd, 'hello-1.0.0.tgz')}],
  ['hello-1.0.0.tgz', {type: 'tarball', location: join(cwd, 'hello-1.0.0.tgz')}],
  ['out/hello-1.0.0.tgz', {type: 'tarball', location: join(cwd, 'out', 'hello-1.0.0.tgz')}],
  ['file:./hello-1.0.0.tgz', {type: 'tarball', location: join(cwd, 'hello-1.0.0.tgz')}],
  ['/abs/hello-1.0.0.tgz', {type: 'tarball', location: join(sep, 'abs', 'hello-1.0.0.tgz')}],
  ['./hello', {type: 'folder', location: join(cwd, 'hello')}],
  ['file:../hello', {type: 'folder', location: join(sep, 'work', 'hello')}],
  ['https://example.com/hello.tgz', {type: 'tarball', location: 'https://example.com/hello.tgz'}],
  [
    'git+ssh://git@example.com/acme/hello.git#v1',
    {type: 'git', location: 'ssh://git@example.com/acme/hello.git', wanted: 'v1'},
  ],
  [
    'git+https://example.com/acme/hello.git#semver:^1',
    {type: 'git', location: 'https://example.com/acme/hello.git', range: '^1'},
  ],
  ['git+file:///srv/hello', {type: 'git', location: 'file:///srv/hello'}],
  ['github:acme/hello', {type: 'git', location: 'https://github.com/acme/hello.git'}],
  ['acme/hello#main', {type: 'git', location: 'https://github.com/acme/hello.git', wanted: 'main'}],
])('%s', async (text, wanted) => {
  expect(await parse(text)).toEqual(wanted);
});

test.each([
  'npm:other@1',
  'a@npm:b@1',
  'Hello World',
  '',
  'git+ssh://',
  'https://user:secret@example.com/hello.tgz',
  'git+https://token@example.com/acme/hello.git',
  'github:acme/hello#path:sub',
])('%j names no plugin', async (text) => {
  await expect(parse(text)).rejects.toMatchObject({code: 'INSTALL_SPEC_INVALID'});
});
