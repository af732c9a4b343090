import {randomBytes} from 'node:crypto';
import {mkdirSync, readdirSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {runAttached} from '@gemini-kernel/processes';
import {realOrSame} from '../linux/real-of.js';
import {findMounts} from './container-mounts.js';
import {readContainerOptions, type ContainerMount, type ContainerOptions} from './container-options.js';
import {readSaid, userOf, type Said} from './entering-said.js';
import type {Entering} from './live-enclosure.js';
import {LxcDevices, type Lxc} from './lxc-devices.js';
import {readLxcState} from './lxc-state.js';
import {passedNames} from './passed-names.js';
import {runEngine} from './proxy.js';

interface Inner {
  readonly container: string;
  readonly cwd: string;
  readonly home: string;
  readonly user?: {readonly id: number; readonly group: number};
}

const CONTAINER = 'gemini-sandbox';
/** Reads the variables, removes their file, and becomes the program. */
const BEGIN = '. "$0"; rm -f "$0"; exec "$@"';

/**
 * Runs the program in a container of lxc that the person made, to its end. Throws KernelError SANDBOX_UNAVAILABLE and
 * SANDBOX_OPTION_INVALID.
 */
export async function enterLxc(file: string, entering: Entering): Promise<number> {
  const {environment, program, roots, words, signal} = entering;
  const {cwd, variables, home, cacheDir} = environment;
  const options = readContainerOptions(variables);
  const said = await readSaid(entering);
  refuseOthers(options, said, variables);
  const container = readName(variables['GEMINI_SANDBOX_IMAGE'] || CONTAINER);
  const inner = {container, cwd: roots[0] ?? cwd, home: variables['HOME'] || home, ...userOf(entering, options)};
  const lxc: Lxc = runEngine(file);
  const readState = () => readLxcState(lxc, container);
  await readState();
  const mounts = [...apart(await findMounts(entering), join(home, '.gemini')), ...said.allowed, ...options.mounts];
  await makeHome(lxc, inner);
  const devices = await LxcDevices.add({lxc, container, folder: join(cacheDir, 'lxc', container)}, mounts, readState);
  try {
    await checkRights(lxc, inner);
    const text = variablesText([
      ...passedNames(variables).map((name) => `${name}=${variables[name] ?? ''}`),
      ...[`HOME=${inner.home}`, `SANDBOX=${container}`, 'GEMINI_SANDBOX=lxc'],
      ...(home === inner.home ? [] : [`GEMINI_CLI_HOME=${home}`]),
      ...options.variables,
    ]);
    const given = await pushVariables(lxc, {...inner, text, temporary: environment.temporary});
    const begin = ['sh', '-c', BEGIN, given, 'node', program.file, ...words];
    const args = ['exec', container, '--cwd', inner.cwd, ...userWords(inner), '--', ...begin];
    return await runAttached({file, args, cwd, variables}, signal);
  } finally {
    await devices.release(readState);
  }
}

/** What is settled by the container itself, and not when it is used. */
function refuseOthers(
  {flags, ports, proxy}: ContainerOptions,
  {networkAccess}: Said,
  variables: Readonly<Record<string, string | undefined>>,
): void {
  const asked = [
    [flags.length > 0, 'SANDBOX_FLAGS'],
    [ports.length > 0, 'SANDBOX_PORTS'],
    [proxy !== undefined, 'GEMINI_SANDBOX_PROXY_COMMAND'],
    [['1', 'true'].includes(variables['BUILD_SANDBOX'] ?? ''), 'BUILD_SANDBOX'],
    [networkAccess === false, 'tools.sandbox.networkAccess'],
  ] as const;
  const found = asked.find(([isAsked]) => isAsked)?.[1];
  if (found === undefined) return;
  throw new KernelError('SANDBOX_UNAVAILABLE', `${found} is set, and lxc runs in a container that is made already.`, {
    hint: `Set the container up that way with \`lxc config\`, then unset ${found}. Or use docker or podman.`,
  });
}

function readName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,62}$/.test(name)) return name;
  throw new KernelError(
    'SANDBOX_OPTION_INVALID',
    `GEMINI_SANDBOX_IMAGE is "${name}", which is not the name of a container.`,
    {
      hint: `Write the name that \`lxc list\` shows, such as ${CONTAINER}.`,
    },
  );
}

/**
 * Within a folder that can be written nothing can be read-only, so that what lies in the folder of settings is mounted
 * one by one: folders as they were, files read-only, since a program that replaces one cannot replace a mount.
 */
function apart(mounts: readonly ContainerMount[], own: string): readonly ContainerMount[] {
  mkdirSync(join(own, 'tmp'), {recursive: true, mode: 0o700});
  const known = new Set(mounts.map(({to}) => to));
  return mounts.flatMap((mount) => {
    if (mount.from !== own && mount.from !== realOrSame(own)) return [mount];
    return readdirSync(mount.from, {withFileTypes: true})
      .map((entry) => ({path: join(mount.from, entry.name), isFolder: entry.isDirectory()}))
      .filter(({path}) => !known.has(path))
      .map(({path, isFolder}): ContainerMount => ({from: path, to: path, rights: isFolder ? 'rw' : 'ro'}));
  });
}

/** The parent folders of a mount belong to root; programs write into the home folder too. */
async function makeHome(lxc: Lxc, {container, home, user}: Inner): Promise<void> {
  if (!user) return;
  const script = 'mkdir -p "$0" && chown "$1" "$0"';
  await lxc('exec', container, '--', 'sh', '-c', script, home, `${user.id}:${user.group}`);
}

/** Files have other owners inside, unless the container maps the numbers of the person. */
async function checkRights(lxc: Lxc, inner: Inner): Promise<void> {
  const {container, cwd, user} = inner;
  const id = user?.id ?? 0;
  const words = ['exec', container, ...userWords(inner), '--', 'test', '-w', cwd];
  await lxc(...words).catch((cause: unknown) => {
    throw new KernelError('SANDBOX_UNAVAILABLE', `User ${id} cannot write ${cwd} in ${container}.`, {
      cause,
      hint:
        `Run \`lxc config set ${container} raw.idmap "both ${id} ${id}"\` and \`lxc restart ${container}\`. ` +
        'Your system must allow it in /etc/subuid and /etc/subgid: `root:' +
        `${id}:1\`.`,
    });
  });
}

/** Values in arguments would be seen by other users of this machine, so that they go as a file of the user inside. */
async function pushVariables(
  lxc: Lxc,
  {container, user, text, temporary}: Inner & {readonly text: string; readonly temporary: string},
): Promise<string> {
  const folder = await mkdtemp(join(temporary, 'gemini-lxc-'));
  try {
    const file = join(folder, 'variables');
    await writeFile(file, text, {mode: 0o600});
    const there = `/tmp/gemini-variables-${randomBytes(12).toString('hex')}`;
    const owner = ['--uid', String(user?.id ?? 0), '--gid', String(user?.group ?? 0), '--mode', '0600'];
    await lxc('file', 'push', ...owner, file, `${container}${there}`);
    return there;
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

/** As lines of a shell. What no shell takes as a name is left out. */
function variablesText(all: readonly string[]): string {
  return all
    .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'\n`)
    .join('');
}

function userWords({user}: Pick<Inner, 'user'>): readonly string[] {
  return user ? ['--user', String(user.id), '--group', String(user.group)] : [];
}
