import {createHash} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import type {Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {ResourceSource} from '../contract.js';

const GONE = 'gone';

/** What changes when a resource changes: never rejects, because a resource may be gone for a while. */
export async function lookAtResource(
  uri: string,
  session: Session,
  sources: readonly ResourceSource[],
): Promise<string> {
  const looking = uri.startsWith('file:') ? lookAtFile(uri, session) : lookAtSource(uri, sources);
  return looking.catch(() => GONE);
}

/** The path is resolved each time: a link may lead out of the workspace now. */
async function lookAtFile(uri: string, session: Session): Promise<string> {
  const path = await (await session.service('workspace')).resolve(fileURLToPath(uri), {access: 'read'});
  const {ino, size, mtimeNs} = await stat(path, {bigint: true});
  return `${ino} ${size} ${mtimeNs}`;
}

async function lookAtSource(uri: string, sources: readonly ResourceSource[]): Promise<string> {
  for (const source of sources) {
    const found = await source.read(uri);
    if (found) return createHash('sha256').update(JSON.stringify(found)).digest('hex');
  }
  return GONE;
}
