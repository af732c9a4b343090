import {win32} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {ProcessEntry} from './ancestor.js';

const SCRIPT =
  'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,Name,CommandLine,CreationDate | ' +
  'ConvertTo-Json -Compress';

/**
 * The query on Windows: PowerShell by its full path, because Windows looks up a bare name in the current folder first.
 */
export function cimCommand(variables: Environment['variables']): {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
} {
  return {
    command: win32.join(
      variables['SystemRoot'] ?? 'C:\\Windows',
      'System32',
      'WindowsPowerShell',
      'v1.0',
      'powershell.exe',
    ),
    args: ['-NoProfile', '-NonInteractive', '-Command', `[Console]::OutputEncoding = [Text.Encoding]::UTF8; ${SCRIPT}`],
    timeoutMs: 5000,
  };
}

/** Parses the output, a list or a single object. Throws SyntaxError when it is not JSON. */
export function parseCim(text: string): readonly ProcessEntry[] {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  return [value].flat().flatMap((one: unknown) => {
    const {
      ProcessId: pid,
      ParentProcessId: parent,
      Name: name,
      CommandLine: command,
      CreationDate: created,
    } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof pid !== 'number' || typeof parent !== 'number' || typeof name !== 'string') return [];
    const started = Number(/^\/Date\((\d+)/.exec(typeof created === 'string' ? created : '')?.[1] ?? Number.NaN);
    return [
      {
        pid,
        parent,
        name: name.replace(/\.exe$/i, ''),
        command: typeof command === 'string' ? command : name,
        ...(Number.isNaN(started) ? {} : {started}),
      },
    ];
  });
}
