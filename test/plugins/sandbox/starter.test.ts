import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {arch, tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from '@jest/globals';
import {AREAS, makeConstants} from '#plugins/sandbox/dist/starter/constants.js';
import {makeStarter} from '#plugins/sandbox/dist/starter/make-starter.js';
import {makeProgram} from '#plugins/sandbox/dist/starter/program.js';
import {starterFile} from '#plugins/sandbox/dist/starter/starter-file.js';
import {where} from '../../helpers/where.js';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-starter-')));
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Runs programs of another machine. */
const emulators = {x64: 'qemu-x86_64-static', arm64: 'qemu-aarch64-static'};
const find = (file: string): string => spawnSync('sh', ['-c', `command -v ${file}`], {encoding: 'utf8'}).stdout.trim();

test('each file is the same whenever it is made, and no label stands twice [sandbox.starter]', () => {
  for (const machine of ['x64', 'arm64'] as const)
    expect(makeStarter(machine).equals(readFileSync(starterFile(machine)))).toBe(true);
  const labels = makeProgram('x64')
    .flatMap((step) => (step[0] === 'label' ? [step[1]] : []))
    .concat(Object.keys(makeConstants('x64')), Object.keys(AREAS));
  expect(new Set(labels).size).toBe(labels.length);
});

describe.each(['x64', 'arm64'] as const)('the starter of %s', (machine) => {
  const prefix = machine === arch() ? [] : [find(emulators[machine])];
  const isPossible = process.platform === 'linux' && prefix.every((file) => file !== '');
  const testStarter = where(isPossible, `${emulators[machine]} is not here`);

  /** Starts it with its letters, a program and arguments. */
  function words(...given: readonly string[]): readonly [string, ...string[]] {
    const file = join(folder, `starter-${machine}`);
    copyFileSync(starterFile(machine), file);
    chmodSync(file, 0o755);
    return [...prefix, file, ...given] as unknown as readonly [string, ...string[]];
  }

  function start(given: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const [file, ...args] = words(...given);
    const {status, signal, stdout, stderr} = spawnSync(file, args, {env, cwd: folder, encoding: 'utf8'});
    return {status, signal, stdout, stderr};
  }

  testStarter('becomes a program by its path or its name, with arguments and variables [sandbox.starter]', () => {
    expect(start(['', '/bin/sh', '-c', 'echo $0 $1 $A; exit 3', 'a', 'b c'], {A: 'x'})).toMatchObject({
      ...{status: 3, stdout: 'a b c x\n'},
    });
    expect(start(['', 'echo', 'found'], {PATH: '/none:/usr/bin:/bin'})).toMatchObject({stdout: 'found\n'});
    expect(start(['', 'echo', 'found'], {B: 'PATH=/none'})).toMatchObject({stdout: 'found\n'});
    expect(start(['', 'sh', '-c', 'kill -TERM $$'])).toMatchObject({signal: 'SIGTERM'});
  });

  testStarter('runs a file without a line that names its shell, as the C library does [sandbox.starter]', () => {
    writeFileSync(join(folder, 'plain'), 'echo plain $1', {mode: 0o755});
    expect(start(['', './plain', 'one'])).toMatchObject({stdout: 'plain one\n'});
    expect(start(['', 'plain', 'two'], {PATH: `:${'/bin'}`})).toMatchObject({stdout: 'plain two\n'});
  });

  testStarter('says what cannot be run, whatever is in PATH [sandbox.starter]', () => {
    const missing = {status: 127, stderr: expect.stringContaining('was not found in the sandbox')};
    for (const path of ['', '/none', `/${'x'.repeat(5000)}`, `${'/a:'.repeat(5000)}`, folder])
      expect(start(['', 'no-such-program'], {PATH: path})).toMatchObject(missing);
    expect(start(['', `${folder}/none`])).toMatchObject(missing);
    expect(start(['', 'x'.repeat(10_000)])).toMatchObject(missing);
    writeFileSync(join(folder, 'not-mine'), '', {mode: 0o644});
    expect(start(['', './not-mine'])).toMatchObject(missing);
    for (const given of [['z', 'true'], ['l']]) expect(start(given)).toMatchObject({status: 125});
  });

  // An emulator answers for limits of its own.
  where(isPossible && prefix.length === 0, `a machine with ${machine}`)('limits processes [sandbox.starter]', () => {
    expect(start(['l300', 'bash', '-c', 'ulimit -u; ulimit -Hu'])).toMatchObject({stdout: '300\n300\n'});
  });

  testStarter('ends with the program, and holds nothing of it open [sandbox.starter]', async () => {
    const [file, ...args] = words('', 'sh', '-c', 'exec cat');
    const child = spawn(file, args, {stdio: ['pipe', 'pipe', 'inherit']});
    child.stdin.end('through');
    let text = '';
    child.stdout.on('data', (data: Buffer) => (text += String(data)));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(text).toBe('through');
  });
});
