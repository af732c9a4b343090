import {existsSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import {declaredPath} from '@gemini-kernel/kernel/host';
import type {Watching} from '../wire/watched.js';

export type GrantedPath = Watching['paths'][number];

/** What the capabilities of a plugin come to in a place. */
export interface Grants {
  /** The workspace, read or written. */
  readonly workspace: 'none' | 'read' | 'write';
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Both, with what declares each. */
  readonly named: readonly GrantedPath[];
  readonly hosts: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Whether it may start programs, which see what it sees. */
  readonly process: boolean;
}

/** Reads what a plugin declares. What is not known grants nothing. */
export function readGrants(
  capabilities: readonly string[],
  {home, variables}: Pick<Environment, 'home' | 'variables'>,
): Grants {
  const of = (kind: string): readonly string[] =>
    capabilities.filter((one) => one.startsWith(`${kind}:`)).map((one) => one.slice(kind.length + 1));
  const has = (...names: readonly string[]): boolean => names.some((name) => capabilities.includes(name));
  const paths = (access: 'read' | 'write'): readonly GrantedPath[] =>
    of(`fs:${access}`)
      .flatMap((given) => pathOf(given, home).map((path) => ({access, path, by: `fs:${access}:${given}`})))
      .filter(({path}) => existsSync(path) && !holdsGemini(path, home));
  const [read, write] = [paths('read'), paths('write')];
  const env = of('env');
  const shown = Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (env.includes('*') || env.includes(name)) ? [[name, value] as const] : [],
  );
  return {
    workspace: has('fs:write', 'fs:write:workspace') ? 'write' : has('fs:read', 'fs:read:workspace') ? 'read' : 'none',
    read: read.map(({path}) => path),
    write: write.map(({path}) => path),
    named: [...read, ...write],
    hosts: of('net'),
    variables: Object.fromEntries(shown),
    process: has('process'),
  };
}

/** What no mount can hold grants nothing. */
function pathOf(given: string, home: string): readonly string[] {
  const path = declaredPath(given, home);
  return path === undefined ? [] : [path];
}

/** What gemini obeys, and its tokens, are in no grant: neither they, nor a folder around them. */
function holdsGemini(path: string, home: string): boolean {
  const [real, own] = [realOrSame(path), join(realOrSame(home), '.gemini')];
  return real === own || real === '/' || own.startsWith(`${real}/`) || real.startsWith(`${own}/`);
}

function realOrSame(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** The folder in which a plugin keeps what it writes. */
export function dataFolderOf(home: string, plugin: string): string {
  return join(home, '.gemini', 'plugin-data', encodeURIComponent(plugin));
}

/** What the process of a plugin needs to report what the plugin uses. */
export function watchingFor(
  {named, workspace, variables}: Grants,
  {roots, own}: {readonly roots: readonly string[]; readonly own: readonly string[]},
  capabilities: readonly string[],
): Watching {
  const declared = (access: 'read' | 'write'): readonly GrantedPath[] => {
    const by = capabilities.find((one) => one === `fs:${access}` || one === `fs:${access}:workspace`);
    return by === undefined || workspace === 'none' ? [] : roots.map((path) => ({access, path, by}));
  };
  const paths = [...named, ...declared('read'), ...declared('write')];
  // The most exact one is what a path falls under; of two for the same path, the one for reading comes first.
  const order = paths.sort((a, b) => b.path.length - a.path.length || (a.access < b.access ? -1 : 1));
  return {own, paths: order, variables: Object.keys(variables)};
}
