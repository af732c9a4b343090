import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ToolError} from '@gemini-kernel/kernel';

const MOST_ROOTS_NAMED = 5;

export interface OutsidePath {
  readonly given: string;
  /** Where it leads. */
  readonly real: string;
  readonly roots: readonly string[];
}

/** ToolError PATH_OUTSIDE_WORKSPACE: names the roots, and the command that adds what is missing. */
export function outsideError({given, real, roots}: OutsidePath): ToolError {
  const more = roots.length > MOST_ROOTS_NAMED ? ` and ${roots.length - MOST_ROOTS_NAMED} more` : '';
  const named = `${roots.slice(0, MOST_ROOTS_NAMED).join(', ')}${more}`;
  const place = given === real ? '' : ` Its real path is ${real}.`;
  const directory = directoryToAdd(real);
  return new ToolError(
    'PATH_OUTSIDE_WORKSPACE',
    `${given} is outside the workspace.${place} Tools reach only ${named}.`,
    {
      hint:
        directory === undefined
          ? 'Use a path inside.'
          : `Use a path inside, or let the user run: gemini directory add ${quoted(directory)}`,
      data: {path: given, real, roots},
    },
  );
}

/** The least that would have to be added for a path to be reached; never everything there is. */
function directoryToAdd(real: string): string | undefined {
  const directory = isDirectory(real) ? real : dirname(real);
  return dirname(directory) === directory ? undefined : directory;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What cannot be looked at is named by the directory it would be in.
    return false;
  }
}

function quoted(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : JSON.stringify(path);
}
