import {spawn, type ChildProcess} from 'node:child_process';
import {realpathSync, statSync} from 'node:fs';
import {execPath, versions} from 'node:process';
import type {Duplex} from 'node:stream';
import {fileURLToPath} from 'node:url';
import {makePrivateFolder} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {ProcessGroups, Spawn} from '@gemini-kernel/processes';
import type {Confined, ExitConnection, Sandbox} from '@gemini-kernel/plugin-sandbox/contract';
import {codeFolders} from './code-folders.js';
import {heapLimit} from './heap-limit.js';
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
  /** Told each connection that it asks the exit of the sandbox for. */
  report?(connection: ExitConnection): void;
  /** It runs a command: with oclif, and with the terminal of this program where it has it. */
  readonly command?: {readonly hasTerminal: boolean};
}

export interface StartedProgram {
  readonly child: ChildProcess;
  readonly channel: Duplex;
}

/** Bytes of memory that are neither code nor files, in MiB. Node 24 reserves half for code. */
const dataMib = (): number => (majorOfNode() >= 24 ? 1024 : 512);
/** By these oclif finds out what machine it is on. Inside they are not there. */
const ASKED_BY_OCLIF = [
  ...['/proc/sys/fs/binfmt_misc/WSLInterop', '/run/WSL', '/proc/version', '/.dockerenv', '/proc/self/cgroup'],
  '/run/.containerenv',
];
/** The first descriptor that the sandbox does not use for itself. */
const CHANNEL = 7;

/** Starts the process of a plugin: its code does not run before it is asked for. */
export async function startProgram(parts: ProgramParts): Promise<StartedProgram> {
  const {plugin, root, data, grants, roots, sandbox, signal} = parts;
  await makePrivateFolder(data);
  const entry = fileURLToPath(new URL('../child.cjs', import.meta.url));
  const {code, lent} = codeFolders(root, entry, parts.command !== undefined);
  const seen = grants.workspace === 'none' ? [] : roots;
  const asked = parts.command ? ASKED_BY_OCLIF : [];
  const read = [...code, ...lent.map(({path}) => path), ...grants.read, ...seen, ...asked];
  const writes = grants.workspace === 'write';
  const write = [data, ...(sandbox ? ['/tmp'] : []), ...grants.write, ...(writes ? roots : [])];
  const limit = heapLimit(entry, sandbox !== undefined);
  const words = [...limit.words, ...nodeWords({read, write, process: grants.process}), entry, String(CHANNEL)];
  const program = {
    file: '/bin/sh',
    args: ['-c', `ulimit -c 0; ulimit -d ${dataMib() * 1024} && exec "$@"`, 'sh', realpathSync(execPath), ...words],
    cwd: data,
    variables: {PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...grants.variables, HOME: data},
  };
  const confined = await sandbox?.enclose({
    ...program,
    from: `what ${plugin} declares`,
    roots: seen,
    writes,
    read: [...code, ...grants.read, realpathSync(execPath)],
    write: [data, ...grants.write],
    lent: [...lent, ...limit.lent],
    hosts: grants.hosts,
    report: (connection) => parts.report?.(connection),
    signal,
  });
  return startChild(parts, confined ?? {...program, descriptors: []});
}

function startChild({plugin, groups, command}: ProgramParts, program: Confined): StartedProgram {
  const descriptors = [...program.descriptors.filter(({fd}) => fd !== CHANNEL), {fd: CHANNEL, isChannel: true}];
  const child = groups.start({...program, ...(command?.hasTerminal ? {spawn: withTerminal} : {}), descriptors});
  const channel = (child.stdio as readonly unknown[])[CHANNEL] as Duplex | null | undefined;
  child.stdin?.on('error', () => undefined);
  child.stdin?.end();
  if (channel) return {child, channel};
  throw new KernelError('PLUGIN_UNISOLATED', `The process of ${plugin} cannot be started.`, {
    hint: 'Close other programs, then try again.',
  });
}

function majorOfNode(): number {
  return Number(versions.node.split('.')[0]);
}

/** The first three descriptors are those of this program. Its session is another one: no terminal controls it. */
const withTerminal: Spawn = (file, args, options) => {
  const rest = Array.isArray(options.stdio) ? options.stdio.slice(3) : [];
  return spawn(file, args, {...options, stdio: ['inherit', 'inherit', 'inherit', ...rest]});
};

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
    ...above.flatMap((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${isFolder(path) ? `${path}/*` : path}`),
    ...(process ? ['--allow-child-process'] : []),
  ];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
