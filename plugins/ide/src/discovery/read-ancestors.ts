import {execFile} from 'node:child_process';
import {pid as own} from 'node:process';
import {promisify} from 'node:util';
import type {Environment} from '@gemini-kernel/kernel';
import {climb, type Ancestor, type ProcessEntry} from './ancestor.js';
import {parsePs, psCommand} from './ancestors-by-ps.js';
import {readAncestorsOnLinux} from './ancestors-on-linux.js';
import {cimCommand, parseCim} from './ancestors-on-windows.js';

const LARGEST_TABLE = 64 * 1024 * 1024;

/** The processes above this one, after this one, the nearest first; empty when the system does not report them. */
export async function readAncestors(
  {platform, variables}: Pick<Environment, 'platform' | 'variables'>,
  signal: AbortSignal,
): Promise<readonly Ancestor[]> {
  if (platform === 'linux') return readAncestorsOnLinux(own);
  const [asked, parse] = platform === 'win32' ? [cimCommand(variables), parseCim] : [psCommand, parsePs];
  return climb(await readTable(asked, parse, signal), own);
}

interface Asked {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
}

async function readTable(
  {command, args, timeoutMs}: Asked,
  parse: (text: string) => readonly ProcessEntry[],
  signal: AbortSignal,
): Promise<readonly ProcessEntry[]> {
  try {
    const {stdout} = await promisify(execFile)(command, [...args], {
      timeout: timeoutMs,
      maxBuffer: LARGEST_TABLE,
      windowsHide: true,
      signal,
      encoding: 'utf8',
    });
    return parse(stdout);
  } catch {
    signal.throwIfAborted();
    // Without a process table, an editor can still be found by its folders.
    return [];
  }
}
