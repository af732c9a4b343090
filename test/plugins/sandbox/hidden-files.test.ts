import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {release, tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect} from '@jest/globals';
import {passDescriptors} from '@gemini-kernel/processes';
import {Bubblewrap} from '#plugins/sandbox/dist/linux/bubblewrap.js';
import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';
import type {Confined} from '#plugins/sandbox/dist/contract.js';
import {testConfined} from './open-sandbox.js';

const SECRETS = 60;
const user = process.getuid?.() ?? 0;
const group = process.getgid?.() ?? 0;
let top = '';
let project = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-hidden-')));
  project = join(top, 'project');
  mkdirSync(join(top, 'home'));
  for (let index = 0; index < SECRETS; index += 1) {
    mkdirSync(join(project, `d${index}`), {recursive: true});
    writeFileSync(join(project, `d${index}`, '.env'), 'SECRET');
  }
});
afterEach(() => rmSync(top, {recursive: true}));

async function open(program?: string): Promise<Bubblewrap> {
  const {file = ''} = await findBubblewrap();
  const environment = {home: join(top, 'home'), temporary: top, variables: {HOME: join(top, 'home')}};
  const machine = process.arch as 'x64' | 'arm64';
  return new Bubblewrap(program ?? file, {machine, pid: process.pid, user, group, release: release(), environment});
}

function confine(bubblewrap: Bubblewrap, script: string): Promise<Confined> {
  const variables = {PATH: '/usr/bin:/bin'};
  const request = {file: 'sh', args: ['-c', script], cwd: project, variables, roots: [project], mode: 'default'};
  return bubblewrap.confine(request);
}

async function run({file, args, variables, descriptors}: Confined): Promise<string> {
  const passing = passDescriptors(descriptors);
  const child = spawn(file, args, {cwd: '/', env: variables, stdio: ['ignore', 'pipe', 'pipe', ...passing.stdio]});
  passing.give(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (text += String(data)));
  const [code] = (await once(child, 'close')) as [number];
  return `${text}exit ${code}`;
}

const READ = 'cat d*/.env; for one in d*/.env; do rm "$one" && echo removed; echo x > "$one" && echo written; done';

testConfined('many files are hidden, and the program has no right and the whole filter [sandbox.hidden]', async () => {
  const bubblewrap = await open();
  try {
    const read = await run(await confine(bubblewrap, `(${READ}) 2>/dev/null; true`));
    expect(read).toBe('exit 0');
    const status = `grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; id -u; id -g; cat /proc/self/uid_map`;
    const text = await run(await confine(bubblewrap, `${status}; ls /proc/1/root; unshare -Ur true; true`));
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) expect(text).toContain(`Cap${set}:\t0000000000000000\n`);
    expect(text).toContain('NoNewPrivs:\t1\nSeccomp:\t2\n');
    expect(text).toMatch(new RegExp(`\\n${user}\\n${group}\\n\\s+${user}\\s+0\\s+1\\n`));
    expect(text).toMatch(/\/proc\/1\/root'?: Permission denied/);
    expect(text).toMatch(/unshare.*Operation not permitted/);
  } finally {
    bubblewrap.close();
  }
});

testConfined('a file that is gone before the program starts is no fault [sandbox.hidden]', async () => {
  const bubblewrap = await open();
  try {
    const confined = await confine(bubblewrap, 'cat d*/.env; echo done');
    rmSync(join(project, 'd30'), {recursive: true});
    expect(await run(confined)).toBe('done\nexit 0');
  } finally {
    bubblewrap.close();
  }
});

testConfined('where the starter gets no rights, bubblewrap hides the same files [sandbox.hidden]', async () => {
  const {file = ''} = await findBubblewrap();
  const program = join(top, 'bwrap');
  writeFileSync(program, `#!/bin/sh\ncase "$*" in *--cap-add*) exit 1;; esac\nexec ${file} "$@"\n`, {mode: 0o755});
  const bubblewrap = await open(program);
  try {
    const confined = await confine(bubblewrap, `(${READ}) 2>/dev/null; true`);
    expect(confined.args).not.toContain('--cap-add');
    expect(await run(confined)).toBe('exit 0');
  } finally {
    bubblewrap.close();
  }
});
