import type {ChildProcess} from 'node:child_process';
import {existsSync, readdirSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {execPath, versions} from 'node:process';
import type {Duplex} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {makePrivateFolder} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {ProcessGroups} from '@gemini-kernel/processes';
import type {Sandbox} from '@gemini-kernel/plugin-sandbox/contract';
import type {Grants} from './read-grants.js';

export interface ProgramParts {
  readonly plugin: string;
  readonly root: string;
  readonly data: string;
  readonly grants: Grants;
  readonly roots: readonly string[];
  /** Absent: the system cannot confine, and Node's permission model stands alone. */
  readonly sandbox: Sandbox | undefined;
  readonly groups: ProcessGroups;
  readonly signal: AbortSignal;
}

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly channel: Duplex;
}

/** Bytes of memory that are neither code nor files, and of the heap of V8, in MiB. Node 24 reserves half for code. */
const dataMib = (): number => (majorOfNode() >= 24 ? 1024 : 512);
const HEAP_MIB = 256;
/** The first descriptor that the sandbox does not use for itself. */
const CHANNEL = 6;

/** Starts the process of a plugin: its code does not run before it is asked for. */
export async function startProgram(parts: ProgramParts): Promise<StartedProgram> {
  const {plugin, root, data, grants, roots, sandbox, groups, signal} = parts;
  await makePrivateFolder(data);
  const entry = fileURLToPath(new URL('../child/main.js', import.meta.url));
  const {code, lent} = codeFolders(root, entry);
  const read = [...code, ...lent.map(({path}) => path), ...grants.read, ...(grants.workspace === 'none' ? [] : roots)];
  const write = [data, ...(sandbox ? ['/tmp'] : []), ...grants.write, ...(grants.workspace === 'write' ? roots : [])];
  const words = [...nodeWords({read, write, process: grants.process}), entry, String(CHANNEL)];
  const program = {
    file: '/bin/sh',
    args: ['-c', `ulimit -c 0; ulimit -d ${dataMib() * 1024} && exec "$@"`, 'sh', realpathSync(execPath), ...words],
    cwd: data,
    variables: {PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...grants.variables, HOME: data},
  };
  const confined = await sandbox?.enclose({
    ...program,
    from: `what ${plugin} declares`,
    roots: grants.workspace === 'none' ? [] : roots,
    writes: grants.workspace === 'write',
    read: [...code, ...grants.read, realpathSync(execPath)],
    write: [data, ...grants.write],
    lent,
    hosts: grants.hosts,
    signal,
  });
  const descriptors = [
    ...(confined?.descriptors ?? []).filter(({fd}) => fd !== CHANNEL),
    {fd: CHANNEL, isChannel: true},
  ];
  const child = groups.start({...(confined ?? program), descriptors});
  const channel = (child.stdio as readonly unknown[])[CHANNEL] as Duplex | null | undefined;
  child.stdin?.on('error', () => undefined);
  child.stdin?.end();
  if (!channel)
    throw new KernelError('PLUGIN_UNISOLATED', `The process of ${plugin} cannot be started.`, {
      hint: 'Close other programs, then try again.',
    });
  return {child, channel};
}

interface CodeFolders {
  /** Where they really are. */
  readonly code: readonly string[];
  /** What Node looks for at a link that lies in none of them. */
  readonly lent: readonly {readonly path: string; readonly source: string}[];
}

/** The tree of the plugin, and what of gemini it is lent. */
function codeFolders(root: string, entry: string): CodeFolders {
  const own = realpathSync(treeOf(root));
  const isolation = dirname(dirname(realpathSync(entry)));
  const packages = [
    ...new Set([
      ...[root, treeOf(root), isolation].flatMap((one) => packagesAbove(one)),
      ...packagesAbove(isolation, OWN),
    ]),
  ];
  const reals = packages.map((path) => realpathSync(path));
  const code = [own, isolation, join(dirname(isolation), 'package.json'), ...reals, ...reals.flatMap(needsOf)];
  const lent = packages
    .map((path, index) => ({path, source: reals[index] ?? path}))
    .filter(({path, source}) => path !== source && !path.startsWith(`${own}/`));
  return {code: [...new Set(code)], lent};
}

/** In a store, the packages of a plugin lie beside it. */
function treeOf(root: string): string {
  const match = /^(.*?)[\\/]node_modules[\\/]/.exec(`${root}/`);
  return match?.[1] && root.includes('node_modules') ? match[1] : root;
}

const LENT = ['@gemini-kernel/kernel', '@gemini-kernel/command', '@oclif/core'];

/** What its first program needs beside that. */
const OWN = ['@gemini-kernel/admission'];

function packagesIn(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(folder, 'node_modules', name)).filter(existsSync);
}

/** Where Node would find what is lent, from a folder on. */
function packagesAbove(folder: string, names = LENT): readonly string[] {
  const above = dirname(folder);
  const found = packagesIn(folder, names);
  return found.length > 0 || above === folder ? found : packagesAbove(above, names);
}

/** What the kernel needs itself, where Node finds it. */
function needsOf(real: string): readonly string[] {
  const needs = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string'];
  const above = (folder: string): readonly string[] => {
    const modules = join(folder, 'node_modules');
    if (existsSync(join(modules, 'ajv'))) return needs.map((name) => join(modules, name)).filter(existsSync);
    return dirname(folder) === folder ? [] : above(dirname(folder));
  };
  return above(real);
}

function majorOfNode(): number {
  return Number(versions.node.split('.')[0]);
}

/** Node's permission model: a clear error early, within what the system holds. */
function nodeWords({
  read,
  write,
  process,
}: {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly process: boolean;
}): readonly string[] {
  const above = [...new Set([...read, ...write])].map((path) => (isFolder(path) ? `${path}/*` : path));
  return [
    majorOfNode() >= 24 ? '--permission' : '--experimental-permission',
    ...['--disable-warning=ExperimentalWarning', '--disable-warning=SecurityWarning'],
    `--max-old-space-size=${HEAP_MIB}`,
    ...above.flatMap((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${isFolder(path) ? `${path}/*` : path}`),
    ...(process ? ['--allow-child-process'] : []),
  ];
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
