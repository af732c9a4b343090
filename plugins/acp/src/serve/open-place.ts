import {realpath, stat} from 'node:fs/promises';
import {isAbsolute} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {McpServer} from '#sdk';
import type {} from '../contract.js';
import {SERVED} from '../present.js';
import type {Editor} from './editor.js';
import {readServers, SERVERS} from './read-servers.js';
import type {Setup} from './setup.js';

/** Where a session of an editor is to be. */
export interface Wanted {
  readonly cwd: string;
  readonly servers: readonly McpServer[];
  /** Variables for this connection only, such as a key. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Opens a session that holds the place of a directory, for the service of its conversations. The caller closes it.
 * Throws KernelError ACP_REQUEST_INVALID.
 */
export async function openPlace({kernel}: Setup, editor: Editor, wanted: Wanted): Promise<Session> {
  const cwd = await findDirectory('cwd', wanted.cwd);
  const {flags, variables} = kernel.environment;
  const servers = readServers(wanted.servers, editor.name);
  const place = {cwd, variables: {...variables, ...wanted.variables, [SERVED]: editor.name}};
  if (servers.length === 0) return kernel.open({...place, interactive: false});
  const finder = kernel.open({...place, interactive: false});
  try {
    const key = await (await finder.service('acp-clients')).keep(servers);
    return kernel.open({...place, flags: {...flags, [SERVERS]: key}, interactive: false});
  } finally {
    await finder.close();
  }
}

/** The real path of a directory that an editor names. Throws KernelError ACP_REQUEST_INVALID. */
export async function findDirectory(name: string, path: string): Promise<string> {
  if (!isAbsolute(path))
    throw new KernelError('ACP_REQUEST_INVALID', `${name} must be an absolute path, not ${JSON.stringify(path)}.`);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const reason = code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${code ?? 'unknown'})`;
    throw new KernelError('ACP_REQUEST_INVALID', `${name} cannot be ${JSON.stringify(path)}: ${reason}.`, {cause});
  }
  throw new KernelError('ACP_REQUEST_INVALID', `${name} must be a directory, which ${JSON.stringify(path)} is not.`);
}
