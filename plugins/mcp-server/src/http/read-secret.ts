import type {Stats} from 'node:fs';
import {readOpenedSync} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** A file with a secret. */
interface SecretFile {
  readonly path: string;
  /** What is in it, as the sentence names it: "the token". */
  readonly what: string;
  /** What to do with a secret that others may have read. */
  readonly replace: string;
  /** Files of root may be readable for their group, as the system keeps keys for its services. */
  readonly mayBeOfSystem?: boolean;
}

const READ_BY_OTHERS = 0o044;
const READ_BY_ALL = 0o004;
const CHANGED_BY_OTHERS = 0o022;

/** The text of a file that only this user can read and change. Throws MCP_SERVE_INVALID for any other. */
export function readSecret(file: SecretFile, platform: string): string {
  const {path, what, replace} = file;
  const {bytes, found} = open(path);
  // Windows has no such modes: a file below a profile has the rights of the profile.
  const right = platform === 'win32' ? undefined : findRightOfOthers(found, file);
  if (right)
    throw new KernelError('MCP_SERVE_INVALID', `Others can ${right} ${what} in ${path}.`, {
      hint: `Run \`chmod 600 ${path}\`, and ${replace}.`,
    });
  return bytes.toString('utf8');
}

function findRightOfOthers({mode, uid}: Stats, {mayBeOfSystem = false}: SecretFile): 'read' | 'change' | undefined {
  if (mode & (mayBeOfSystem && uid === 0 ? READ_BY_ALL : READ_BY_OTHERS)) return 'read';
  return mode & CHANGED_BY_OTHERS ? 'change' : undefined;
}

/** The rights belong to the bytes: both come from one opened file. */
function open(path: string): ReturnType<typeof readOpenedSync> {
  try {
    return readOpenedSync(path);
  } catch (cause) {
    throw new KernelError('MCP_SERVE_INVALID', `Cannot read ${path}: ${messageOf(cause)}`, {cause});
  }
}
