import {existsSync} from 'node:fs';
import {realpath} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {isAbsolute, join} from 'node:path';
import {findRefusal, readManifest} from '@gemini-kernel/admission/start';
import {KernelError, messageOf, type JSONSchema} from '@gemini-kernel/kernel';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import type {Administrator} from './administrator.js';

/** Names that only packages of this distribution may have. */
const RESERVED = ['@gemini-kernel/', '@oclif/'];

/**
 * The plugins that a program gives to its agent: to give one is to agree to its capabilities, as the program could run
 * its code anyway. What the administrator says of it holds all the same. Throws KernelError SDK_PLUGIN_REFUSED.
 */
export async function findPlugins(
  given: readonly string[],
  {managed}: Administrator,
): Promise<readonly CatalogPlugin[]> {
  if (given.length === 0) return [];
  const schema = createRequire(import.meta.url)('@gemini-kernel/manifests/schemas/plugin.schema.json') as JSONSchema;
  return Promise.all(
    given.map(async (one) => {
      const root = await findRoot(one);
      try {
        const manifest = await readManifest(root, schema);
        const {version, capabilities = []} = manifest;
        const locked = {version, capabilities, source: {type: 'link' as const, location: root}};
        const rules = {reserved: RESERVED, managed, frozen: false};
        const reason = await findRefusal({root, manifest, locked, isProven: false}, rules);
        if (reason !== undefined) throw new Error(reason);
        return {root, origin: 'user' as const, manifest};
      } catch (cause) {
        throw refused(one, messageOf(cause), cause);
      }
    }),
  );
}

/** The folder of a plugin: a path, or a package that is found from the SDK, where the program has installed both. */
async function findRoot(given: string): Promise<string> {
  try {
    if (isAbsolute(given)) return await realpath(given);
    const places = createRequire(import.meta.url).resolve.paths(given) ?? [];
    const found = places.map((place) => join(place, given)).find((place) => existsSync(join(place, 'package.json')));
    if (found !== undefined && !given.startsWith('.')) return await realpath(found);
  } catch (cause) {
    throw refused(given, messageOf(cause), cause);
  }
  throw refused(given, 'there is no package of this name beside the SDK');
}

function refused(given: string, reason: string, cause?: unknown): KernelError {
  const sentence = `The plugin ${JSON.stringify(given)} cannot be used: ${reason.replace(/\.$/, '')}.`;
  const hint = 'Give the absolute path of a built plugin (gemini plugins build), or the name of an installed package.';
  return new KernelError('SDK_PLUGIN_REFUSED', sentence, {cause, hint});
}
