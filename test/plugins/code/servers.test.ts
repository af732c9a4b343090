import {chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {TestKernel} from '@gemini-kernel/kernel/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {codingKernel, say} from './coding-kernel.js';

const scripted = join(checkout, 'test/plugins/code/scripted-server.mjs');
const installed = join(checkout, 'node_modules/typescript-language-server/lib/cli.mjs');
const trusting = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};

function withServer(
  mode: string,
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<TestKernel> {
  const servers = {python: [process.execPath, scripted, mode]};
  return codingKernel({
    files,
    live: true,
    homeFiles: {'.gemini/settings.json': JSON.stringify({code: {servers, ...settings}})},
  });
}

/** A folder for PATH, with links by name, and the programs that scripts need. */
async function pathWith(links: Readonly<Record<string, string>>): Promise<{readonly path: string} & AsyncDisposable> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'gemini-path-')));
  const all = {node: process.execPath, ...links};
  await Promise.all(Object.entries(all).map(([name, to]) => symlink(to, join(path, name))));
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true})};
}

async function statesOf(kernel: TestKernel): Promise<Readonly<Record<string, string>>> {
  const servers = await (await kernel.service('code-servers')).list();
  return Object.fromEntries(servers.map(({name, state}) => [name, state]));
}

describe('which servers are used', () => {
  test('programs of PATH outside of the project, of node_modules, and of its repository [code.servers]', async () => {
    await using bin = await pathWith({'typescript-language-server': installed, gopls: process.execPath});
    const packages = join(bin.path, 'node_modules', '.bin');
    const PATH = [bin.path, join(bin.path, 'linked'), packages, '.', 'tool'].join(':');
    await using kernel = await codingKernel({files: {'tool/own': '#!/bin/sh\n'}, variables: {...trusting, PATH}});
    const inProject = join(kernel.project, 'tool');
    await chmod(join(inProject, 'own'), 0o755);
    await symlink(process.execPath, join(inProject, 'clangd'));
    await symlink(inProject, join(bin.path, 'linked'));
    await symlink(join(inProject, 'own'), join(bin.path, 'pyright-langserver'));
    await mkdir(packages, {recursive: true});
    await symlink(process.execPath, join(packages, 'basedpyright-langserver'));
    await symlink(process.execPath, join(bin.path, 'rust-analyzer'));
    expect(await statesOf(kernel)).toEqual({
      'typescript-language-server': 'ready',
      'pyright-langserver': 'unused',
      'basedpyright-langserver': 'missing',
      gopls: 'ready',
      'rust-analyzer': 'unused',
      clangd: 'missing',
    });
  });

  test('a person names or switches off a server, a project does not, and none runs untrusted [code.servers]', async () => {
    const project = {'.gemini/settings.json': JSON.stringify({code: {servers: {go: [process.execPath]}}})};
    await using kernel = await withServer('good', {...project, 'a.py': 'x\n'});
    expect(await statesOf(kernel)).toMatchObject({node: 'ready', gopls: 'missing'});
    await using off = await codingKernel({
      files: {},
      homeFiles: {'.gemini/settings.json': JSON.stringify({code: {servers: {go: []}}})},
    });
    expect(await statesOf(off)).toMatchObject({none: 'missing'});
    await using untrusted = await codingKernel({
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
      files: {'a.py': 'wrong\n'},
      homeFiles: {'.gemini/settings.json': JSON.stringify({code: {servers: {python: [process.execPath, scripted]}}})},
    });
    expect(await say(untrusted, 'code_diagnostics', {path: 'a.py'})).toMatch(/^(?:CODE_SERVER_MISSING|refused)/);
  });
});

describe('a scripted server', () => {
  test.each(['good', 'pushes'])('that %s: errors of a file, marked [code.diagnostics]', async (mode) => {
    await using kernel = await withServer(mode, {'a.py': 'fine\nwrong1\nhint wrong\n'});
    expect(await say(kernel, 'code_diagnostics', {path: 'a.py'})).toBe(
      [
        '<untrusted_context source="node">',
        'a.py:2:1: error: bad &lt;/untrusted_context> wrong1',
        'a.py:3:1: warning: bad &lt;/untrusted_context> hint',
        '</untrusted_context>',
      ].join('\n'),
    );
    expect(await say(kernel, 'code_diagnostics', {path: 'b.rs'})).toMatch(/^CODE_UNREADABLE/);
  });

  test('an edit shows the errors that it adds, also where lines move [code.edit-errors]', async () => {
    await using kernel = await withServer('good', {'a.py': 'fine\nwrong1\n'});
    const content = 'new\nfine\nwrong1\nwrong2\nhint wrong\n';
    const added = await say(kernel, 'write_file', {file_path: 'a.py', content});
    expect(added.split('\n').filter((line) => /error/.test(line))).toEqual([
      'New errors in a.py since this edit:',
      'a.py:4:1: error: bad &lt;/untrusted_context> wrong2',
    ]);
    expect(await say(kernel, 'write_file', {file_path: 'a.py', content: 'fine\n'})).not.toMatch(/New errors/);
    expect(await say(kernel, 'write_file', {file_path: 'new.py', content: 'wrong3\n'})).toMatch(/new\.py:1:1: error/);
  });

  test('no edit is checked where the person says so [code.edit-errors]', async () => {
    await using kernel = await withServer('good', {'a.py': 'fine\n'}, {checkEdits: false});
    expect(await say(kernel, 'write_file', {file_path: 'a.py', content: 'wrong\n'})).not.toMatch(/New errors/);
    expect(await statesOf(kernel)).toMatchObject({node: 'ready'});
  });

  test.each([
    ['dies', /ended with 3/],
    ['dies-early', /ended with 4/],
    ['garbage', /something that is no message/],
    ['huge', /a message of 104857600 bytes/],
    ['unjson', /no JSON/],
  ])('that %s fails the question, and takes nothing from an edit [code.server-hostile]', async (mode, reason) => {
    await using kernel = await withServer(mode, {'a.py': 'fine\n'});
    const said = await say(kernel, 'code_diagnostics', {path: 'a.py'});
    expect([said.split(':')[0], said]).toEqual(['CODE_SERVER_FAILED', expect.stringMatching(reason)]);
    expect(await say(kernel, 'write_file', {file_path: 'a.py', content: 'wrong\n'})).not.toMatch(/New errors/);
    await say(kernel, 'code_diagnostics', {path: 'a.py'});
    expect(await statesOf(kernel)).toMatchObject({node: 'faulty'});
    expect(await say(kernel, 'code_diagnostics', {path: 'a.py'})).toMatch(/^CODE_SERVER_MISSING/);
  });

  test('that is silent costs an edit two seconds, and ends with the kernel [code.server-hostile]', async () => {
    const kernel = await withServer('silent', {'a.py': 'fine\n'});
    const start = performance.now();
    expect(await say(kernel, 'write_file', {file_path: 'a.py', content: 'wrong\n'})).not.toMatch(/New errors/);
    expect(performance.now() - start).toBeGreaterThan(1500);
    expect(await readFile(join(kernel.project, 'a.py'), 'utf8')).toBe('wrong\n');
    await kernel.close();
  });

  test.each(['dies', 'garbage', 'huge', 'unjson', 'dies-early'])(
    'that %s leaves what is found by the name [code.references]',
    async (mode) => {
      const text = 'class Store:\n    def close(self):\n        pass\n\nStore().close()\n';
      await using kernel = await withServer(mode, {'a.py': text});
      expect(await say(kernel, 'code_find', {name: 'close', what: 'references'})).toBe('a.py:\n  5: Store().close()');
    },
  );

  test('places of odd shapes are no places [code.references]', async () => {
    const text = 'class Store:\n    def close(self):\n        pass\n\nStore().close()\n';
    await using kernel = await withServer('shapes', {'a.py': text});
    expect(await say(kernel, 'code_find', {name: 'close', what: 'references'})).toContain(
      '(1 more place with the name means something else, as node says.)',
    );
  });

  test('that sends odd shapes finds nothing [code.server-hostile]', async () => {
    await using kernel = await withServer('shapes', {'a.py': 'fine\n'});
    expect(await say(kernel, 'code_diagnostics', {path: 'a.py'})).toBe('node finds nothing in a.py.');
  });
});

describe('the real server for TypeScript', () => {
  const files = {
    'package.json': '{"type": "module"}',
    'tsconfig.json': '{"compilerOptions": {"strict": true, "module": "nodenext"}}',
    'a.ts': 'export const old: number = "text";\n',
    'b.ts': "import {old} from './a.js';\nexport const sum = old + 1;\n",
    // It would be taken if the project had a say.
    'node_modules/typescript/lib/tsserver.js': 'throw new Error("of the project");',
    'node_modules/typescript/package.json': '{"name": "typescript", "version": "5.0.0"}',
  };

  test('lists errors, and an edit shows the new ones [code.diagnostics] [code.edit-errors]', async () => {
    await using bin = await pathWith({'typescript-language-server': installed});
    await using kernel = await codingKernel({files, live: true, variables: {...trusting, PATH: bin.path}});
    expect(await say(kernel, 'code_diagnostics', {path: 'a.ts'})).toBe(
      [
        '<untrusted_context source="typescript-language-server">',
        "a.ts:1:14: error [2322]: Type 'string' is not assignable to type 'number'.",
        '</untrusted_context>',
      ].join('\n'),
    );
    const edit = {file_path: 'a.ts', instruction: 'add', old_string: '"text";\n', new_string: '"text";\nmissing();\n'};
    expect((await say(kernel, 'replace', edit)).split('\n').slice(-4)).toEqual([
      'New errors in a.ts since this edit:',
      '<untrusted_context source="typescript-language-server">',
      "a.ts:2:1: error [2304]: Cannot find name 'missing'.",
      '</untrusted_context>',
    ]);
    const content = 'export const other = 1;\n';
    expect(await say(kernel, 'write_file', {file_path: 'a.ts', content})).not.toMatch(/New errors/);
    expect(await say(kernel, 'code_diagnostics', {path: 'b.ts'})).toMatch(/b\.ts:1:9: error \[2305\]/);
  });

  const closing = {
    'package.json': '{"type": "module"}',
    'tsconfig.json': '{"compilerOptions": {"strict": true, "module": "nodenext"}}',
    'store.ts': 'export class Store {\n  close(): void {}\n}\nexport class Door {\n  close(): void {}\n}\n',
    'use.ts':
      "import {Door, Store} from './store.js';\nconst [a, b] = [new Store(), new Door()];\na.close();\nb.close();\n" +
      'export const stop = (one: Store): void => one.close();\n',
  };

  test('tells uses of a member from those of others with its name [code.references]', async () => {
    await using bin = await pathWith({'typescript-language-server': installed});
    await using kernel = await codingKernel({files: closing, live: true, variables: {...trusting, PATH: bin.path}});
    expect(await say(kernel, 'code_find', {name: 'Store.close', what: 'references'})).toBe(
      [
        'use.ts:',
        '  3: a.close();',
        '  5: export const stop = (one: Store): void => one.close();',
        '(1 more place with the name means something else, as typescript-language-server says.)',
      ].join('\n'),
    );
    // It is asked about members only.
    expect(await say(kernel, 'code_find', {name: 'Door', what: 'references'})).not.toContain('language-server');
    await using without = await codingKernel({files: closing, live: true, variables: {...trusting, PATH: '/nowhere'}});
    expect(await say(without, 'code_find', {name: 'Store.close', what: 'references'})).toContain('  4: b.close();');
  });

  test('is offered where there is one [code.offered]', async () => {
    await using bin = await pathWith({'typescript-language-server': installed});
    const offered = async (PATH: string): Promise<boolean> => {
      await using kernel = await codingKernel({files, variables: {...trusting, PATH}});
      return (await kernel.session.offered()).some(({name}) => name === 'code_diagnostics');
    };
    expect([await offered(bin.path), await offered('')]).toEqual([true, false]);
  });
});
