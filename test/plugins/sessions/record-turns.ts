import {writeSync} from 'node:fs';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import {Recorder} from '#plugins/sessions/dist/recorder.js';
import {takeLock, releaseLock} from '#plugins/sessions/dist/session-lock.js';

// Records turns in a file until it is killed or has recorded the given number; prints the number of each turn that
// is safe, and each warning.
const [file = '', goesOn = '', from = '0', to = 'Infinity', size = '200'] = process.argv.slice(2);
const say = (text: string): void => void writeSync(1, `${text}\n`);

const owner = await takeLock(file);
if (owner) say(`locked by ${owner.pid}`);
const recorder = new Recorder({
  file,
  goesOn: goesOn === 'on',
  tell: ({sentence}) => say(`warning ${sentence}`),
  metadata: {
    sessionId: 'crash',
    projectHash: 'p',
    startTime: '2026-01-01T00:00:00.000Z',
    lastUpdated: '2026-01-01T00:00:00.000Z',
    kind: 'main',
  },
});
const entry = (id: string, kind: 'user' | 'model'): Entry => ({
  id,
  kind,
  time: '2026-01-01T00:00:00.000Z',
  ...(kind === 'user' ? {origin: 'person'} : {}),
  message: {role: kind, pieces: [{kind: 'text', text: `${id} ${'ä'.repeat(Number(size))}`}]},
});
for (let turn = Number(from); turn < Number(to); turn += 1) {
  await recorder.change({kind: 'put', entry: entry(`${turn}-q`, 'user')});
  await recorder.change({kind: 'put', entry: entry(`${turn}-a`, 'model')});
  await recorder.change({kind: 'settled'});
  say(`turn ${turn}`);
}
await recorder.close();
await releaseLock(file);
