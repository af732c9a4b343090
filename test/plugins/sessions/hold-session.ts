import {writeSync} from 'node:fs';
import {builtModule} from './built-module.js';

// Has the session of a file until its input ends.
const [file = ''] = process.argv.slice(2);
const {takeLock, releaseLock} =
  await builtModule<typeof import('../../../plugins/sessions/src/session-lock.js')>('session-lock.js');
await takeLock(file);
writeSync(1, 'held\n');
process.stdin.resume().on('end', () => void releaseLock(file));
