import {execFile} from 'node:child_process';
import {realpath} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {arch} from 'node:os';
import {delimiter, isAbsolute, join, sep} from 'node:path';
import {promisify} from 'node:util';
import {messageOf, type Environment} from '@gemini-kernel/kernel';

/** A ripgrep that was seen to run. */
export interface Program {
  readonly path: string;
  readonly version: string;
  /** Whether it was built with PCRE2. */
  readonly hasPcre: boolean;
}

/** The program, or a sentence that says why there is none. */
export type FoundProgram = {readonly program: Program} | {readonly missing: string};

/** The oldest release whose JSON and flags are as needed. */
const OLDEST = 13;
const START_MS = 5000;

/** The ripgrep of the package for this platform. */
export async function findBundled({platform}: Pick<Environment, 'platform'>): Promise<FoundProgram> {
  const name = `@vscode/ripgrep-${platform}-${arch()}`;
  let path: string;
  try {
    // The platform's package is a dependency of this one, and may lie below it.
    const main = createRequire(import.meta.url).resolve('@vscode/ripgrep');
    path = createRequire(main).resolve(`${name}/bin/${programName(platform)}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return {missing: `the package ${name} is not installed`};
  }
  return examine(path);
}

/**
 * The first `rg` on the path that is new enough and answers in time. What lies in the workspace does not count, however
 * the path leads there: it may come with the code that is looked at.
 */
export async function findOnPath(
  {platform, variables}: Pick<Environment, 'platform' | 'variables'>,
  roots: readonly string[],
  longestMs = START_MS,
): Promise<FoundProgram> {
  const folders = (variables['PATH'] ?? variables['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder));
  const reasons: string[] = [];
  for (const folder of folders) {
    const path = join(folder, programName(platform));
    const [real, realFolder] = await Promise.all([realPathOf(path), realPathOf(folder)]);
    const isInside = [path, real, `${realFolder}${sep}`].some((one) =>
      roots.some((root) => one?.startsWith(root + sep)),
    );
    if (real === undefined || isInside) continue;
    const found = await examine(path, longestMs);
    if ('program' in found) return found;
    if (found.missing !== '') reasons.push(found.missing);
  }
  return {missing: reasons[0] ?? 'there is no rg on the PATH'};
}

function programName(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'rg.exe' : 'rg';
}

async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    return undefined;
  });
}

async function examine(path: string, longestMs = START_MS): Promise<FoundProgram> {
  const run = (flag: string): Promise<{stdout: string}> =>
    promisify(execFile)(path, ['--no-config', flag], {timeout: longestMs, killSignal: 'SIGKILL', env: {}});
  try {
    const {stdout} = await run('--version');
    const version = /^ripgrep (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    if (version === undefined) return {missing: `${path} is no ripgrep`};
    if (Number.parseInt(version, 10) < OLDEST) return {missing: `${path} is ripgrep ${version}, older than ${OLDEST}`};
    const hasPcre =
      stdout.includes('+pcre2') ||
      (!stdout.includes('-pcre2') &&
        (await run('--pcre2-version').then(
          () => true,
          () => false,
        )));
    return {program: {path, version, hasPcre}};
  } catch (error) {
    const {code, killed} = error as {readonly code?: unknown; readonly killed?: boolean};
    if (code === 'ENOENT') return {missing: ''};
    const isLate = killed === true && typeof code !== 'string';
    return {
      missing: isLate ? `${path} gives no answer` : `${path} does not run: ${messageOf(error).split('\n')[0] ?? ''}`,
    };
  }
}
