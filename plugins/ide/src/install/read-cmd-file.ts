import {win32} from 'node:path';

/** How an editor's command line is started without a shell. */
export interface CommandLine {
  /** The file that was found, as people know it. */
  readonly file: string;
  readonly program: string;
  /** Words before and after those of whoever starts it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What the `.cmd` file of an editor would start: a program beside it, with a script; undefined when it is in another
 * form. Node starts no such file without a shell, and a shell would read the words once more.
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
