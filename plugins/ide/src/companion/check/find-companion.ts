import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {DISCOVERY_FOLDER, DISCOVERY_NAME} from '../../protocol.js';
import {asPort, asToken} from '../../discovery/parse-discovery.js';
import {ownUser} from '../host-process.js';
import {passOver} from '../system-code.js';
import {parseFile} from './discovery-checks.js';

/** A discovery file and its content. */
export interface FoundCompanion {
  readonly path: string;
  readonly text: string;
  readonly port: number;
  readonly token: string;
}

/**
 * Looks below a temporary folder for the discovery file of a companion: for one port, or any. Skips files of other
 * users, and files without a port, which may be incomplete.
 */
export async function findCompanion(temporary: string, wanted?: number): Promise<FoundCompanion | undefined> {
  const folder = join(temporary, ...DISCOVERY_FOLDER);
  const names = (await readdir(folder).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR'))) ?? [];
  for (const name of names) {
    if (!DISCOVERY_NAME.test(name)) continue;
    const found = await readCompanion(join(folder, name));
    if (found && (wanted === undefined || found.port === wanted)) return found;
  }
  return undefined;
}

async function readCompanion(path: string): Promise<FoundCompanion | undefined> {
  try {
    if (ownUser() !== undefined && (await stat(path)).uid !== ownUser()) return undefined;
    const text = await readFile(path, 'utf8');
    const {port: given, authToken} = parseFile(text);
    const port = asPort(given);
    return port === undefined ? undefined : {path, text, port, token: asToken(authToken) ?? ''};
  } catch (error) {
    return passOver(error, 'ENOENT', 'EACCES');
  }
}
