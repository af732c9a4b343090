#!/usr/bin/env node
// Packs every package and checks that its archive is complete and installs alone. Publishes nothing.
import {spawnSync} from 'node:child_process';
import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {checkAll} from './release/check-all.mjs';
import {listPackages} from './release/list-packages.mjs';
import {printTable} from './release/print-table.mjs';

const HELP = `Check what a release would publish.

Usage: npm run release -- --dry-run [--json] [package ...]

Builds, packs every package into a temporary folder, and checks each archive: what package.json and gemini.plugin.json
name is in it, nothing else is, it has a licence and a README, it installs in an empty folder with an empty home, and
what it exports can be imported. The installed program must start. Prints a table; ends with 1 if a check failed.

  --dry-run   Check, and publish nothing. The only form there is here.
  --json      Print the table and the failures as JSON.
  --help      Show this text.
  package     Check only these, by name. Default: all.

Packages that depend on each other are installed from their archives. Others come from npm's cache or the registry.
`;
const REFUSAL = `A checkout publishes nothing: the maintainers' CI publishes, from the tag of a version.
Run \`npm run release -- --dry-run\` here. To release, set the version in every package.json and in CHANGELOG.md, merge,
and push a tag such as v1.2.3. The CI runs the same check, then \`npm publish --provenance --access public\` for each
archive that is not private.`;
const MINUTES = 5;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const say = (/** @type {string} */ line) => void process.stderr.write(`${line}\n`);

/** Aborts when the time is up or someone presses Ctrl+C. */
function limitTime() {
  const controller = new AbortController();
  const late = new Error(`The check took more than ${MINUTES} minutes.\nName packages to check fewer.`);
  setTimeout(() => controller.abort(late), MINUTES * 60_000).unref();
  process.once('SIGINT', () => controller.abort(new Error('The check was cancelled.')));
  return controller.signal;
}

/** @param {readonly string[]} names @param {boolean} json */
async function checkRelease(names, json) {
  const packages = listPackages(root);
  const unknown = names.find((name) => !packages.some(({manifest}) => manifest.name === name));
  if (unknown) throw new Error(`No package here is named ${unknown}.\nThe names are in the package.json files.`);
  const chosen = packages.filter(({manifest}) => names.length === 0 || names.includes(manifest.name));
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gemini-release-')));
  try {
    const result = await checkAll({root, packages, chosen, folder, say, signal: limitTime()});
    process.stdout.write(`${json ? JSON.stringify(result, null, 2) : printTable(result.packages)}\n`);
    for (const {name, sentence, hint} of result.failures) say(`✗ ${name}: ${sentence}\n  ${hint}`);
    return result.failures.length;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function readWords() {
  const flag = /** @type {const} */ ({type: 'boolean', default: false});
  return parseArgs({options: {'dry-run': flag, json: flag, help: flag}, allowPositionals: true});
}

async function main() {
  const {values, positionals} = readWords();
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!values['dry-run']) throw new Error(REFUSAL);
  const setup = spawnSync(process.execPath, [join(root, 'bin', 'setup.mjs'), '--quiet'], {stdio: ['ignore', 2, 2]});
  return setup.status === 0 ? checkRelease(positionals, values.json) : 1;
}

try {
  process.exitCode = (await main()) > 0 ? 1 : 0;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
