import {writeSync} from 'node:fs';
import {takeLock, releaseLock} from '#plugins/sessions/dist/session-lock.js';

// Has the session of a file until its input ends.
const [file = ''] = process.argv.slice(2);
await takeLock(file);
writeSync(1, 'held\n');
process.stdin.resume().on('end', () => void releaseLock(file));
