import {isFileFault, readTextSync} from '@gemini-kernel/files';
import {systemCode} from './real-path.js';

/** The content of `projects.json`, or why it cannot be used. */
export type Registry =
  | {readonly projects: Readonly<Record<string, string>>; readonly rest: Readonly<Record<string, unknown>>}
  | {readonly fault: string};

const SLUG = /^[a-z0-9-]+$/;

/** The path as the registry and the marker files spell it. */
export function spellRoot(root: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? root.toLowerCase() : root;
}

/** The short name made from a folder's own name. */
export function slugOf(folder: string): string {
  const name =
    folder
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? '';
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'project'
  );
}

/** Reads the registry; a missing one is empty. Synchronous, because every start does it. */
export function readRegistry(path: string): Registry {
  let text: string;
  try {
    text = readTextSync(path);
  } catch (error) {
    if (isFileFault(error)) return {fault: `cannot be read: ${error.reason}`};
    return systemCode(error) === 'ENOENT'
      ? {projects: {}, rest: {}}
      : {fault: `cannot be read (${systemCode(error) ?? String(error)})`};
  }
  try {
    const {projects, ...rest} = JSON.parse(text) as {readonly projects?: unknown};
    if (typeof projects !== 'object' || projects === null) return {fault: 'has no object "projects"'};
    const odd = Object.entries(projects).find(([, slug]) => typeof slug !== 'string' || !SLUG.test(slug));
    return odd
      ? {fault: `gives ${odd[0]} the name ${JSON.stringify(odd[1])}, which is not valid`}
      : {projects: projects as Record<string, string>, rest};
  } catch {
    // In any case it is not the JSON object it should be.
    return {fault: 'is not a JSON object'};
  }
}

/** Ignores one expected failure of a file operation. */
export function passOver(error: unknown, code: string): undefined {
  if (systemCode(error) !== code) throw error;
}
