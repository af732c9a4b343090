import {nameOf, type ProcessEntry} from './ancestor.js';

/**
 * What is asked on macOS and other systems without /proc: every process with its parent and its whole command, without
 * headings.
 */
export const psCommand = {command: 'ps', args: ['-axww', '-o', 'pid=,ppid=,command='], timeoutMs: 3000} as const;

/** Reads the answer of `ps`. Lines in another form are passed by. */
export function parsePs(text: string): readonly ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*\S)\s*$/.exec(line) ?? [];
    return command === undefined
      ? []
      : [{pid: Number(pid), parent: Number(parent), name: nameOfBundled(command), command}];
  });
}

/**
 * Paths of applications on macOS hold blanks (`/Applications/Visual Studio Code.app/Contents/MacOS/Electron --type=…`),
 * and what follows them may hold paths.
 */
function nameOfBundled(command: string): string {
  const program = command.split(/\s+(?=[-/])/)[0] ?? '';
  return program.includes('.app/Contents/') ? (program.split('/').pop() ?? '') : nameOf(command);
}
