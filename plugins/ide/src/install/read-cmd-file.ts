import {win32} from 'node:path';

/** How to start an editor's command line without a shell. */
export interface CommandLine {
  /** The file that was found, for messages. */
  readonly file: string;
  readonly program: string;
  /** Arguments before and after those of the caller. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What the `.cmd` file of an editor would start: a program beside it, with a script; undefined when it has another
 * form. Node cannot start such a file without a shell, and a shell would interpret the arguments again.
 */
export function readCmdFile(file: string, text: string): CommandLine | undefined {
  const found = /^\s*"%~dp0([^"%]+\.exe)"\s+"%~dp0([^"%]+\.js)"((?:\s+--[\w-]+)*)\s+%\*((?:\s+--[\w-]+)*)\s*$/im.exec(
    text,
  );
  const [, program, script, before = '', after = ''] = found ?? [];
  if (program === undefined || script === undefined) return undefined;
  const [folder, words] = [win32.dirname(file), (list: string) => list.split(/\s+/).filter((word) => word !== '')];
  return {
    file,
    program: win32.join(folder, program),
    before: [win32.join(folder, script), ...words(before)],
    after: words(after),
    variables: {ELECTRON_RUN_AS_NODE: '1', VSCODE_DEV: ''},
  };
}
