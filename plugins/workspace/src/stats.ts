import {lstat, stat, type Stats} from 'node:fs';
import {systemCode} from './real-path.js';

/**
 * What is at a path, or undefined when nothing is or it cannot be reached. Ignore rules check thousands of mostly
 * empty places: callbacks, without a rejected promise for each, take less than half the time.
 */
export function statsOf(
  path: string,
  {followsLink = true}: {readonly followsLink?: boolean} = {},
): Promise<Stats | undefined> {
  return new Promise((resolve, reject) => {
    (followsLink ? stat : lstat)(path, (error, stats) => {
      if (error !== null && systemCode(error) === undefined) reject(error);
      else resolve(error === null ? stats : undefined);
    });
  });
}
