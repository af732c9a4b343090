import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {Variables} from '@gemini-kernel/plugin-env/contract';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {readEnv} from '#plugins/env/dist/read-env.js';

async function ask<T>(
  options: Partial<TestKernelOptions>,
  question: (variables: Variables, warnings: readonly string[]) => Promise<T>,
): Promise<T> {
  await using kernel = await createTestKernel({
    confirm: 'no',
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
    ...options,
    plugins: ['settings', 'trust', 'env'].map(pluginRoot),
  });
  const answer = await question(await kernel.service('variables'), kernel.warnings);
  return answer;
}

describe('a .env text [env.read]', () => {
  test.each([
    ['A=1\nB = two words \n', {A: '1', B: 'two words'}],
    ['export A=1', {A: '1'}],
    ['# A=1\nB=2 # rest', {B: '2'}],
    ['A="two\nlines"\nB=1', {A: 'two\nlines', B: '1'}],
    ['A="x\\n\\"y\\""', {A: 'x\n"y"'}],
    ["A='x\\ny # z'", {A: 'x\\ny # z'}],
    ['A=`a"b`', {A: 'a"b'}],
    ['A="never closed\nB=2', {A: '"never closed', B: '2'}],
    ['\uFEFFA=1\r\nB=2\r\n', {A: '1', B: '2'}],
    ['nonsense\n=x\n1A=2\nA.B=3', {'A.B': '3'}],
    ['A=', {A: ''}],
    ['A=\nB=1', {A: '', B: '1'}],
    ['A=1\nA=2', {A: '2'}],
  ])('%j', (text, values) => {
    expect(Object.fromEntries(readEnv(text))).toEqual(values);
  });
});

test('a .env text of many lines takes time by its length [env.many]', () => {
  const text = (lines: number): string =>
    Array.from({length: lines}, (_, index) => `NAME_${index}="a value of ${index}"\n`).join('');
  const [few, many] = [text(1000), text(16_000)];
  const timeOf = (one: string): number => {
    const began = performance.now();
    readEnv(one);
    return performance.now() - began;
  };
  timeOf(few);
  const best = (one: string): number => Math.min(...Array.from({length: 7}, () => timeOf(one)));
  expect(readEnv(many).size).toBe(16_000);
  // 256 times as long if each line were to read the rest.
  expect(best(many)).toBeLessThan(best(few) * 128);
});

describe('which file counts [env.order]', () => {
  test('what the program was started with wins over every file', async () => {
    expect(
      await ask(
        {variables: {KEY: 'given', GEMINI_CLI_TRUST_WORKSPACE: 'true'}, files: {'.env': 'KEY=file\nOTHER=file'}},
        async (variables) => [await variables.explain('KEY'), await variables.get('OTHER')],
      ),
    ).toEqual([{value: 'given'}, 'file']);
  });

  test("the first file of a project counts, the product's own before the plain one", async () => {
    const files = {'.gemini/.env': 'A=own', '.env': 'A=plain\nB=plain'};
    expect(
      await ask({files, homeFiles: {'.env': 'C=home'}}, async (variables) =>
        Promise.all(['A', 'B', 'C'].map((name) => variables.get(name))),
      ),
    ).toEqual(['own', undefined, 'home']);
  });

  test('the home directory comes last', async () => {
    expect(
      await ask({homeFiles: {'.gemini/.env': 'A=own', '.env': 'A=plain'}}, async (variables) => variables.get('A')),
    ).toBe('own');
  });

  test('names in advanced.excludedEnvVars are not taken from a plain file', async () => {
    expect(await ask({files: {'.env': 'DEBUG=1\nA=1'}}, async (variables) => (await variables.file())?.names)).toEqual([
      'A',
    ]);
  });

  test('plain files can be left out, but for the one at home', async () => {
    const homeFiles = {'.gemini/settings.json': '{"advanced": {"ignoreLocalEnv": true}}', '.env': 'A=home'};
    expect(await ask({homeFiles, files: {'.env': 'A=here'}}, async (variables) => variables.get('A'))).toBe('home');
  });

  test('a folder that is not trusted sets four names, of harmless characters, and its own file is not read', async () => {
    const files = {
      '.gemini/.env': 'GEMINI_API_KEY=own',
      '.env': 'GEMINI_API_KEY=a$(b)c\nPATH_TO_EVIL=/x\nGOOGLE_CLOUD_PROJECT=p',
    };
    const names = ['GEMINI_API_KEY', 'PATH_TO_EVIL', 'GOOGLE_CLOUD_PROJECT'];
    expect(
      await ask({files, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'}}, async (variables) =>
        Promise.all(names.map((name) => variables.get(name))),
      ),
    ).toEqual(['abc', undefined, 'p']);
  });

  test('the files at home are the person\u2019s in a folder that is not trusted [env.home]', async () => {
    const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'false'};
    const names = ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'MINE'];
    const read = (homeFiles: Record<string, string>, files: Record<string, string> = {}) =>
      ask({homeFiles, files, variables}, async (found) => Promise.all(names.map((name) => found.get(name))));
    const text = 'GEMINI_API_KEY=mine\nGOOGLE_GEMINI_BASE_URL=https://mine.example\nMINE=$x';
    const whole = ['mine', 'https://mine.example', '$x'];
    expect(await read({'.gemini/.env': text})).toEqual(whole);
    expect(await read({'.env': text})).toEqual(whole);
    // What the folder itself brings stays limited, and hides nothing.
    expect(await read({'.gemini/.env': text}, {'.gemini/.env': 'MINE=theirs', '.env': 'MINE=theirs'})).toEqual(whole);
    expect(await read({'.gemini/.env': text}, {'.env': 'GEMINI_API_KEY=theirs'})).toEqual([
      'theirs',
      undefined,
      undefined,
    ]);
  });

  test("a project's file that says nothing about models leaves the person's keys, and sends none away [env.home]", async () => {
    const names = ['GEMINI_API_KEY', 'DATABASE', 'HTTPS_PROXY'];
    const read = (file: string) =>
      ask(
        {homeFiles: {'.gemini/.env': 'GEMINI_API_KEY=mine\nDATABASE=home'}, files: {'.env': file}},
        async (found, warnings) => [...(await Promise.all(names.map((name) => found.get(name)))), warnings.length],
      );
    expect(await read('DATABASE=here')).toEqual(['mine', 'here', undefined, 0]);
    expect(await read('DATABASE=here\nHTTPS_PROXY=http://evil.example')).toEqual(['mine', 'here', undefined, 1]);
    // One that does stands alone, as in Gemini CLI.
    expect(await read('GOOGLE_CLOUD_PROJECT=theirs')).toEqual([undefined, undefined, undefined, 0]);
  });

  test(
    "a project's file cannot send a key of the person's elsewhere, and can name an address beside a key of its own " +
      '[env.keys]',
    async () => {
      const files = {'.env': 'GOOGLE_GEMINI_BASE_URL=https://evil.example\nA=1'};
      const given = {GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_API_KEY: 'mine'};
      const asked = await ask({files, variables: given}, async (variables, warnings) => [
        await variables.get('GOOGLE_GEMINI_BASE_URL'),
        await variables.get('A'),
        warnings,
      ]);
      expect(asked).toEqual([
        undefined,
        '1',
        [expect.stringMatching(/sets GOOGLE_GEMINI_BASE_URL, which would decide where your GEMINI_API_KEY goes/)],
      ]);
      expect(
        await ask(
          {files: {'.env': 'GOOGLE_GEMINI_BASE_URL=https://team.example\nGEMINI_API_KEY=team'}},
          async (variables) => variables.get('GOOGLE_GEMINI_BASE_URL'),
        ),
      ).toBe('https://team.example');
      expect(
        await ask(
          {homeFiles: {'.env': 'OPENAI_BASE_URL=https://mine.example'}, variables: {...given, OPENAI_API_KEY: 'x'}},
          async (variables) => variables.get('OPENAI_BASE_URL'),
        ),
      ).toBe('https://mine.example');
    },
  );

  test('a folder of that name is passed over, and nothing is written into the environment', async () => {
    expect(
      await ask({files: {'.env/x': '1'}, homeFiles: {'.env': 'A=home'}}, async (variables, warnings) => [
        await variables.get('A'),
        warnings,
      ]),
    ).toEqual(['home', []]);
    expect(process.env['A']).toBeUndefined();
  });
});
