import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  watch,
  type FSWatcher,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {messageOf, type Catalog} from '@gemini-kernel/kernel/host';

/** The last file that a build writes. */
const LAST_WRITTEN = 'oclif.manifest.json';
/** What is imported, or read with it, and so must be as it was. */
const BUILT: ReadonlySet<string> = new Set(['dist', 'package.json', 'gemini.plugin.json', LAST_WRITTEN]);
const MODULES = 'node_modules';
const SETTLE_MS = 50;

export interface LinkFollower {
  /** Copies of the linked plugins as they were found, by name: a build that is under way changes nothing in them. */
  readonly found: ReadonlyMap<string, string>;
  /** Stops watching, and removes the copies that were made. */
  close(): void;
}

/** A plugin that was rebuilt, and where a copy of it lies. */
export interface Rebuilt {
  readonly name: string;
  readonly copy: string;
}

interface Parts {
  readonly catalog: Catalog;
  onBuilt(rebuilt: readonly Rebuilt[]): void;
  /** Told, as a sentence, of a plugin that is not followed, or whose build could not be copied. */
  onFault(sentence: string): void;
}

/** Copies linked plugins, and notices when one is rebuilt. Undefined when none is linked, which costs nothing. */
export function followLinks({catalog, onBuilt, onFault}: Parts): LinkFollower | undefined {
  const linked = listFollowed(catalog);
  if (linked.size === 0) return undefined;
  const copies = createCopies();
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const copy = (name: string): readonly Rebuilt[] => {
    try {
      return [{name, copy: copies.make(linked.get(name) ?? '')}];
    } catch (error) {
      onFault(`${name} still runs as before, because it cannot be copied: ${messageOf(error)}`);
      return [];
    }
  };
  const settle = (): void => {
    const rebuilt = [...pending].flatMap(copy);
    pending.clear();
    if (rebuilt.length > 0) onBuilt(rebuilt);
  };
  const follow = ([name, root]: readonly [string, string]): readonly FSWatcher[] => {
    try {
      const watcher = watch(root, {persistent: false}, (_, file) => {
        if ((file !== null && file !== LAST_WRITTEN) || !existsSync(join(root, LAST_WRITTEN))) return;
        pending.add(name);
        clearTimeout(timer);
        timer = setTimeout(settle, SETTLE_MS).unref();
      });
      // Some systems say in this way that the folder is gone; there is nothing to notice in it then.
      return [watcher.on('error', () => watcher.close())];
    } catch (error) {
      onFault(`${name} is not followed while it is rebuilt: ${messageOf(error)}`);
      return [];
    }
  };
  const watchers = [...linked].flatMap(follow);
  const found = [...linked.keys()].filter((name) => catalog.plugins.has(name)).flatMap(copy);
  return {
    found: new Map(found.map((one) => [one.name, one.copy])),
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      copies.remove();
    },
  };
}

/**
 * Folders of linked plugins by name, with those that were left out and may be repaired. What is installed does not
 * change where it lies.
 */
function listFollowed({plugins, refused}: Catalog): ReadonlyMap<string, string> {
  const linked = [...plugins.values()]
    .filter(({origin}) => origin === 'link')
    .map(({root, manifest}) => [manifest.name, root] as const);
  const leftOut = refused
    .filter(({root}) => existsSync(join(root, 'package.json')))
    .map(({name, root}) => [name, root] as const);
  return new Map([...leftOut, ...linked]);
}

interface Copies {
  /** A copy of a built plugin, so that none of its modules is one that was imported before. */
  make(root: string): string;
  remove(): void;
}

function createCopies(): Copies {
  let folder: string | undefined;
  let count = 0;
  const remove = (): void => {
    if (folder) rmSync(folder, {recursive: true, force: true});
    process.off('exit', remove);
  };
  return {
    remove,
    make(root) {
      // However the program ends, it leaves nothing behind.
      if (!folder) process.once('exit', remove);
      folder ??= mkdtempSync(join(tmpdir(), 'gemini-linked-'));
      const copy = lendAbove(root, join(folder, String((count += 1))));
      for (const entry of readdirSync(root, {withFileTypes: true})) {
        const [from, to] = [join(root, entry.name), join(copy, entry.name)];
        if (BUILT.has(entry.name)) cpSync(from, to, {recursive: true});
        // A folder is linked as one without a privilege on Windows, too.
        else if (entry.isDirectory() || entry.isSymbolicLink()) symlinkSync(from, to, 'junction');
        else if (entry.isFile()) copyFileSync(from, to);
      }
      return copy;
    },
  };
}

/** A folder in `place` above which stand the same packages as above `root`: those of a workspace lie there. */
function lendAbove(root: string, place: string): string {
  const above: string[] = [];
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, MODULES))) above.unshift(folder);
  let copy = place;
  mkdirSync(copy);
  for (const folder of above) {
    symlinkSync(join(folder, MODULES), join(copy, MODULES), 'junction');
    copy = join(copy, 'in');
    mkdirSync(copy);
  }
  return copy;
}
