import {join} from 'node:path';
import {
  boot,
  type BootOptions,
  createLiveCatalog,
  messageOf,
  type Catalog,
  type ImportFile,
  type Kernel,
} from '@gemini-kernel/kernel/host';
import {createAside} from './aside.js';
import {createElsewhere} from './elsewhere.js';
import {followLinks, type LinkFollower, type Rebuilt} from './follow-links.js';
import {hostHints} from './host-hints.js';
import {print} from './process-environment.js';
import {readAgain} from './read-again.js';
import type {Start} from './start.js';
import {failCallsOf} from './unhandled-errors.js';

export interface BootParts {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly importFile: ImportFile;
  readonly answer: NonNullable<BootOptions['answer']>;
}

/** Boots a kernel that, while a person talks with it, takes over linked plugins as they are built. */
export function bootFollowing(start: Start, {flags, importFile, answer}: BootParts): Kernel {
  let follower: LinkFollower | undefined;
  const closing = new AbortController();
  const aside = createAside();
  const follow = (): void => {
    const copies = new Map<string, string>();
    follower = followLinks({
      catalog: kernel.catalog,
      onFault: aside.say,
      onBuilt: createTakeOver({kernel, copies, start, say: aside.say, closing: closing.signal}),
    });
    for (const [name, copy] of follower?.found ?? []) copies.set(name, copy);
    const catalog = createLiveCatalog(kernel.catalog);
    if (copies.size > 0) catalog.replace(moveTo(copies, catalog.current));
  };
  const elsewhere = createElsewhere(start.catalog, (file) => start.installed.user?.placeOf(file));
  const host = {importFile, print, answer, hints: hostHints, elsewhere};
  const kernel = boot(
    start.catalog,
    {...start.environment, flags},
    // Before anything of the conversation is imported.
    {...host, onOpen: ({live, interactive}) => live && interactive && !follower && follow()},
  );
  const handBack = failCallsOf(kernel);
  return {
    ...kernel,
    async close() {
      closing.abort();
      follower?.close();
      aside.end();
      await kernel.close();
      handBack();
    },
  };
}

/** The same catalog with some plugins at other places. */
function moveTo(roots: ReadonlyMap<string, string>, catalog: Catalog): Catalog {
  const plugins = new Map(
    [...catalog.plugins].map(([name, plugin]) => [name, {...plugin, root: roots.get(name) ?? plugin.root}]),
  );
  const fileOf: Catalog['fileOf'] = ({plugin, module}) => {
    const root = plugins.get(plugin)?.root;
    return root === undefined ? catalog.fileOf({plugin, module}) : join(root, module);
  };
  return {...catalog, plugins, fileOf};
}

interface TakingOver {
  readonly kernel: Kernel;
  /** Where copies lie, by the name of the plugin. */
  readonly copies: Map<string, string>;
  readonly start: Start;
  say(sentence: string): void;
  readonly closing: AbortSignal;
}

/** Takes over one build after the other; a person sees a line for each. */
function createTakeOver({kernel, copies, start, say, closing}: TakingOver): (rebuilt: readonly Rebuilt[]) => void {
  let last = Promise.resolve();
  const takeOver = async (rebuilt: readonly Rebuilt[]): Promise<void> => {
    try {
      for (const {name, copy} of rebuilt) copies.set(name, copy);
      const next = await readAgain(start, copies);
      const known = new Set(kernel.catalog.refused.map(({name}) => name));
      if (!closing.aborted) await kernel.replace(next);
      if (closing.aborted) return;
      const names = rebuilt.map(({name}) => name);
      for (const name of names) if (next.plugins.has(name)) say(`${name} was rebuilt, and is used from now on.`);
      for (const {name, reason} of next.refused)
        if (names.includes(name) || !known.has(name))
          say(`${name} is left out now: ${reason.replace(/\.$/, '')}. (gemini doctor)`);
    } catch (error) {
      for (const {name} of closing.aborted ? [] : rebuilt)
        say(`${name} was rebuilt, but still runs as before: ${messageOf(error)}`);
    }
  };
  return (rebuilt) => void (last = last.then(() => takeOver(rebuilt)));
}
