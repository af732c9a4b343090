#!/usr/bin/env node
// Writes NOTICE: the packages whose code is in the built program, with their licences. The build lists them
// (bin/src/build-host.ts). With --check, fails when NOTICE is not what it would write.
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Carried as files and not in a script: see build.ts in plugins/policy/src and plugins/code/src. */
const CARRIED = [
  'tree-sitter-bash',
  ...['@vscode/tree-sitter-wasm', 'tree-sitter-c', 'tree-sitter-html', 'tree-sitter-json'],
  ...['kotlin', 'toml', 'yaml'].map((name) => `@tree-sitter-grammars/tree-sitter-${name}`),
].map((name) => `node_modules/${name}`);

/** @param {string} folder */
function describe(folder) {
  const path = join(root, folder);
  const {name, version, license} = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
  const lines = file ? readFileSync(join(path, file), 'utf8').split('\n') : [];
  const rights = lines
    .map((line) => line.trim())
    .filter((line) => /^copyright (?:\(c\)|©|\d{4})/i.test(line) && line.length < 200);
  if (typeof license !== 'string') throw new Error(`${folder}/package.json names no licence.`);
  return [`${name} ${version}`, `  ${license}`, ...new Set(rights.map((line) => `  ${line}`))].join('\n');
}

const folders = [...JSON.parse(readFileSync(join(root, 'bin', 'dist', 'bundled.json'), 'utf8')), ...CARRIED];
const own = 'gemini\n\nThe built program contains code of the following packages, each under its own licence.';
const text = `${[own, ...folders.map(describe).sort()].join('\n\n')}\n`;
const target = join(root, 'NOTICE');

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('NOTICE does not list what the program contains. Run `npm run notice`.\n');
  process.exitCode = 1;
}
