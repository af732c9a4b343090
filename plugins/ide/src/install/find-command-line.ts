import {constants} from 'node:fs';
import {access, readFile, stat} from 'node:fs/promises';
import {posix, win32} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {EXTENSION, type InstallableEditor} from './installable-editors.js';
import {readCmdFile, type CommandLine} from './read-cmd-file.js';

type Surroundings = Pick<Environment, 'home' | 'platform' | 'variables'>;

/** Finds the command line of an editor: in PATH, or where its installer puts it. Throws KernelError IDE_CLI_MISSING. */
export async function findCommandLine(editor: InstallableEditor, environment: Surroundings): Promise<CommandLine> {
  const unread: string[] = [];
  for (const file of listPlaces(editor, environment)) {
    if (!(await isProgram(file))) continue;
    if (!/\.cmd$/i.test(file)) return {file, program: file, before: [], after: [], variables: {}};
    const found = readCmdFile(file, await readFile(file, 'utf8'));
    if (found) return found;
    unread.push(file);
  }
  const {displayName, commands} = editor;
  const why =
    unread.length > 0
      ? `${unread.join(', ')} cannot be started without a shell`
      : 'it is neither in PATH nor where its installer puts it';
  throw new KernelError(
    'IDE_CLI_MISSING',
    `Cannot install the companion with the command line of ${displayName} (${commands.join(' or ')}): ${why}.`,
    {
      hint: `Run this command in a terminal of ${displayName}, or add ${EXTENSION} in its Extensions view.`,
    },
  );
}

/**
 * Where it may be, the likeliest first. Relative folders are left out, because they would be inside the current
 * project.
 */
export function listPlaces(
  {commands, variable, application, folder}: InstallableEditor,
  {home, platform, variables}: Surroundings,
): readonly string[] {
  const isWindows = platform === 'win32';
  const {join, isAbsolute, delimiter, basename} = isWindows ? win32 : posix;
  const alias = variable === undefined ? undefined : variables[variable];
  const named = alias && (isAbsolute(alias) || basename(alias) === alias) ? [alias] : [];
  const names = [...named.filter((one) => !isAbsolute(one)), ...commands].flatMap((name) =>
    isWindows ? [`${name}.cmd`, `${name}.exe`] : [name],
  );
  const path =
    Object.entries(variables).find(([key]) => key === 'PATH' || (isWindows && key.toUpperCase() === 'PATH'))?.[1] ?? '';
  const folders = path.split(delimiter).filter((one) => isAbsolute(one));
  const below = (roots: readonly string[], ...words: readonly string[]): readonly string[] =>
    roots.flatMap((root) => names.map((name) => join(root, ...words, name)));
  return [
    ...named.filter((one) => isAbsolute(one)),
    ...names.flatMap((name) => folders.map((one) => join(one, name))),
    ...listUsualPlaces(),
  ];

  function listUsualPlaces(): readonly string[] {
    if (platform === 'darwin') {
      const apps = ['/Applications', join(home, 'Applications')].map((root) =>
        join(root, `${application}.app`, 'Contents', 'Resources', 'app', 'bin'),
      );
      // Inside the application, some call it as VS Code does, whatever its name outside.
      return [...below(apps), ...apps.map((root) => join(root, 'code'))];
    }
    if (!isWindows) return [];
    const local = variables['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
    const programs = [
      join(local, 'Programs', folder),
      ...[variables['ProgramFiles'] ?? 'C:\\Program Files'].map((root) => join(root, folder)),
    ];
    return [...below(programs, 'bin'), ...below(programs, 'resources', 'app', 'bin')];
  }
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Missing or unreadable: try the next place.
    return false;
  }
}
