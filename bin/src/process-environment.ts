import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isatty} from 'node:tty';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {KernelError, type Environment, type SentNotice} from '@gemini-kernel/kernel';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {Places} from '@gemini-kernel/admission/start';

/** Names that only this distribution's own packages may have. */
const RESERVED = ['@gemini-kernel/', '@oclif/'];

/** What a process knows of itself before it has parsed flags. */
export type Surroundings = Omit<Environment, 'flags'>;

/** Where plugins and bundles are kept for a program in the folder `program` that is started in `cwd`. */
export function placeInstalls(places: Places, program: string, cwd: string): InstallPlaces {
  return {...places.installs, project: {lock: projectLock(cwd)}, reserved: RESERVED, program};
}

/** The lock of the project in a directory. */
export function projectLock(cwd: string): string {
  return join(cwd, '.gemini', 'plugins.lock.json');
}

/** What this process was started with. */
export function createEnvironment(places: Places): Surroundings {
  return {
    cwd: findCwd(),
    home: places.home,
    temporary: tmpdir(),
    cacheDir: places.cache,
    platform: process.platform,
    variables: process.env,
    interactive: isatty(0) && isatty(1) && process.env['CI'] !== 'true',
    newId,
  };
}

function findCwd(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new KernelError('CWD_MISSING', 'The current directory is gone, or may not be entered.', {
      cause,
      hint: 'Go to a directory that exists, then try again.',
    });
  }
}

/** One line on standard error about something that did not stop the work. */
export function warn(sentence: string): void {
  complain(`Warning: ${sentence}`);
}

/** Shows a notice that no user interface showed. */
export function print({level, sentence}: SentNotice): void {
  complain(level === 'info' ? sentence : `${level === 'error' ? 'Error' : 'Warning'}: ${sentence}`);
}

/** A line on standard error, in which a terminal finds nothing to obey. */
export function complain(text: string): void {
  process.stderr.write(`${isatty(2) ? makeVisible(text) : text}\n`);
}

/**
 * 120 random bits in the form of a UUID. It tells sessions apart and guards nothing, so it does without loading
 * node:crypto, which takes 3 ms.
 */
function newId(): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(Math.random() * 16).toString(16));
}
