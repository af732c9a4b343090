import {spawnSync} from 'node:child_process';
import {chmod, mkdir, realpath, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {makeFolder} from '../../helpers/make-plugin.js';
import {discoverEditors} from '#plugins/ide/dist/discovery/discover-editors.js';

export interface Found {
  readonly source: string;
  readonly file?: string;
  readonly pid?: number;
  readonly isAncestor: boolean;
  readonly isAlive: boolean;
  readonly roots: readonly string[];
  readonly info: {readonly name: string; readonly displayName: string};
  readonly endpoint: {
    readonly kind: string;
    readonly port?: number;
    readonly token?: string;
    readonly command?: string;
    readonly args?: readonly string[];
  };
  readonly overlap: string;
}

export interface Discovery {
  readonly candidates: readonly Found[];
  readonly others: readonly {
    readonly editor: Found;
    readonly fault: {readonly reason: string; readonly message: string; readonly hint: string};
  }[];
  readonly unfit: readonly {readonly file: string; readonly message: string}[];
  readonly detected?: {readonly name: string; readonly displayName: string};
  readonly fault?: {readonly reason: string; readonly message: string; readonly hint: string};
}

/** A process that lives and did not open this one. */
export const LIVING = process.pid;
/** A process above this one. */
export const ABOVE = process.ppid;
/** A process that has ended. */
export const DEAD = spawnSync(process.execPath, ['-e', '']).pid;

/** A temporary folder for discovery files, beside a project. */
export interface DiscoveryPlace {
  readonly temporary: string;
  readonly project: string;
  /** Of the discovery files. */
  readonly folder: string;
  /**
   * Writes a discovery file: `pid-port` or `pid` is its name, and what is said overrides what any companion would say.
   */
  write(name: string, said?: object | string): Promise<string>;
  discover(variables?: Readonly<Record<string, string>>, cwd?: string): Promise<Discovery>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes one that is empty. */
export async function openDiscoveryPlace(): Promise<DiscoveryPlace> {
  const made = await makeFolder();
  const [temporary, project] = [await realpath(made.path), join(made.path, 'project')];
  const folder = join(temporary, 'gemini', 'ide');
  await Promise.all([
    mkdir(folder, {recursive: true}),
    mkdir(join(project, 'inner', 'most'), {recursive: true}),
    mkdir(join(made.path, 'other')),
  ]);
  await Promise.all([chmod(join(temporary, 'gemini'), 0o700), chmod(folder, 0o700)]);
  return {
    temporary,
    project,
    folder,
    async write(name, said = {}) {
      const file = join(folder, `gemini-ide-server-${name}.json`);
      const usual = {
        port: Number(name.split('-')[1] ?? 40_000),
        workspacePath: [project].join(delimiter),
        authToken: `token-${name}`,
        ideInfo: {name: 'made', displayName: `Editor ${name}`},
      };
      await writeFile(file, typeof said === 'string' ? said : JSON.stringify({...usual, ...said}), {mode: 0o600});
      return file;
    },
    discover: (variables = {}, cwd = project) =>
      discoverEditors({
        environment: {cwd, platform: process.platform, variables, temporary},
        signal: new AbortController().signal,
      }),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

/** The ports of what would be tried, in order. */
export function portsOf({candidates}: Discovery): readonly (number | undefined)[] {
  return candidates.map(({endpoint}) => endpoint.port);
}
