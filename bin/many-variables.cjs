// @ts-check
'use strict';
// Puts an ordinary object in the place of `process.env` where there are many variables.
const fs = require('node:fs');

/** Up to so many variables `process.env` is quick enough. */
const FEW = 1000;

/**
 * The system looks up a variable by going through all of them, so reading all from `process.env` takes time by the
 * square of their number: 50,000 take many seconds, and modules and child processes read all of them again and again.
 * The object has the variables that this process was started with, which Linux gives in one piece.
 */
function settleManyVariables() {
  const given = process.env;
  // Windows knows a name in any case, and limits all variables together to 32 KiB.
  if (process.platform === 'win32') return;
  const names = Reflect.ownKeys(given).filter((name) => typeof name === 'string');
  if (names.length <= FEW) return;
  const started = process.platform === 'linux' ? readStarted() : new Map();
  process.env = Object.fromEntries(names.map((name) => [name, started.get(name) ?? given[name]]));
}

/** Of two variables of one name the first counts, as for the system. @returns {ReadonlyMap<string, string>} */
function readStarted() {
  const started = new Map();
  for (const entry of readEntries()) {
    const at = entry.indexOf('=', 1);
    const name = entry.slice(0, at);
    if (at > 0 && !started.has(name)) started.set(name, entry.slice(at + 1));
  }
  return started;
}

function readEntries() {
  try {
    return fs.readFileSync('/proc/self/environ', 'utf8').split('\0');
  } catch {
    // Where /proc is not mounted or closed, each variable is looked up, once.
    return [];
  }
}

module.exports = {settleManyVariables};
