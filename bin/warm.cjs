// @ts-check
'use strict';
// Runs common commands once on a throw-away project and keeps what V8 compiled for them, so that a first start is as
// fast as the next.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {loadHost} = require('./load-bundle.cjs');
const {makeHome, startModel, writeSettings} = require('./warm-scene.cjs');

const root = path.join(__dirname, '..');
const plain = [
  ['trust', 'add'],
  ['directory', 'show'],
  ['tools', 'list'],
  ['tools', 'call', 'read_file', 'file_path=a.txt', '--yes'],
  ['tools', 'call', 'replace', 'file_path=a.txt', 'old_string=a', 'new_string=b', 'instruction=x', '--yes', '--json'],
  ['settings', 'get', 'context.fileName'],
  ['settings', 'list'],
  ['--help'],
  ['-p', 'go', '--model', 'replay:rehearsal', '--output-format', 'json'],
];
// The first one asks the MCP server, the second one finds what is remembered of it.
const full = [
  ['extensions', 'install', 'extension', '--consent'],
  ['-p', 'go'],
  ['-p', 'go'],
  ['directory', 'show'],
];

async function warm() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gemini-warm-'));
  makeHome(folder);
  Object.assign(globalThis, {oclif: {enableAutoTranspile: false}});
  const {host, packages, save} = loadHost(path.join(__dirname, 'dist'));
  const streams = [process.stdout, process.stderr].map((stream) => ({stream, write: stream.write}));
  process.chdir(folder);
  for (const {stream} of streams) stream.write = () => true;
  /** @param {readonly string[]} argv */
  const run = async (argv) => {
    const code = await host.main({root, argv, stock: false, carried: host.carried, validators: host.validators});
    // A bundle without a command (127) has nothing to warm there.
    if (code !== 0 && code !== 127) throw new Error(`gemini ${argv.join(' ')} ended with code ${code}.`);
  };
  try {
    for (const argv of plain) await run(argv);
    writeSettings(folder);
    const model = await startModel();
    try {
      for (const argv of full) await run(argv);
    } finally {
      model.close();
    }
    // Loading one is all there is to keep: which of its functions run depends on the server.
    for (const name of Object.keys(packages)) if (!packages[name]) throw new Error(`${name} exports nothing.`);
    save?.();
  } finally {
    for (const {stream, write} of streams) stream.write = write;
    process.chdir(root);
    fs.rmSync(folder, {recursive: true, force: true});
  }
}

warm().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
