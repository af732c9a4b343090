// npm run pin: pins the contracts as they are, unless that would hide a break that no version announces.
import {existsSync} from 'node:fs';
import {findBreaks, PINS, readBuilt, readPins, writePins} from './contracts.js';

const built = await readBuilt();
const breaks = existsSync(PINS) ? await findBreaks(await readPins(), built) : [];
for (const what of breaks) console.error(`This breaks what others rely on, and its version is as before: ${what}.`);
if (breaks.length > 0) {
  console.error('Give a service the next major version, or its package the next minor one; then pin again.');
  process.exitCode = 1;
} else {
  await writePins(built);
  console.log(`Pinned ${built.files.size} declaration files.`);
}
