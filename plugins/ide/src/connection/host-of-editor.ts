import {existsSync} from 'node:fs';
import type {Environment} from '@gemini-kernel/kernel';
import type {FoundEditor} from '../contract.js';

const HERE = '127.0.0.1';
const OUTSIDE = 'host.docker.internal';
const MARKS = ['/.dockerenv', '/run/.containerenv'];

/** Whether a host is this machine. */
export function isHere(host: string): boolean {
  return host === HERE;
}

/** Whether this program runs in a container. */
export function isContained(exists: (path: string) => boolean = existsSync): boolean {
  return MARKS.some(exists);
}

/**
 * The hosts on which a companion may listen, as seen from here, the likeliest first. In a container, the editor is
 * outside, unless its server is inside, as with remote shells and development containers, or its discovery file is
 * here, as with an editor that runs inside.
 */
export function hostsOfEditor(
  {variables}: Pick<Environment, 'variables'>,
  source: FoundEditor['source'],
  isInside = isContained(),
): readonly string[] {
  const isBeside =
    variables['SSH_CONNECTION'] || variables['VSCODE_REMOTE_CONTAINERS_SESSION'] || variables['REMOTE_CONTAINERS'];
  if (!isInside || isBeside) return [HERE];
  return source === 'variables' ? [OUTSIDE, HERE] : [HERE, OUTSIDE];
}
