import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ToolError} from '@gemini-kernel/kernel';

const MOST_ROOTS_NAMED = 5;

export interface OutsidePath {
  readonly given: string;
  /** The real path. */
  readonly real: string;
  readonly roots: readonly string[];
}

/** ToolError PATH_OUTSIDE_WORKSPACE: names the roots, and the command that adds the missing directory. */
export function outsideError({given, real, roots}: OutsidePath): ToolError {
  const more = roots.length > MOST_ROOTS_NAMED ? ` and ${roots.length - MOST_ROOTS_NAMED} more` : '';
  const named = `${roots.slice(0, MOST_ROOTS_NAMED).join(', ')}${more}`;
  const place = given === real ? '' : ` Its real path is ${real}.`;
  const directory = directoryToAdd(real);
  return new ToolError(
    'PATH_OUTSIDE_WORKSPACE',
    `${given} is outside the workspace.${place} Tools can reach only ${named}.`,
    {
      hint:
        directory === undefined
          ? 'Use a path inside the workspace.'
          : `Use a path inside the workspace, or ask the user to run: gemini directory add ${quoted(directory)}`,
      data: {path: given, real, roots},
    },
  );
}

/** The smallest directory that would have to be added to reach a path; never the file system root. */
function directoryToAdd(real: string): string | undefined {
  const directory = isDirectory(real) ? real : dirname(real);
  return dirname(directory) === directory ? undefined : directory;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // For a path that cannot be inspected, name its parent directory.
    return false;
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path);
}
