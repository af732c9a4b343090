import {randomUUID} from 'node:crypto';
import {isatty} from 'node:tty';
import type {Environment} from '@gemini-kernel/kernel';
import type {Places} from './places.js';

/** What this process was started with, but the flags, which a command parses. */
export function createEnvironment(places: Places): Omit<Environment, 'flags'> {
  return {
    cwd: process.cwd(),
    home: places.home,
    cacheDir: places.cache,
    platform: process.platform,
    variables: process.env,
    interactive: isatty(0) && isatty(1) && process.env['CI'] !== 'true',
    newId: randomUUID,
    warn,
  };
}

/** One line on standard error about something that went on all the same. */
export function warn(sentence: string): void {
  process.stderr.write(`Warning: ${sentence}\n`);
}
