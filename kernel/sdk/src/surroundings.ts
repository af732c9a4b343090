import {mkdtemp, realpath, rm, stat} from 'node:fs/promises';
import {homedir, platform as systemPlatform, tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {findPlaces} from '@gemini-kernel/admission/start';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import type {AgentOptions, Surroundings} from './options.js';

/** What an agent was made with, as a kernel has it. */
export interface Settled {
  readonly environment: Environment;
  /** Removes what was made for it. */
  remove(): Promise<void>;
}

/** Settles where an agent works and what it sees. Throws KernelError SDK_INVALID. */
export async function settleSurroundings(
  options: AgentOptions,
  flags: Readonly<Record<string, unknown>>,
): Promise<Settled> {
  const given: Surroundings & {readonly cwd?: string} =
    options.environment === 'process' ? ofProcess() : (options.environment ?? {});
  const cwd = await findFolder('cwd', options.cwd ?? given.cwd);
  const temporary = given.temporary ?? tmpdir();
  const own = given.home === undefined ? await realpath(await mkdtemp(join(temporary, 'gemini-sdk-'))) : undefined;
  const home = own ?? (await findFolder('environment.home', given.home));
  const variables = {...given.variables, ...(options.trusted === true ? {GEMINI_CLI_TRUST_WORKSPACE: 'true'} : {})};
  return {
    environment: {
      ...{cwd, home, temporary, flags, variables, newId},
      cacheDir: given.cache ?? join(home, '.cache', 'gemini'),
      platform: systemPlatform(),
      interactive: options.answer !== undefined,
    },
    remove: async () => (own === undefined ? undefined : rm(own, {recursive: true, force: true})),
  };
}

// The one place that reads the process, and only when the program says so.
/* eslint-disable no-restricted-globals */
function ofProcess(): Surroundings & {readonly cwd: string} {
  const variables = {...process.env};
  const {home, cache} = findPlaces({platform: systemPlatform(), user: homedir(), variables});
  return {variables, home, cache, cwd: process.cwd()};
}
/* eslint-enable no-restricted-globals */

/** The real path of a folder. Throws KernelError SDK_INVALID. */
export async function findFolder(option: string, path: string | undefined): Promise<string> {
  if (path === undefined)
    throw new KernelError('SDK_INVALID', `The option ${option} is missing.`, {
      hint: "Give an absolute path, or environment: 'process' for the current folder.",
    });
  if (typeof path !== 'string' || !isAbsolute(path))
    throw new KernelError('SDK_INVALID', `${option} must be an absolute path, not ${JSON.stringify(path)}.`);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (cause) {
    const {code} = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${code ?? 'unknown'})`;
    throw new KernelError('SDK_INVALID', `${option} cannot be ${JSON.stringify(path)}: ${reason}.`, {cause});
  }
  throw new KernelError('SDK_INVALID', `${option} must be a folder, which ${JSON.stringify(path)} is not.`);
}

/** Tells sessions apart and guards nothing. */
function newId(): string {
  return globalThis.crypto.randomUUID();
}
