import {posix} from 'node:path';
import type {ShellAnalysis, SimpleCommand} from '#plugins/policy/dist/bash/analysis.js';
import {openShellReader} from '#plugins/policy/dist/bash/open-reader.js';

export const reader = await openShellReader();
export const place = {directory: '/work', home: '/work'};

export type Decision = 'allow' | 'ask' | 'deny';

/**
 * The plainest judge there can be: `git` and `ls` are allowed, `rm` is denied, under any path and in any case, and
 * everything else is asked.
 */
export function judge({commands, files, doubts, redirects}: ShellAnalysis): Decision {
  const names = commands.map(({words}) => words[0]?.value);
  if (names.some((name) => name !== undefined && posix.basename(name).toLowerCase() === 'rm')) return 'deny';
  const isKnown = commands.length > 0 && names.every((name) => name === 'git' || name === 'ls');
  const leaves = files.some(
    ({path, access}) => access === 'write' && !`${posix.normalize(path)}/`.startsWith('/work/'),
  );
  return isKnown && doubts.length === 0 && !redirects && !leaves ? 'allow' : 'ask';
}

/**
 * Whether a program that was started is this command. A word with an unknown value may stand for any number of
 * arguments.
 */
export function isSame({words}: SimpleCommand, program: readonly string[]): boolean {
  const matches = (word: number, argument: number): boolean => {
    const expected = words[word];
    if (!expected) return argument === program.length;
    if (expected.value !== undefined) {
      const given = program[argument];
      const isEqual = word === 0 ? given === posix.basename(expected.value) : given === expected.value;
      return isEqual && matches(word + 1, argument + 1);
    }
    for (let next = argument; next <= program.length; next += 1) if (matches(word + 1, next)) return true;
    return false;
  };
  return matches(0, 0);
}

/** The programs that were started although nothing in the analysis says so. */
export function findMissed(
  {commands}: ShellAnalysis,
  programs: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  return programs.filter((program) => !commands.some((command) => isSame(command, program)));
}
