import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveIndex} from '../table/live-index.js';

/** What the sessions of a place share. Nothing is read before the first question. */
export default provide('code-index', {
  version: '1.0.0',
  scope: 'place',
  capability: 'fs:read',
  // Its table and its parsers live in this process.
  local: true,
  create({environment}) {
    const key = createHash('sha256').update(environment.cwd).digest('hex').slice(0, 16);
    return new LiveIndex({file: join(environment.cacheDir, 'code', key), now: () => performance.now()});
  },
  dispose: (index) => (index as LiveIndex).close(),
});
