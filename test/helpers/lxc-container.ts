import {execFile, execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {promisify} from 'node:util';
import {fillRoot} from './container-image.js';

const PROGRAMS = [
  ...['/bin/sh', '/bin/cat', '/bin/ls', '/bin/sleep', '/bin/mkdir', '/bin/chown', '/bin/rm', '/sbin/ip'],
  ...['/usr/bin/env', '/usr/bin/id', '/usr/bin/test', '/usr/bin/touch'],
];
const METADATA = `architecture: ${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}\ncreation_date: 1700000000\n`;

/** Whether this machine may map its own root into a container of LXD. */
function maySeeOwner(): boolean {
  return ['/etc/subuid', '/etc/subgid'].every((file) => /^root:0:1$/m.test(readFileSync(file, 'utf8')));
}

/** What is missing for containers of LXD that a test starts itself. */
export function lackForLxc(): string | undefined {
  if (process.getuid?.() !== 0) return 'root';
  if (['lxd', 'lxc'].some((name) => spawnSync(name, ['--version']).status !== 0)) return 'lxd';
  return maySeeOwner() ? undefined : 'root:0:1 in /etc/subuid and /etc/subgid';
}

/** A daemon of LXD with one container, which runs. */
export class LxcContainer implements AsyncDisposable {
  readonly name = 'gemini-sandbox';

  private constructor(
    private readonly folder: string,
    private readonly daemon: ReturnType<typeof spawn>,
  ) {}

  static async start(): Promise<LxcContainer> {
    const folder = mkdtempSync(join(tmpdir(), 'gemini-lxd-'));
    // The root of the container is another user of this machine.
    chmodSync(folder, 0o711);
    const env = {...process.env, LXD_DIR: join(folder, 'lxd')};
    mkdirSync(env.LXD_DIR);
    const daemon = spawn('lxd', ['--group', 'root'], {env, stdio: 'ignore'});
    const made = new LxcContainer(folder, daemon);
    try {
      await made.#untilReady();
      await made.lxc('storage', 'create', 'pool', 'dir');
      await made.lxc('profile', 'device', 'add', 'default', 'root', 'disk', 'path=/', 'pool=pool');
      await made.lxc('image', 'import', made.#makeImage(), '--alias', 'own');
      await made.lxc('init', 'own', made.name, '-c', 'raw.lxc=lxc.init.cmd=/bin/sleep infinity');
      await made.lxc('start', made.name);
      return made;
    } catch (error) {
      await made[Symbol.asyncDispose]();
      throw error;
    }
  }

  get variables(): Readonly<Record<string, string>> {
    return {LXD_DIR: join(this.folder, 'lxd')};
  }

  async lxc(...words: readonly string[]): Promise<string> {
    const env = {...process.env, ...this.variables};
    const running = promisify(execFile)('lxc', words, {env, timeout: 60_000});
    // Some of its commands wait for the end of their input.
    running.child.stdin?.end();
    return (await running).stdout;
  }

  /** Lets the container show files as they belong to the person outside. */
  async mapOwner(): Promise<void> {
    await this.lxc('config', 'set', this.name, 'raw.idmap', 'both 0 0');
    await this.lxc('restart', '--force', this.name);
    await this.lxc('exec', this.name, '--', '/sbin/ip', 'link', 'set', 'lo', 'up');
  }

  /** Leads a port of the container's loopback to the same one of this machine. */
  async leadTo(url: string): Promise<void> {
    const address = `tcp:127.0.0.1:${new URL(url).port}`;
    const words = ['bind=instance', `listen=${address}`, `connect=${address}`];
    await this.lxc('config', 'device', 'remove', this.name, 'model').catch(() => undefined);
    await this.lxc('config', 'device', 'add', this.name, 'model', 'proxy', ...words);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lxc('delete', '--force', this.name).catch(() => undefined);
    if (this.daemon.exitCode === null) {
      this.daemon.kill('SIGTERM');
      await Promise.race([once(this.daemon, 'exit'), setTimeout(10_000, undefined, {ref: false})]);
      this.daemon.kill('SIGKILL');
    }
    for (const name of ['devlxd', 'shmounts'])
      spawnSync('umount', ['-l', join(this.variables['LXD_DIR'] ?? '', name)], {stdio: 'ignore'});
    rmSync(this.folder, {recursive: true, force: true});
  }

  async #untilReady(): Promise<void> {
    for (let left = 300; left > 0; left -= 1) {
      if (
        await this.lxc('list').then(
          () => true,
          () => false,
        )
      )
        return;
      await setTimeout(100);
    }
    throw new Error('lxd does not answer.');
  }

  #makeImage(): string {
    const [folder, file] = [join(this.folder, 'image'), join(this.folder, 'image.tar')];
    for (const name of ['bin', 'dev', 'proc', 'sys', 'run', 'root', 'usr/bin'])
      mkdirSync(join(folder, 'rootfs', name), {recursive: true});
    fillRoot(join(folder, 'rootfs'), PROGRAMS);
    writeFileSync(join(folder, 'metadata.yaml'), METADATA);
    execFileSync('tar', ['-C', folder, '-cf', file, '.']);
    return file;
  }
}
