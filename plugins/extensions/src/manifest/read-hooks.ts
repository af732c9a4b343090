import {join, sep} from 'node:path';
import {isAbsent, readTextSync} from '@gemini-kernel/files';
import {messageOf, type Environment} from '@gemini-kernel/kernel';
import {isTable} from './is-table.js';

/** Hooks by event, none, or why they do not count, as a clause. */
export type HooksReading = {readonly hooks?: Readonly<Record<string, unknown>>} | {readonly fault: string};

/** Reads `hooks/hooks.json` of an extension; as it is written, without a platform. */
export function readHooks(folder: string, platform: Environment['platform'] | undefined): HooksReading {
  const file = join(folder, 'hooks', 'hooks.json');
  let text: string;
  try {
    if (isAbsent(file)) return {};
    text = readTextSync(file);
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return isMissing ? {} : {fault: messageOf(error).replace(/\.$/, '')};
  }
  try {
    const value = JSON.parse(text) as unknown;
    if (!isTable(value) || !isTable(value['hooks'])) return {fault: 'hooks/hooks.json has no object under "hooks"'};
    return {
      hooks:
        platform === undefined
          ? value['hooks']
          : (toShell(value['hooks'], platform) as Readonly<Record<string, unknown>>),
    };
  } catch (error) {
    return {fault: `hooks/hooks.json is not JSON: ${messageOf(error)}`};
  }
}

/** The variables of the manifest as the shell of the platform has them. */
function toShell(value: unknown, platform: Environment['platform']): unknown {
  if (Array.isArray(value)) return value.map((one) => toShell(one, platform));
  if (isTable(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toShell(one, platform)]));
  if (typeof value !== 'string') return value;
  const plain = value.replaceAll('${/}', sep).replaceAll('${pathSeparator}', sep);
  return platform === 'win32' ? plain.replace(/\$\{(extensionPath|workspacePath)\}/g, '$${env:$1}') : plain;
}
