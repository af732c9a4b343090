import {renameSync} from 'node:fs';

// Puts a link in the place of a directory and takes it away again, over and over, until it is killed, or a minute
// later: who started it may be gone.
const [directory = '', link = '', aside = '', pause = ''] = process.argv.slice(2);
const wait = new Int32Array(new SharedArrayBuffer(4));
process.send?.('ready');
const end = Date.now() + 60_000;
while (Date.now() < end) {
  renameSync(directory, aside);
  renameSync(link, directory);
  Atomics.wait(wait, 0, 0, Number(pause));
  renameSync(directory, link);
  renameSync(aside, directory);
  Atomics.wait(wait, 0, 0, Number(pause));
}
