import {join} from 'node:path';
import {findFolderFault} from '@gemini-kernel/admission/start';
import type {ActiveBundle} from '@gemini-kernel/admission/contract';
import type {FoundExtension} from './found-extension.js';

/** An extension of a bundle, before its manifest is read. */
export interface BundledExtension extends FoundExtension {
  /** Why it may not be used: its files are not those that were signed, or the bundle has expired. */
  readonly fault?: Awaited<ReturnType<typeof findFolderFault>>;
}

/** Extensions of the bundles in force; the administrator's come first. */
export async function findBundled(
  bundles: readonly ActiveBundle[],
  cacheDir: string,
): Promise<readonly BundledExtension[]> {
  const found = bundles.toReversed().flatMap((bundle) => (bundle.extensions ?? []).map((one) => ({one, bundle})));
  return Promise.all(
    found.map(async ({one, bundle}): Promise<BundledExtension> => {
      const {name, path} = one;
      const record = join(cacheDir, 'extensions', `${bundle.origin}-${bundle.name}-${name}.tree`);
      const fault = await findFolderFault(bundle, one, record);
      return {
        name,
        folder: path,
        source: {type: 'bundle', location: `bundle:${bundle.name}`},
        state: 'bundled',
        ...(bundle.origin === 'user' ? {} : {isManaged: true}),
        ...(fault === undefined ? {} : {fault}),
      };
    }),
  );
}
