import {execFile} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import {promisify} from 'node:util';
import {ISOLATION} from './bwrap-arguments.js';

/** The program that confines, or why there is none. */
export type FoundBubblewrap =
  | {readonly file: string; readonly version: string}
  | {readonly sentence: string; readonly hint: string; readonly file?: string; readonly version?: string};

/** Where the system keeps it. Not PATH: a project can put folders there. */
const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
/** The first that has all options that are used. */
const OLDEST = [0, 5] as const;
const PROBE_MS = 5000;
/** What the system says when it does not let a user make namespaces, and what helps. */
const REASONS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /uid map|No permissions to create.*namespace|creating new namespace|Operation not permitted.*namespace/i,
    'Allow user namespaces: on Ubuntu install the apparmor profile of bubblewrap (package apparmor-profiles), ' +
      'elsewhere set kernel.unprivileged_userns_clone=1, or user.max_user_namespaces above 0.',
  ],
  [
    /mount proc|remount|pivot_root|mount/i,
    'A container that gemini runs in must allow mounts: start it with --security-opt seccomp=unconfined, ' +
      'or turn the sandbox off in it.',
  ],
  [
    /RTM_NEWADDR|loopback/i,
    'A container that gemini runs in must allow network namespaces, or turn the sandbox off in it.',
  ],
];

function run(file: string, words: readonly string[], cwd = '/'): Promise<{readonly stdout: string}> {
  return promisify(execFile)(file, words, {timeout: PROBE_MS, env: {}, cwd});
}

/** Finds bubblewrap and tries it with everything that is used. Nothing is tried twice: keep the answer. */
export async function findBubblewrap(places: readonly string[] = PLACES): Promise<FoundBubblewrap> {
  const file = places.find(isProgram);
  if (file === undefined)
    return {
      sentence: 'bubblewrap (bwrap) is not installed.',
      hint: 'Install the package bubblewrap: apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.',
    };
  const [version, fault] = await Promise.all([readVersion(file), tryIt(file)]);
  const found = {file, version};
  if (!isNew(version))
    return {
      ...found,
      sentence: `bubblewrap ${version || 'of an unknown version'} is too old.`,
      hint: `Install version ${OLDEST.join('.')} or newer.`,
    };
  return fault === undefined ? found : {...found, ...explain(fault)};
}

function explain(fault: string): {readonly sentence: string; readonly hint: string} {
  const hint = REASONS.find(([pattern]) => pattern.test(fault))?.[1];
  return {
    sentence: `The system does not let bubblewrap confine programs: ${fault}`,
    hint: hint ?? 'Run `bwrap --unshare-all --ro-bind / / true` to see it, and `gemini sandbox status` afterwards.',
  };
}

async function readVersion(file: string): Promise<string> {
  const {stdout} = await run(file, ['--version']).catch(() => ({stdout: ''}));
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? '';
}

function isNew(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** What goes wrong, or undefined. */
async function tryIt(file: string): Promise<string | undefined> {
  const mounts = [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/run',
    '--remount-ro',
    '/proc',
  ];
  try {
    await run(file, [...ISOLATION, ...mounts, '/bin/sh', '-c', ':']);
    return undefined;
  } catch (error) {
    const {stderr = '', message} = error as Error & {readonly stderr?: string};
    return (stderr.trim() || message).split('\n').at(-1);
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}
