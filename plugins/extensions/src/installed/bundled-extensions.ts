import {join} from 'node:path';
import {verifyTree} from '@gemini-kernel/admission';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {FoundExtension} from './found-extension.js';

/** An extension of a bundle, before its manifest is read. */
export interface BundledExtension extends FoundExtension {
  /** Why its files are not those that were signed. */
  readonly fault?: string;
}

/** Extensions of the bundles in force; the administrator's come first. */
export async function findBundled(
  bundles: readonly ActiveBundle[],
  cacheDir: string,
): Promise<readonly BundledExtension[]> {
  const found = bundles
    .toReversed()
    .flatMap(({name: bundle, origin, extensions = []}) => extensions.map((one) => ({...one, bundle, origin})));
  return Promise.all(
    found.map(async ({name, path, tree, bundle, origin}): Promise<BundledExtension> => {
      const record = join(cacheDir, 'extensions', `${origin}-${bundle}-${name}.tree`);
      const fault = await verifyTree({root: path, tree, record});
      return {
        name,
        folder: path,
        source: {type: 'bundle', location: `bundle:${bundle}`},
        state: 'bundled',
        ...(origin === 'user' ? {} : {isManaged: true}),
        ...(fault === undefined ? {} : {fault}),
      };
    }),
  );
}
