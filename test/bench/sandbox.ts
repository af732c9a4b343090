import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {release, tmpdir} from 'node:os';
import {join} from 'node:path';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {passDescriptors} from '@gemini-kernel/processes';
import {Bubblewrap} from '#plugins/sandbox/dist/linux/bubblewrap.js';
import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';
import {makeAuthority} from '../plugins/a2a/certificates.js';
import {pluginRoot} from '../helpers/plugin-root.js';
import {run} from '../plugins/shell/open-shell.js';
import {median, type Bench} from './measure.js';

const ROUNDS = 25;
const FOLDERS = 1000;
const FILES_EACH = 200;
const MASKS = 50;

interface Started {
  readonly file: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly descriptors: Parameters<typeof passDescriptors>[0];
}

/** Milliseconds until a program that was started has ended. */
async function timeEnd({file, args, variables, descriptors}: Started): Promise<number> {
  const begun = performance.now();
  const passing = passDescriptors(descriptors);
  const child = spawn(file, args, {cwd: '/', env: variables, stdio: ['ignore', 'ignore', 'inherit', ...passing.stdio]});
  passing.give(child);
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${file} ended with ${code}.`);
  return performance.now() - begun;
}

class Place {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-bench-sandbox-')));
  readonly project = join(this.#top, 'project');
  readonly #opened: Bubblewrap[] = [];

  constructor() {
    for (const folder of [this.project, this.#home]) mkdirSync(folder);
  }

  get #home(): string {
    return join(this.#top, 'home');
  }

  async open(): Promise<Bubblewrap> {
    const found = await findBubblewrap();
    if (!('file' in found)) throw new Error(found.sentence);
    const [user, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const environment = {home: this.#home, temporary: this.#top, variables: {HOME: this.#home}};
    const machine = process.arch as 'x64' | 'arm64';
    const parts = {machine, pid: process.pid, user, group, release: release(), environment};
    const opened = new Bubblewrap(found.file, parts);
    this.#opened.push(opened);
    return opened;
  }

  /** Milliseconds to confine `sh -c true` and run it to its end. */
  async timeConfined(sandbox: Bubblewrap, cwd: string): Promise<number> {
    const begun = performance.now();
    const [args, variables] = [['-c', 'true'], {PATH: '/usr/bin:/bin'}];
    const confined = await sandbox.confine({file: 'sh', args, cwd, variables, roots: [cwd], mode: 'default'});
    await timeEnd(confined);
    return performance.now() - begun;
  }

  [Symbol.dispose](): void {
    for (const opened of this.#opened) opened.close();
    rmSync(this.#top, {recursive: true});
  }
}

const start: Bench = {
  name: 'a command in the sandbox',
  target: {atMost: 15, of: 'a millisecond more than sh -c true'},
  async run() {
    using place = new Place();
    const sandbox = await place.open();
    const bare = {file: 'sh', args: ['-c', 'true'], variables: {PATH: '/usr/bin:/bin'}, descriptors: []};
    const rounds: (readonly [number, number])[] = [];
    await place.timeConfined(sandbox, place.project);
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await place.timeConfined(sandbox, place.project), await timeEnd(bare)]);
    const {ratio, detail} = compare(rounds);
    return {ratio: median(rounds.map(([own, other]) => own - other)), detail: `${ratio.toFixed(1)}x; ${detail}`};
  },
};

/** A tree with files, and with as many `.env` among them as asked. */
function makeTree(root: string, hidden: number): void {
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(root, `d${folder}`);
    mkdirSync(path, {recursive: true});
    for (let file = 0; file < FILES_EACH; file += 1) writeFileSync(join(path, `f${file}`), '');
    if (folder < hidden) writeFileSync(join(path, '.env'), 'SECRET');
  }
}

const masks: Bench = {
  name: `a command where ${MASKS} of ${FOLDERS * FILES_EACH} files are hidden`,
  target: {atMost: 1.5, of: 'one where none is'},
  async run() {
    using place = new Place();
    const [many, none] = [join(place.project, 'many'), join(place.project, 'none')];
    makeTree(many, MASKS);
    makeTree(none, 0);
    const [first, second] = [await place.open(), await place.open()];
    await place.timeConfined(first, many);
    await place.timeConfined(second, none);
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push([await place.timeConfined(first, many), await place.timeConfined(second, none)]);
    return compare(rounds);
  },
};

/** Times requests, each by a connection of its own, until the first byte; by the exit where a port is given. */
const ASK = `
  const [, , host, exit] = process.argv;
  const {connect} = require('net');
  const tls = require('tls');
  const [name, port] = host.split(':');
  const open = () => new Promise((resolve, reject) => {
    const socket = connect(exit ? 3128 : Number(port), exit ? '127.0.0.1' : name);
    socket.on('error', reject);
    if (!exit) return socket.once('connect', () => resolve(socket));
    socket.write('CONNECT ' + host + ' HTTP/1.1\\r\\n\\r\\n');
    socket.once('data', () => resolve(socket));
  });
  const once = async () => {
    const begun = performance.now();
    const secure = tls.connect({socket: await open(), servername: name, rejectUnauthorized: false});
    secure.write('GET / HTTP/1.1\\r\\nhost: ' + host + '\\r\\nconnection: close\\r\\n\\r\\n');
    await new Promise((resolve, reject) => secure.once('data', resolve).once('error', reject));
    const ms = performance.now() - begun;
    secure.destroy();
    return ms;
  };
  (async () => {
    for (let count = 0; count < 30; count += 1) await once();
    const all = [];
    for (let count = 0; count < 150; count += 1) all.push(await once());
    console.log(all.sort((a, b) => a - b)[75]);
  })();`;

function openCommands(sandbox: string, settings: object): Promise<TestKernel> {
  return createTestKernel({
    plugins: ['settings', 'trust', 'workspace', 'secrets', 'sandbox', 'shell'].map(pluginRoot),
    confirm: 'yes',
    files: {'ask.js': ASK},
    homeFiles: {'.gemini/settings.json': JSON.stringify(settings)},
    variables: {PATH: process.env['PATH'], GEMINI_SANDBOX: sandbox, GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
}

/** The number that a command prints. */
async function figureOf(kernel: TestKernel, command: string): Promise<number> {
  const {text} = await run(kernel, {command});
  return Number(text.replace('Output: ', ''));
}

const exit: Bench = {
  name: 'the first byte of an HTTPS request by the exit of the sandbox',
  target: {atMost: 1.5, of: 'one without it'},
  async run() {
    await using authority = await makeAuthority();
    const {text} = await authority.make('localhost');
    const server = createServer(text, (_, response) => response.end('reached'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `localhost:${(server.address() as AddressInfo).port}`;
    try {
      const tools = {sandboxAllowedHosts: [host]};
      await using inside = await openCommands('true', {tools});
      await using outside = await openCommands('false', {});
      const rounds: (readonly [number, number])[] = [];
      for (let round = 0; round < 5; round += 1) {
        rounds.push([
          await figureOf(inside, `node ask.js ${host} exit`),
          await figureOf(outside, `node ask.js ${host}`),
        ]);
      }
      return compare(rounds);
    } finally {
      server.close();
    }
  },
};

function compare(rounds: readonly (readonly [number, number])[]): {readonly ratio: number; readonly detail: string} {
  const [own, other] = [median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b))];
  return {ratio: own / other, detail: `${own.toFixed(1)} ms / ${other.toFixed(1)} ms, medians of ${rounds.length}`};
}

/** What the sandbox costs a command. */
export const sandbox: readonly Bench[] = [start, masks, exit];
