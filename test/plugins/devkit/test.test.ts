import {expect, test} from '@jest/globals';
import {testIsolated} from '../isolation/open-isolated.js';
import {fitPlugin, lendTypescript, makeScene} from './scene.js';

const passing = "import {test} from 'node:test';\ntest('it holds', () => undefined);\n";
const failing = "import {test} from 'node:test';\ntest('it breaks', () => { throw new Error('so it does'); });\n";

test('every test in the folder is run, and a failure ends with 1', async () => {
  await using scene = await makeScene({
    ...fitPlugin,
    'test/a.test.js': passing,
    'test/deep/b.test.mjs': failing,
    'test/helper.js': failing,
  });
  const {code, stdout, stderr} = await scene.gemini('plugins', 'test');
  expect([
    code,
    stderr,
    ['✔ it holds', '✖ it breaks', 'so it does', 'ℹ pass 1\n', 'ℹ fail 1\n'].filter((part) => !stdout.includes(part)),
  ]).toEqual([1, '', []]);
  const {code: exit, stdout: json} = await scene.gemini('plugins', 'test', '--json');
  expect([exit, JSON.parse(json)]).toEqual([1, {name: 'fit', passed: 1, failed: 1, skipped: 0}]);
});

test('tests in TypeScript are compiled along, and an error in one is shown', async () => {
  const options = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  const source =
    "import {defineTool} from '@gemini-kernel/kernel';\nexport default defineTool({name: 'fit_echo', description: " +
    "'Echoes.', effect: 'other', input: {type: 'object'}, run: async () => ({model: ''})});\n";
  const typed =
    "import assert from 'node:assert/strict';\nimport {test} from 'node:test';\nimport tool from " +
    "'../dist/tools/echo.js';\nconst name: string = tool.name;\ntest('it is the tool', () => assert.equal(name, " +
    "'fit_echo'));\n";
  await using scene = await makeScene({
    ...fitPlugin,
    'tsconfig.json': JSON.stringify({compilerOptions: {...options, declaration: true}, include: ['src']}),
    'src/tools/echo.ts': source,
    'test/deep/a.test.ts': typed.replace('../dist', '../../dist'),
  });
  await lendTypescript(scene.root);
  expect(JSON.parse((await scene.gemini('plugins', 'test', '--json')).stdout)).toEqual({
    name: 'fit',
    passed: 1,
    failed: 0,
    skipped: 0,
  });
  await scene.write({'test/b.test.ts': typed.replace('string', 'number')});
  const {code, stdout} = await scene.gemini('plugins', 'test', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      error: {
        code: 'CODE_UNCOMPILED',
        hint: "test/b.test.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      },
    },
  ]);
});

test('TESTS_MISSING: a plugin without tests gets a hint how to start', async () => {
  await using scene = await makeScene(fitPlugin);
  const {code, stderr} = await scene.gemini('plugins', 'test');
  expect([code, stderr.split('\n')[0]]).toEqual([1, expect.stringMatching(/^Error: There are no tests in .*test\.$/)]);
});

const reader = `import {readFileSync} from 'node:fs';
import {defineTool} from '@gemini-kernel/kernel';
const input = {type: 'object', properties: {text: {type: 'string', description: 'A path.'}}};
export default defineTool({
  name: 'fit_echo', description: 'Echoes.', effect: 'read', input,
  run: ({text}) => ({model: text ? String(readFileSync(text).length > 0) : String(process.pid)}),
});\n`;

const inBoth = `import assert from 'node:assert/strict';
import {resolve} from 'node:path';
import {suite, test} from 'node:test';
import {createTestKernel, readPlugin} from '@gemini-kernel/kernel/testing';
const plugins = [{...(await readPlugin(resolve('.'))), origin: 'user'}];
async function call(input) {
  const kernel = await createTestKernel({plugins, confirm: 'yes', files: {'a.txt': 'a'}});
  try {
    return await kernel.call('fit_echo', input(kernel.project));
  } finally {
    await kernel.close();
  }
}
suite('the tool', () => {
  test('reads the workspace', async () =>
    assert.equal((await call((project) => ({text: project + '/a.txt'}))).result?.model, 'true'));
  test('reads what it does not declare', async () =>
    assert.equal((await call(() => ({text: '/etc/passwd'}))).result?.model, 'true'));
  test('runs in this process', async () => assert.equal((await call(() => ({}))).result?.model, String(process.pid)));
});\n`;

testIsolated('with --isolated the tests run in both tiers, and what differs is named [isolation.tested]', async () => {
  await using scene = await makeScene({...fitPlugin, 'dist/tools/echo.js': reader, 'test/a.test.js': inBoth});
  const {code, stdout} = await scene.gemini('plugins', 'test', '--isolated', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    {
      ...{name: 'fit', passed: 3, failed: 0, skipped: 0},
      isolated: {
        ...{passed: 1, failed: 2, skipped: 0},
        differing: ['the tool', 'the tool > reads what it does not declare', 'the tool > runs in this process'],
      },
    },
  ]);
});

test('TIER_MISSING: where nothing confines, --isolated says so before any test runs [isolation.tested]', async () => {
  await using scene = await makeScene({...fitPlugin, 'test/a.test.js': passing});
  // In another sandbox, ours cannot be made.
  const {code, stderr, stdout} = await scene.geminiWith({SANDBOX: 'other'}, 'plugins', 'test', '--isolated');
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('This machine cannot confine a plugin: ')]);
});
