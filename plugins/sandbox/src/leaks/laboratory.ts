import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type Server} from 'node:net';
import {chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync} from 'node:fs';
import {rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {readTextSync} from '@gemini-kernel/files';

/** What every secret of the laboratory holds. */
export const CANARY = 'CANARY-gemini-leak';

const NAMESPACES = ['mnt', 'pid', 'net', 'ipc', 'uts', 'user', 'cgroup'];
const SECRETS = [
  ...['home/.ssh/id_ed25519', 'home/.gemini/oauth_creds.json', 'home/.aws/credentials', 'home/.netrc', 'home/.npmrc'],
  ...['home/.cargo/credentials.toml', 'home/.config/gh/hosts.yml', 'home/.bash_history', 'home/other/secret.txt'],
  ...['home/.mozilla/profile/cookies', 'project/.env', 'project/.envrc', 'project/app/.env.local', 'beside.txt'],
  ...['project/a/b/c/d/e/f/g/h/.env', 'project/settings/real-secrets'],
];
const FILES: Readonly<Record<string, string>> = {
  'home/.bashrc': '# nothing\n',
  'shown/file': 'shown\n',
  'project/README.md': 'A project.\n',
  'project/.husky/pre-push': '#!/bin/sh\n',
  'project/lib/inner/.git/HEAD': 'ref: refs/heads/main\n',
  'project/lib/inner/.git/config': '[core]\n\tbare = false\n',
  'project/lib/inner/.git/hooks/sample': '',
  'project/tree/.git': 'gitdir: ../.git/worktrees/tree\n',
};
const OF_GIT: Readonly<Record<string, string>> = {
  'project/.git/modules/m/config': '[core]\n',
  'project/.git/modules/m/hooks/sample': '',
  'project/.git/hooks/post-merge': '#!/bin/sh\n',
};

/** A home, a project, a process and servers that probes try to reach. */
export class Laboratory {
  readonly project: string;
  readonly home: string;
  readonly shown: string;
  #bystander: ChildProcess | undefined;
  readonly #servers: Server[] = [];
  #port = 0;

  private constructor(readonly path: string) {
    this.project = join(path, 'project');
    this.home = join(path, 'home');
    this.shown = join(path, 'shown');
  }

  /** Builds one in a folder. Close it in any case. */
  static async build(below: string): Promise<Laboratory> {
    const laboratory = new Laboratory(realpathSync(mkdtempSync(join(below, 'gemini-leaks-'))));
    try {
      await laboratory.#fill();
      await laboratory.#serve();
    } catch (error) {
      await laboratory.close();
      throw error;
    }
    return laboratory;
  }

  /** What probes find in their variables. */
  variables(given: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
    const {PATH = '/usr/bin:/bin', LANG = 'C.UTF-8'} = given;
    const own = {LAB: this.path, PORT: String(this.#port), BYSTANDER: String(this.#bystander?.pid ?? 0)};
    return {PATH, LANG, HOME: this.home, ...own};
  }

  /** How a path is now, to be compared with later. */
  look(path: string): string {
    if (path === 'bystander') return this.#bystander?.exitCode === null && !this.#bystander.killed ? 'runs' : 'ended';
    const found = lstatSync(join(this.path, path), {throwIfNoEntry: false});
    if (!found) return 'missing';
    if (found.isDirectory()) return `folder ${readdirSync(join(this.path, path)).sort().join(' ')}`;
    return found.isFile() ? `file ${readTextSync(join(this.path, path))}` : 'other';
  }

  async close(): Promise<void> {
    this.#bystander?.kill('SIGKILL');
    for (const server of this.#servers) server.close();
    rmSync(this.path, {recursive: true, force: true, maxRetries: 3});
  }

  async #fill(): Promise<void> {
    for (const path of SECRETS) this.#write(path, `${CANARY}\n`);
    for (const [path, text] of Object.entries(FILES)) this.#write(path, text);
    const git = (...words: string[]): Promise<unknown> =>
      promisify(execFile)('git', ['-C', this.project, ...words], {env: {PATH: '/usr/local/bin:/usr/bin:/bin'}});
    // Without git the probes that use it are skipped.
    await git('init', '-q')
      .then(() => git('config', 'core.hooksPath', '.husky'))
      .catch(() => this.#write('project/.git/config', '[core]\n\thooksPath = .husky\n'));
    for (const [path, text] of Object.entries(OF_GIT)) this.#write(path, text);
    symlinkSync('settings/real-secrets', join(this.project, '.env.linked'));
    for (const kind of NAMESPACES) this.#write(`shown/ns-${kind}`, readlinkSync(`/proc/self/ns/${kind}`));
    chmodSync(join(this.path, 'beside.txt'), 0o666);
  }

  async #serve(): Promise<void> {
    this.#bystander = spawn('/bin/sh', ['-c', 'sleep 300; : gemini-bystander'], {
      stdio: 'ignore',
      env: {SECRET: CANARY},
      cwd: '/',
    });
    const tcp = await this.#listen({port: 0, host: '127.0.0.1'});
    const address = tcp.address();
    this.#port = typeof address === 'object' && address ? address.port : 0;
    // A machine without IPv6 has no other loopback.
    await this.#listen({port: this.#port, host: '::1'}).catch(() => undefined);
    for (const path of [join(this.path, 'socket'), join(this.shown, 'socket')]) await this.#listen(path);
    await this.#listen(`\0gemini-leak-${this.#port}`);
  }

  async #listen(where: string | {readonly port: number; readonly host: string}): Promise<Server> {
    const server = createServer((socket) => socket.destroy());
    this.#servers.push(server);
    server.listen(where);
    if (!server.listening) await once(server, 'listening');
    server.unref();
    return server;
  }

  #write(path: string, text: string): void {
    const whole = join(this.path, path);
    mkdirSync(dirname(whole), {recursive: true});
    writeFileSync(whole, text);
  }
}
