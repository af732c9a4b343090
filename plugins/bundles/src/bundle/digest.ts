import {createHash} from 'node:crypto';

/** `sha256-` and the hexadecimal digits: how a bundle pins a policy. */
export function digest(bytes: Buffer | string): string {
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}
