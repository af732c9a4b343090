import {nameOf, type ProcessEntry} from './ancestor.js';

/**
 * The query on macOS and other systems without /proc: every process with its parent and its full command, without
 * headings.
 */
export const psCommand = {command: 'ps', args: ['-axww', '-o', 'pid=,ppid=,command='], timeoutMs: 3000} as const;

/** Parses the output of `ps`. Skips lines in another form. */
export function parsePs(text: string): readonly ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*\S)\s*$/.exec(line) ?? [];
    return command === undefined
      ? []
      : [{pid: Number(pid), parent: Number(parent), name: nameOfBundled(command), command}];
  });
}

/**
 * Application paths on macOS contain spaces (`/Applications/Visual Studio Code.app/Contents/MacOS/Electron --type=…`),
 * and arguments after them may be paths.
 */
function nameOfBundled(command: string): string {
  const program = command.split(/\s+(?=[-/])/)[0] ?? '';
  return program.includes('.app/Contents/') ? (program.split('/').pop() ?? '') : nameOf(command);
}
