import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, relative, sep} from 'node:path';
import {expect} from '@jest/globals';
import {dataFolder, installPlugins} from '../helpers/install-plugins.js';
import {checkout} from '../helpers/plugin-root.js';
import {isolate, type RunResult} from '../helpers/run-gemini.js';
import {journeysFolder, type Journey, type Step} from './journey.js';

/**
 * Walks one journey in a project and a home of its own, and holds every step and the files at the end against what is
 * expected.
 */
export async function runJourney(journey: Journey): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gemini-journey-')));
  const [project, home] = [join(folder, 'project'), join(folder, 'home')];
  const start = join(journeysFolder, journey.name);
  try {
    for (const [target, source] of [
      [project, 'project'],
      [home, 'home'],
    ] as const) {
      await mkdir(target);
      if (existsSync(join(start, source))) await cp(join(start, source), target, {recursive: true});
    }
    const installed = Object.values(await install(journey, home)).at(-1) ?? '';
    const places = {project, home, installed};
    for (const step of journey.steps) {
      const filled = fill(fill(step, journey.values ?? {}), {...places});
      compare(filled, await runStep(filled, places), journey.name);
    }
    if (existsSync(join(start, 'expected')))
      expect(await readTree(project)).toEqual(await readTree(join(start, 'expected')));
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

async function install(
  {installed, gone, installed_list: text}: Journey,
  home: string,
): Promise<Readonly<Record<string, string>>> {
  const roots =
    (installed ?? gone ?? text) ? await installPlugins(home, {present: installed ?? [], gone: gone ?? []}) : {};
  if (text) await writeFile(join(dataFolder(home), 'plugins.lock.json'), text);
  return roots;
}

interface Places {
  readonly project: string;
  readonly home: string;
  /** Folder of the last of the installed plugins. */
  readonly installed: string;
}

/** Puts values in place of `<name>` in every text of a piece of data. */
function fill<T>(data: T, values: Readonly<Record<string, string>>): T {
  if (typeof data === 'string')
    return data.replaceAll(/<([a-z]+)>/g, (whole, name: string) => values[name] ?? whole) as T;
  if (Array.isArray(data)) return data.map((part: unknown) => fill(part, values)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, fill<unknown>(value, values)])) as T;
}

function runStep(
  {argv, input, env, cwd = '.', interrupt_after: after}: Step,
  {project, home}: Places,
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: join(project, cwd),
      env: isolate(home, env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const,
    };
    const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...argv], {
      ...options,
      stdio: [...options.stdio],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (after && stderr.includes(after) && !child.killed) child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({code, stdout, stderr}));
    child.stdin?.end(input);
  });
}

/** Compares whole outcomes, so that a failure shows everything there is to see. */
function compare(step: Step, {code, stdout, stderr}: RunResult, name: string): void {
  const line = `${name}: gemini ${step.argv.join(' ')}`;
  const holds = (parts: readonly string[], text: string): unknown =>
    parts.every((part) => text.includes(part)) ? text : {text, lacks: parts.filter((part) => !text.includes(part))};
  expect({
    line,
    exit: code,
    stdout: holds(step.stdout_has ?? [], stdout),
    stderr: holds(step.stderr_has ?? [], stderr),
  }).toEqual({
    line,
    exit: step.exit,
    stdout: step.stdout ?? stdout,
    stderr: step.stderr ?? (step.stderr_has ? stderr : ''),
  });
  expect({line, escapes: /\u001b/.test(stdout + stderr)}).toEqual({line, escapes: false});
  if (step.stdout_json)
    expect({line, json: JSON.parse(stdout) as unknown}).toMatchObject({line, json: step.stdout_json});
}

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, {recursive: true, withFileTypes: true});
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const contents = await Promise.all(
    files.map(
      async (file) => [relative(root, file).split(sep).join('/'), (await readFile(file)).toString('latin1')] as const,
    ),
  );
  return Object.fromEntries(contents);
}
