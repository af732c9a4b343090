import {delimiter, isAbsolute} from 'node:path';
import {createDiscovery, type DiscoveryParts} from './discovery-file.js';
import {whenEnding} from './host-process.js';
import {sweepDiscovery} from './sweep-discovery.js';

export interface PublishingParts extends DiscoveryParts {
  readonly roots: readonly string[];
  warn(sentence: string): void;
}

/** What makes a companion discoverable. */
export interface Publishing {
  roots(): readonly string[];
  setRoots(roots: readonly string[]): Promise<void>;
  end(): Promise<void>;
}

/**
 * Keeps a discovery file while the companion runs, and removes those of crashed companions. A write failure causes a
 * warning, not an error.
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
        warn(`gemini finds this editor only from terminals that the editor opens: ${(error as Error).message}`),
      );
  };
  const stayTidy = whenEnding(() => discovery.remove());
  let writing = write();
  await writing;
  await sweepDiscovery(parts.temporary, parts.pid).catch((error: unknown) =>
    warn(`Cannot remove the files of crashed companions: ${(error as Error).message}.`),
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

/** Throws an Error for a root that is not absolute, and warns about one that a discovery file cannot name. */
export function checkRoots(roots: readonly string[], warn: (sentence: string) => void): void {
  for (const root of roots) {
    if (!isAbsolute(root)) throw new Error(`The root ${JSON.stringify(root)} is not absolute.`);
    if (root.includes(delimiter)) warn(`gemini cannot see the folder ${root}: its name contains ${delimiter}.`);
  }
}
