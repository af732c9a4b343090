import {isatty} from 'node:tty';
import {KernelError, makeVisible, type Environment} from '@gemini-kernel/kernel';
import type {Places} from './places.js';

/** What this process was started with, but the flags, which a command parses. */
export function createEnvironment(places: Places): Omit<Environment, 'flags'> {
  return {
    cwd: findCwd(),
    home: places.home,
    cacheDir: places.cache,
    platform: process.platform,
    variables: process.env,
    interactive: isatty(0) && isatty(1) && process.env['CI'] !== 'true',
    newId,
    warn,
  };
}

function findCwd(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new KernelError('CWD_MISSING', 'The current directory is gone, or may not be entered.', {cause, hint: 'Go to a directory that exists, then try again.'});
  }
}

/** One line on standard error about something that went on all the same. */
export function warn(sentence: string): void {
  complain(`Warning: ${sentence}`);
}

/** A line on standard error, in which a terminal finds nothing to obey. */
export function complain(text: string): void {
  process.stderr.write(`${isatty(2) ? makeVisible(text) : text}\n`);
}

/** 120 random bits in the form of a UUID. It tells sessions apart and guards nothing, so it does without loading node:crypto, which takes 3 ms. */
function newId(): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(Math.random() * 16).toString(16));
}
