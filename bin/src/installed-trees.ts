import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {isInside, verifyTree} from '@gemini-kernel/admission/start';
import {checksAreCheap} from './checked-import.js';
import type {TreePlace} from './checked-tree.js';
import type {InstalledPlugin} from './installed-plugins.js';

/** Why a plugin is not what its lock says; undefined when it is. */
export function findChange({proof, manifest}: InstalledPlugin, cache: string): Promise<string | undefined> {
  if (!proof) return Promise.resolve(undefined);
  const {place} = proof;
  if (!existsSync(place))
    return Promise.resolve(`its folder ${place} is gone; run gemini plugins uninstall ${manifest.name}`);
  return verifyTree({...treePlaceOf(proof, cache), writer: String(process.pid)});
}

/** The tree that a file of an installed plugin belongs to. */
export function findPlace(plugins: readonly InstalledPlugin[], file: string, cache: string): TreePlace | undefined {
  const proof = proofOf(plugins, file);
  return proof && treePlaceOf(proof, cache);
}

/**
 * The same, where what runs in this process is held against it. An administrator's word is held at any price; a
 * person's where it costs no thread (see docs/decisions/0036).
 */
export function findTree(plugins: readonly InstalledPlugin[], file: string, cache: string): TreePlace | undefined {
  const proof = proofOf(plugins, file);
  return proof && (proof.always || checksAreCheap) ? treePlaceOf(proof, cache) : undefined;
}

function proofOf(plugins: readonly InstalledPlugin[], file: string): InstalledPlugin['proof'] {
  return plugins.find((one) => one.proof && isInside(one.proof.place, file))?.proof;
}

/** The note of what was seen of a tree when it was last hashed. */
export function recordOf(place: string, cache: string): string {
  return join(cache, 'trees', `${basename(place)}.seen`);
}

function treePlaceOf({place, tree, always}: NonNullable<InstalledPlugin['proof']>, cache: string): TreePlace {
  return {root: place, tree, ...(always ? {} : {record: recordOf(place, cache)})};
}
