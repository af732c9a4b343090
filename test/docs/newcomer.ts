import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {expect} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';
import {newcomerVariables} from '../helpers/run-gemini.js';
import {matches, type DocStep} from './markdown-steps.js';

/** A person with an empty home and an empty folder, who does what a page says. */
export interface Newcomer {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  /** Runs one line of a shell and gives all it printed. */
  run(line: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a newcomer whose `gemini` is this checkout's, and whose `npm install` links packages that this checkout has.
 * `more` are variables that they have set, such as the key of a model.
 */
export async function makeNewcomer(more: Readonly<Record<string, string>> = {}): Promise<Newcomer> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-docs-')));
  const [folder, home, bin] = [join(root, 'plugin'), join(root, 'home'), join(root, 'bin')];
  for (const path of [folder, home, bin]) await mkdir(path);
  await writeFile(
    join(bin, 'gemini'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}" "$@"\n`,
  );
  await chmod(join(bin, 'gemini'), 0o755);
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const variables = {
    ...newcomerVariables(home),
    PATH: path,
    CHECKOUT: checkout.replace(/[\\/]$/, ''),
    npm_config_update_notifier: 'false',
    ...more,
  };
  return {
    folder,
    async write(name, text) {
      await mkdir(dirname(join(folder, name)), {recursive: true});
      await writeFile(join(folder, name), text);
    },
    run: (line) => (line.startsWith('npm install ') ? linkPackages(folder, line) : runShell(line, folder, variables)),
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}

/** Does every step of a page, holds what is seen against what is shown, and gives how many steps there were. */
export async function follow(
  newcomer: Newcomer,
  steps: readonly DocStep[],
): Promise<{readonly files: number; readonly commands: number}> {
  const done = {files: 0, commands: 0};
  for (const step of steps) {
    if (step.kind === 'file') {
      await newcomer.write(step.path, step.text);
      done.files += 1;
    } else {
      const {line, command, output: shown} = step;
      const output = await newcomer.run(command);
      expect({line, command, output}).toEqual({line, command, output: matches(shown, output) ? output : shown});
      done.commands += 1;
    }
  }
  return done;
}

function runShell(line: string, cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `exec 2>&1; ${line}`], {cwd, env, stdio: ['ignore', 'pipe', 'inherit']});
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(output).toString()));
  });
}

/**
 * What `npm install --save-dev` does, without a network: folders are linked, and so is what the checkout has of the
 * rest.
 */
async function linkPackages(folder: string, line: string): Promise<string> {
  const [, , option, ...packages] = line.split(' ').map((word) => word.replaceAll('"', ''));
  if (option !== '--save-dev') throw new Error(`A test knows npm install --save-dev only, not: ${line}`);
  for (const one of packages) {
    const [, name = one, range] = /^(@?[^@]+)@(.+)$/.exec(one) ?? [];
    const target = one.startsWith('$CHECKOUT/')
      ? one.replace('$CHECKOUT', checkout)
      : join(checkout, 'node_modules', name);
    const found = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      bin?: Record<string, string>;
    };
    if (range && !`${found.version}.`.startsWith(`${range}.`))
      throw new Error(`The page installs ${one}, this checkout works with ${found.version}.`);
    await link(target, join(folder, 'node_modules', found.name));
    for (const [command, file] of Object.entries(found.bin ?? {}))
      await link(join(target, file), join(folder, 'node_modules', '.bin', command));
  }
  const text = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object;
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({...text, devDependencies: Object.fromEntries(packages.map((one) => [one, '*']))}),
  );
  return `added ${packages.length} packages\n`;
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), {recursive: true});
  await symlink(target, path);
}
