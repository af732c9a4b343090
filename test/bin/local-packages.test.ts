import {mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';

const {nameLocalPackages} = (await import(pathToFileURL(join(checkout, 'bin/dist/local-packages.js')).href)) as typeof import('../../bin/src/local-packages.js');

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'gemini-packages-')));
  await writeFile(join(folder, 'here.tgz'), '');
});
afterAll(() => rm(folder, {recursive: true, force: true}));

test.each([
  ['a tarball', 'here.tgz', 'file:<folder>/here.tgz'],
  ['a relative path', './here.tgz', 'file:<folder>/here.tgz'],
  ['a relative path that says so', 'file:./here.tgz', 'file:<folder>/here.tgz'],
  ['a folder', '.', '.'],
  ['a folder as a path', './', 'file:<folder>'],
  ['a tarball that is not there', './gone.tgz', './gone.tgz'],
  ['a name', 'here', 'here'],
  ['a project on GitHub', 'somebody/here', 'somebody/here'],
  ['a flag', '--force', '--force'],
])('%s, as in "plugins install %s", is handed on as %s', (_, word, expected) => {
  expect(nameLocalPackages(['plugins', 'install', word], folder).map((one) => one.replace(folder, '<folder>'))).toEqual(['plugins', 'install', expected]);
});

test('other commands keep their words', () => expect(nameLocalPackages(['tools', 'call', './here.tgz'], folder)).toEqual(['tools', 'call', './here.tgz']));
