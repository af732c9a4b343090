import {execFile, spawnSync} from 'node:child_process';
import {cp, mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {checkout} from './plugin-root.js';
import {isolate, type RunResult} from './run-gemini.js';

/** Whether this system can give a process a /etc and a /var/lib of its own, in which it is root. */
export const canBeManaged =
  process.platform === 'linux' && spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0;

/** A machine with an administrator: what stands in /etc/gemini-cli and /var/lib there. */
export interface ManagedMachine {
  readonly etc: string;
  readonly var: string;
  /** Puts files below /etc/gemini-cli. */
  write(files: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs gemini there; `argv` of another program when `program` is given. */
  run(
    argv: readonly string[],
    place: {
      readonly cwd: string;
      readonly home: string;
      readonly variables?: Readonly<Record<string, string>>;
      readonly program?: string;
    },
  ): Promise<RunResult>;
}

/** Makes such a machine below a folder. */
export async function makeManagedMachine(folder: string): Promise<ManagedMachine> {
  const [etc, lib] = [join(folder, 'etc'), join(folder, 'var-lib')];
  await mkdir(join(etc, 'gemini-cli', 'plugins.d'), {recursive: true});
  await mkdir(lib);
  // What Node and the C library look up there.
  for (const name of ['passwd', 'group', 'hosts', 'nsswitch.conf', 'resolv.conf', 'ssl', 'alternatives'])
    await cp(join('/etc', name), join(etc, name), {recursive: true, verbatimSymlinks: true}).catch(() => undefined);
  return {
    etc,
    var: lib,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        const path = join(etc, 'gemini-cli', name);
        await mkdir(dirname(path), {recursive: true});
        await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content), {mode: 0o644});
      }
    },
    run: (argv, {cwd, home, variables, program}) => {
      const line = program ? [program, ...argv] : [process.execPath, join(checkout, 'bin', 'gemini.cjs'), ...argv];
      const mounts = 'mount --bind "$1" /etc && mount --bind "$2" /var/lib && shift 2 && exec "$@"';
      return new Promise((resolve) => {
        const child = execFile(
          'unshare',
          ['--mount', '--map-root-user', 'sh', '-c', mounts, 'sh', etc, lib, ...line],
          {cwd, env: isolate(home, variables)},
          (_, stdout, stderr) => resolve({code: child.exitCode, stdout, stderr}),
        );
        child.stdin?.end();
      });
    },
  };
}
