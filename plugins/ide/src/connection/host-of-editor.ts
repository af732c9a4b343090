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
 * The hosts on which a companion may listen, as seen from here, the likeliest first. From within a container an editor
 * is outside, unless it has put its server inside, as remote shells and development containers do, or its file is here,
 * as that of one that runs inside is.
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
