import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import {realOrSame} from '../linux/real-of.js';
import {readContainerOptions} from './container-options.js';
import type {Enclosing} from './enclosing.js';
import type {Entering} from './live-enclosure.js';
import {startHostProxy, type RunningProxy} from './proxy.js';
import {runAttached} from '@gemini-kernel/processes';
import {seatbeltArguments} from './seatbelt-arguments.js';
import {MOST_INCLUDED, PROFILES, seatbeltProfile} from './seatbelt-profiles.js';

/** Runs the program by sandbox-exec to its end. Throws KernelError SANDBOX_UNAVAILABLE and SANDBOX_OPTION_INVALID. */
export async function enterSeatbelt({file}: Enclosing, entering: Entering): Promise<number> {
  const {environment, program, roots, words, signal} = entering;
  const {cwd, variables, temporary} = environment;
  const name = variables['SEATBELT_PROFILE'] || 'permissive-open';
  const profile = await readProfile(name, entering);
  const target = realOrSame(roots[0] ?? cwd);
  const included = roots.filter((root) => root !== target);
  if (included.length > MOST_INCLUDED)
    throw new KernelError(
      'SANDBOX_UNAVAILABLE',
      `A profile takes ${MOST_INCLUDED} added directories, and there are ${included.length}.`,
      {hint: 'Add a folder that holds several of them, or fewer.'},
    );
  const {proxy: proxyWords} = readContainerOptions(variables);
  const proxy = proxyWords && (await startHostProxy(proxyWords, environment, signal));
  try {
    const args = seatbeltArguments({
      profile,
      cwd: target,
      temporary: realOrSame(temporary),
      home: realOrSame(variables['HOME'] || environment.home),
      caches: realOrSame(await findCaches(temporary)),
      included,
      words: [program.node, program.file, ...words],
    });
    const inner = {...variables, SANDBOX: 'sandbox-exec', SEATBELT_PROFILE: name, ...proxyVariables(proxy)};
    const ending = proxy ? AbortSignal.any([signal, proxy.signal]) : signal;
    const code = await runAttached({file, args, cwd, variables: inner}, ending);
    proxy?.signal.throwIfAborted();
    return code;
  } finally {
    await proxy?.close();
  }
}

/** A profile of this product, or the file of that name: the person's, then the one of a trusted project. */
export async function readProfile(
  name: string,
  {environment: {home, cwd}, names, service}: Pick<Entering, 'environment' | 'names' | 'service'>,
): Promise<string> {
  const known = seatbeltProfile(name);
  if (known !== undefined) return known;
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) throw missing(`SEATBELT_PROFILE names "${name}", which is not a valid name.`);
  const file = `sandbox-macos-${name}.sb`;
  const isTrusted = names('trust').length > 0 && (await (await service('trust')).may('settings'));
  for (const folder of [home, ...(isTrusted ? [cwd] : [])]) {
    const text = await readText(join(folder, '.gemini', file));
    if (text !== undefined) return text;
  }
  const places = isTrusted ? `~/.gemini and ${cwd}/.gemini have` : '~/.gemini has';
  throw missing(`SEATBELT_PROFILE names "${name}": ${places} no ${file}.`);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readRegular(path)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (isFileFault(error)) throw missing(`The profile ${path} cannot be read: ${error.reason}.`);
    throw error;
  }
}

function missing(sentence: string): KernelError {
  return new KernelError('SANDBOX_UNAVAILABLE', sentence, {hint: `Use one of: ${PROFILES.join(', ')}.`});
}

/** The person's folder for caches, as the system names it. */
async function findCaches(otherwise: string): Promise<string> {
  const {stdout} = await promisify(execFile)('/usr/bin/getconf', ['DARWIN_USER_CACHE_DIR']).catch(() => ({stdout: ''}));
  return stdout.trim() || otherwise;
}

function proxyVariables(proxy: RunningProxy | undefined): Readonly<Record<string, string>> {
  if (!proxy) return {};
  const {url} = proxy;
  return {HTTPS_PROXY: url, https_proxy: url, HTTP_PROXY: url, http_proxy: url};
}
