import {execFile} from 'node:child_process';
import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Script, ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {installPacked, linkPackage, packPackages} from '../helpers/packed.js';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, says} from '../helpers/run-agent.js';
import {newcomerVariables} from '../helpers/run-gemini.js';
import {startGeminiServer} from '../helpers/gemini-server.js';
import {readSteps} from './markdown-steps.js';

const run = promisify(execFile);

/** The answers of the model for each recipe, and what the recipe prints. */
const recipes: Readonly<Record<string, {readonly script: Script; readonly prints: string}>> = {
  'bot.ts': {script: [says('Hello.')], prints: 'Hello.\ndone\n'},
  'own-tool.ts': {
    script: [callsTools(['in_stock', {article: 'apples'}]), says('Yes, 3.')],
    prints: 'Yes, 3.\n"failed"\n',
  },
  'approval.ts': {
    script: [callsTools(['write_file', {file_path: 'hello.txt', content: 'hello\n'}]), says('Written.')],
    prints: 'May write_file run? diff\n["hello.txt"]\n',
  },
  'batch.ts': {script: () => says('text'), prints: 'a.txt: text\nb.txt: text\n'},
  'resume.ts': {script: [says('Yes.'), says('7')], prints: 'Yes.\n7\ntrue\n'},
  'schema.ts': {
    script: [says('Four stars.'), says('{"name": "Emma", "stars": 4}')],
    prints: '{"name":"Emma","stars":4} undefined\n',
  },
  'two-agents.ts': {script: [says('Apples!'), says('Better apples!')], prints: 'Better apples!\n'},
  'own-model.ts': {script: [], prints: 'You said: Hello.\n'},
  'server.ts': {script: [says('Hi.')], prints: 'init message message result\n'},
  'worker.ts': {script: [says('Hello.')], prints: 'Hello.\n'},
  'gemini-cli.ts': {script: [callsTools(['add', {a: 5, b: 6}]), says('Arr, 11.')], prints: 'Arr, 11.\n'},
};

let place: Folder;

beforeAll(async () => {
  place = await makeFolder();
  const {listPackages, closureOf} = (await import(join(checkout, 'bin/release/list-packages.mjs'))) as {
    listPackages(root: string): readonly unknown[];
    closureOf(name: string, packages: readonly unknown[]): ReadonlySet<string>;
  };
  const names = [...closureOf('@gemini-kernel/sdk', listPackages(checkout))];
  await using packed = await packPackages(names);
  await installPacked(place.path, names, packed);
  for (const name of ['@types/node', 'undici-types']) await linkPackage(place.path, name, checkout);
  const steps = await readSteps(join(checkout, 'docs', 'sdk.md'));
  await mkdir(join(place.path, 'src'));
  for (const step of steps) if (step.kind === 'file') await writeFile(join(place.path, 'src', step.path), step.text);
  const options = {
    ...{target: 'ES2022', lib: ['ES2023', 'ESNext.Disposable'], module: 'NodeNext', types: ['node'], strict: true},
    ...{exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, rootDir: 'src', outDir: 'dist'},
  };
  // Without skipLibCheck: the types of the package are checked as well.
  await writeFile(join(place.path, 'tsconfig.json'), JSON.stringify({compilerOptions: options, include: ['src']}));
}, 240_000);
afterAll(() => place[Symbol.asyncDispose]());

test('every recipe of docs/sdk.md is run here, and compiles against the packed package alone [sdk.recipes]', async () => {
  expect((await readdir(join(place.path, 'src'))).sort()).toEqual(Object.keys(recipes).sort());
  const compiler = join(checkout, 'node_modules', 'typescript', 'bin', 'tsc');
  const {stdout} = await run(process.execPath, [compiler], {cwd: place.path}).catch((error: unknown) => {
    throw new Error((error as {stdout: string}).stdout);
  });
  expect(stdout).toBe('');
}, 240_000);

test.each(Object.entries(recipes))(
  '%s prints what its reader expects [sdk.recipes]',
  async (file, {script, prints}) => {
    await using folder = await makeFolder();
    const [home, cwd] = [join(folder.path, 'home'), join(folder.path, 'project')];
    for (const path of [home, cwd]) await mkdir(path);
    await writeFile(join(cwd, 'a.txt'), 'one\n');
    await writeFile(join(cwd, 'b.txt'), 'two\n');
    const server = await startGeminiServer({script, models: ['model-a']});
    try {
      const {stdout, stderr} = await run(
        process.execPath,
        [join(place.path, 'dist', file.replace(/\.ts$/, '.js'))],
        {cwd, env: variablesOf(home, server.url)},
      );
      expect({stdout, stderr}).toEqual({stdout: prints, stderr: ''});
    } finally {
      await server.close();
    }
  },
  60_000,
);

test('a program in JavaScript uses the packed package without a compiler [sdk.packed]', async () => {
  await using folder = await makeFolder();
  const answer: ScriptedAnswer = says('Hello.');
  const server = await startGeminiServer({script: [answer], models: ['model-a']});
  const file = join(place.path, 'plain.js');
  await writeFile(
    file,
    `import {createAgent} from '@gemini-kernel/sdk';
const agent = await createAgent({environment: 'process', trusted: true});
try {
  const session = await agent.session();
  console.log((await session.send('Hi').result()).response);
} finally {
  await agent.dispose();
}
`,
  );
  try {
    const ended = await run(process.execPath, [file], {
      cwd: folder.path,
      env: variablesOf(folder.path, server.url),
    });
    expect(ended).toEqual({stdout: 'Hello.\n', stderr: ''});
  } finally {
    await server.close();
  }
}, 60_000);

function variablesOf(home: string, url: string): NodeJS.ProcessEnv {
  return {
    ...newcomerVariables(home),
    ...{GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: 'model-a'},
  };
}
