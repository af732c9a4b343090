// Preloaded into a run: notes every path that is opened, listed or followed as a link, one a line.
const fs = require('node:fs');
const {syncBuiltinESMExports} = require('node:module');
const {appendFileSync} = fs;
const {resolve} = require('node:path');
const {fileURLToPath} = require('node:url');

const file = process.env.RECORD_READS;
const note = (path) => {
  if (typeof path === 'string' || path instanceof URL || Buffer.isBuffer(path))
    appendFileSync(file, `${resolve(path instanceof URL ? fileURLToPath(path) : String(path))}\n`);
};
const wrap = (object, name) => {
  const original = object[name];
  if (typeof original !== 'function') return;
  object[name] = function (path, ...rest) {
    if (path !== file) note(path);
    return original.call(this, path, ...rest);
  };
};
for (const name of [
  'openSync',
  'open',
  'readFileSync',
  'readFile',
  'readdirSync',
  'readdir',
  'opendirSync',
  'opendir',
  'readlinkSync',
  'readlink',
  'createReadStream',
])
  wrap(fs, name);
for (const name of ['open', 'readFile', 'readdir', 'opendir', 'readlink']) wrap(fs.promises, name);
syncBuiltinESMExports();
