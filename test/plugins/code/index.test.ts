import {execFileSync} from 'node:child_process';
import {mkdir, mkdtemp, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {CodeStatus} from '@gemini-kernel/plugin-code/contract';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';

interface Place {
  readonly project: string;
  run(...args: readonly string[]): Promise<RunResult>;
  status(): Promise<CodeStatus>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function openPlace(files: Readonly<Record<string, string>>): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'gemini-code-'));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([mkdir(project), mkdir(home)]);
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const run = (...args: readonly string[]): Promise<RunResult> => runGemini(args, {cwd: project, home});
  return {
    project,
    run,
    async status() {
      const {code, stdout, stderr} = await run('code', 'status', '--json');
      if (code !== 0) throw new Error(stderr + stdout);
      return JSON.parse(stdout) as CodeStatus;
    },
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}

const two = {'a.ts': 'export class A {}\n', 'b.py': 'def b(): pass\n'};

describe('the index', () => {
  test('is kept between runs, reads what changed, and is made again when it is not whole [code.index]', async () => {
    await using place = await openPlace(two);
    const {file, ...first} = await place.status();
    expect(first).toMatchObject({files: 2, symbols: 2, parsed: 2, leftOut: []});
    expect(await place.status()).toMatchObject({files: 2, symbols: 2, parsed: 0});
    await writeFile(join(place.project, 'a.ts'), 'export class B {}\n');
    await rm(join(place.project, 'b.py'));
    expect(await place.status()).toMatchObject({files: 1, symbols: 1, parsed: 1});
    const bytes = await readFile(file);
    const broken = [Buffer.alloc(0), bytes.subarray(0, -5), Buffer.concat([bytes, bytes])];
    for (const one of broken) {
      await writeFile(file, one);
      expect(await place.status()).toMatchObject({files: 1, symbols: 1, parsed: 1});
    }
    expect(await place.status()).toMatchObject({files: 1, symbols: 1, parsed: 0});
    await rm(file);
    execFileSync('mkfifo', [file]);
    expect(await place.status()).toMatchObject({files: 1, symbols: 1, parsed: 1});
  });

  test('is whole when several programs write it at once [code.index]', async () => {
    const many = Object.fromEntries(
      Array.from({length: 60}, (_, index) => [`f${index}.ts`, `export class C${index} {}\n`]),
    );
    await using place = await openPlace(many);
    const states = await Promise.all([place.status(), place.status(), place.status()]);
    expect(states.map(({files, symbols}) => [files, symbols])).toEqual([
      [60, 60],
      [60, 60],
      [60, 60],
    ]);
    expect(await place.status()).toMatchObject({files: 60, symbols: 60, parsed: 0});
  });

  test('leaves out files that are no code, and is not held up by them [code.hostile]', async () => {
    await using place = await openPlace(two);
    const path = (name: string): string => join(place.project, name);
    await writeFile(path('huge.ts'), 'x = 1;\n'.repeat(200_000));
    await writeFile(path('binary.ts'), Buffer.from([0, 1, 2]));
    await writeFile(path('latin.py'), Buffer.from([0x78, 0xe9, 0x0a]));
    await writeFile(path('deep.js'), `x = ${'['.repeat(100_000)}`);
    await writeFile(path('nested.ts'), `${'function f() {'.repeat(1000)}${'}'.repeat(1000)}`);
    await writeFile(path('garbage.go'), '}{)('.repeat(5000));
    await writeFile(path('imports.ts'), 'import '.repeat(20_000));
    await writeFile(path('empty.rs'), '');
    execFileSync('mkfifo', [path('pipe.ts')]);
    await symlink(path('a.ts'), path('link.ts'));
    const {leftOut, files} = await place.status();
    const reasons = Object.fromEntries(
      leftOut.map(({path: left, reason}) => [left.slice(place.project.length + 1), reason]),
    );
    expect(reasons).toMatchObject({
      'huge.ts': 'has more than 1 MB',
      'binary.ts': 'is binary',
      'latin.py': 'is not UTF-8',
      'deep.js': 'takes too long to read',
    });
    expect((await place.run('code', 'outline', 'deep.js', '--json')).stdout).toContain('CODE_TOO_COMPLEX');
    expect(files).toBeGreaterThanOrEqual(8);
    const {stdout} = await place.run('code', 'find', 'A');
    expect(stdout).toBe('a.ts:\n  1: export class A (class)\n');
    expect((await place.run('code', 'outline', 'pipe.ts', '--json')).stdout).toContain('CODE_UNREADABLE');
  }, 120_000);
});

describe('gemini code', () => {
  test('shows outlines, finds and maps, as text and as JSON [code.commands]', async () => {
    await using place = await openPlace({...two, 'c.ts': "import {A} from './a.js';\nnew A();\n"});
    expect(await place.run('code', 'outline', 'a.ts')).toMatchObject({code: 0, stdout: '1: export class A\n'});
    expect(await place.run('code', 'find', 'A', '--what', 'references')).toMatchObject({
      code: 0,
      stdout: "c.ts:\n  1: import {A} from './a.js';\n  2: new A();\n",
    });
    expect(JSON.parse((await place.run('code', 'find', 'A', '--json')).stdout)).toMatchObject({
      name: 'A',
      what: 'definitions',
      items: [{symbol: {name: 'A', kind: 'class', line: 1}, signature: 'export class A'}],
      isLimited: false,
    });
    expect((await place.run('code', 'map')).stdout).toMatch(/^a\.ts:\n {2}1: export class A\n/);
    const {files} = JSON.parse((await place.run('code', 'map', '--json')).stdout) as {files: {path: string}[]};
    expect(files.map(({path}) => path.slice(place.project.length + 1))).toEqual(['a.ts', 'b.py']);
    expect(await place.run('code', 'outline', 'gone.ts')).toMatchObject({
      code: 1,
      stderr: 'Error: Cannot outline gone.ts: it does not exist or cannot be read.\nCheck the path.\n',
    });
    expect((await place.run('code', 'find', 'A', '--what', 'x')).code).not.toBe(0);
  });
});
