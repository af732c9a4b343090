import {delimiter, isAbsolute} from 'node:path';
import {createDiscovery, type DiscoveryParts} from './discovery-file.js';
import {whenEnding} from './host-process.js';
import {sweepDiscovery} from './sweep-discovery.js';

export interface PublishingParts extends DiscoveryParts {
  readonly roots: readonly string[];
  warn(sentence: string): void;
}

/** What others find of a companion. */
export interface Publishing {
  roots(): readonly string[];
  setRoots(roots: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/**
 * Keeps a discovery file as long as the companion runs, and sweeps what crashed ones left. What cannot be written is
 * told, not thrown.
 */
export async function publishCompanion({warn, ...parts}: PublishingParts): Promise<Publishing> {
  let {roots} = parts;
  let hasEnded = false;
  const discovery = createDiscovery(parts);
  const write = async (): Promise<void> => {
    if (hasEnded) return;
    await discovery
      .write(roots)
      .catch((error: unknown) =>
        warn(`gemini is told of this editor only in terminals that it opens: ${(error as Error).message}`),
      );
  };
  const stayTidy = whenEnding(() => discovery.remove());
  let writing = write();
  await writing;
  await sweepDiscovery(parts.temporary, parts.pid).catch((error: unknown) =>
    warn(`What crashed companions left could not be swept: ${(error as Error).message}.`),
  );
  return {
    roots: () => roots,
    setRoots(changed) {
      checkRoots(changed, warn);
      roots = changed;
      writing = writing.then(write);
      return writing;
    },
    async end() {
      hasEnded = true;
      await writing;
      discovery.remove();
      stayTidy();
    },
  };
}

/** Throws an Error for a root that is not absolute, and warns of one that cannot be told. */
export function checkRoots(roots: readonly string[], warn: (sentence: string) => void): void {
  for (const root of roots) {
    if (!isAbsolute(root)) throw new Error(`The root ${JSON.stringify(root)} is not absolute.`);
    if (root.includes(delimiter)) warn(`gemini cannot be told of the folder ${root}: it has ${delimiter} in its name.`);
  }
}
