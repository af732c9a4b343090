#!/usr/bin/env node
// Installs and builds when something changed since last time, and says what it does. Needs nothing but Node and npm.
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {listWorkspaces} from './release/list-packages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'bin', 'dist');
const quiet = process.argv.includes('--quiet');
const bundleName = process.env.GEMINI_BUNDLE ?? 'default';

const minimum = 20;
if (Number(process.versions.node.split('.')[0]) < minimum) {
  process.stderr.write(`Node ${minimum} or newer is needed; this is ${process.version}.\n`);
  process.exit(1);
}

/** One line per step, with how long it took. */
async function step(name, act) {
  const started = Date.now();
  const live = process.stderr.isTTY;
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  process.stderr.write(live ? `… ${name}` : `… ${name}\n`);
  const timer = live ? setInterval(() => process.stderr.write(`\r… ${name} ${seconds()}`), 200) : undefined;
  try {
    await act();
    process.stderr.write(`${live ? '\r' : ''}✓ ${name} (${seconds()})\n`);
  } catch (error) {
    process.stderr.write(`${live ? '\r' : ''}✗ ${name}\n${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  } finally {
    clearInterval(timer);
  }
}

/** Runs a program, keeping its output for the case that it fails. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ${args.join(' ')} ended with code ${code}:\n${Buffer.concat(output)}`)),
    );
  });
}

const sources = ['package.json', 'package-lock.json', 'tsconfig.json', 'kernel', 'manifests', 'plugins', 'bin', 'test'];
const skipped = new Set([
  'node_modules',
  'dist',
  'fixtures',
  'gemini.plugin.json',
  'oclif.manifest.json',
  'LICENSE',
  '.tsbuildinfo',
]);

/** Name, size and time of every source file, in one digest. */
function digestSources() {
  const hash = createHash('sha256').update(`${bundleName} ${process.version}`);
  const visit = (path) => {
    const stat = statSync(path, {throwIfNoEntry: false});
    if (stat?.isDirectory()) for (const name of readdirSync(path).sort()) !skipped.has(name) && visit(join(path, name));
    else if (stat) hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  };
  for (const name of sources) visit(join(root, name));
  return hash.digest('hex');
}

/** Whether node_modules lacks something the lock names; asked only when the lock changed since last time. */
function needsInstall() {
  if (readStamp('.installed') === digestLock() && existsSync(join(root, 'node_modules'))) return false;
  const {packages} = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const missing = Object.entries(packages).some(([path, {version, optional, link}]) => {
    if (!path.startsWith('node_modules/') || optional) return false;
    return link ? !existsSync(join(root, path)) : versionAt(path) !== version;
  });
  if (!missing) writeStamp('.installed', digestLock());
  return missing;
}

function versionAt(path) {
  const file = join(root, path, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

function digestLock() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function readStamp(name) {
  const path = join(out, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function writeStamp(name, value) {
  mkdirSync(out, {recursive: true});
  writeFileSync(join(out, name), value);
}

/** Waits for another set-up of this checkout; one that died is not waited for. */
async function lock() {
  const path = join(out, '.lock');
  mkdirSync(out, {recursive: true});
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), {flag: 'wx'});
      process.once('exit', () => rmSync(path, {force: true}));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isLeft(path)) rmSync(path, {force: true});
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Whether a lock is of a process that died; one that was just made may not say yet whose it is. */
function isLeft(path) {
  const found = statSync(path, {throwIfNoEntry: false});
  if (!found) return false;
  const owner = readFileSync(path, 'utf8');
  return owner === '' ? Date.now() - found.mtimeMs > 2000 : !isAlive(Number(owner));
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes what was compiled from sources that are gone; a plugin's folders say what it contributes. */
function removeOrphans() {
  const projects = [
    'kernel',
    'kernel/files',
    'kernel/processes',
    'kernel/terminal',
    'kernel/sdk',
    'bin',
    ...readdirSync(join(root, 'plugins')).map((name) => join('plugins', name)),
  ].map((name) => [join(root, name, 'dist'), join(root, name, 'src')]);
  for (const [built, source] of [...projects, [join(root, 'test', 'dist'), join(root, 'test')]]) {
    if (!existsSync(built)) continue;
    for (const entry of readdirSync(built, {withFileTypes: true, recursive: true})) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const name = path.slice(built.length).replace(/(\.d\.ts|\.js)(\.map)?$/, '');
      if (/\.(d\.ts|js)(\.map)?$/.test(path) && !existsSync(`${source}${name}.ts`)) rmSync(path);
    }
  }
}

/** The native compiler, where there is one for this system; the other one does the same in five times the time. */
function chooseCompiler() {
  const native = join('@typescript', `typescript-${process.platform}-${process.arch}`);
  return existsSync(join(root, 'node_modules', native)) ? 'typescript-native' : 'typescript';
}

/** npm packs only what is in the folder of a package, and each archive needs the licence. */
function copyLicence() {
  for (const folder of listWorkspaces(root)) copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
}

async function buildAll() {
  removeOrphans();
  copyLicence();
  const tsc = join(root, 'node_modules', chooseCompiler(), 'bin', 'tsc');
  await step('Compiling', () => run(process.execPath, [tsc, '-b', 'bin', 'test']));
  await step('Building manifests, catalog and host', async () => {
    const {buildDistribution} = await import(pathToFileURL(join(out, 'build.js')).href);
    await buildDistribution(root, bundleName);
  });
}

if (!needsInstall() && readStamp('.built') === digestSources()) {
  if (!quiet) process.stderr.write('✓ Everything is up to date.\n');
} else {
  await lock();
  if (needsInstall()) {
    await step('Installing packages', () => run('npm', ['ci', '--no-audit', '--no-fund']));
    writeStamp('.installed', digestLock());
  }
  const digest = digestSources();
  if (readStamp('.built') !== digest) {
    await buildAll();
    writeStamp('.built', digest);
  }
}
