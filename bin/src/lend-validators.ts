import {knownSchemas, useValidators} from '@gemini-kernel/kernel/host';
import type {CatalogFile} from './catalog-file.js';
import type {Program} from './program.js';

/** Gives the kernel the validators that the build wrote for the schemas of the product. */
export function lendValidators({validators}: Program, {plugins, items}: CatalogFile): void {
  const manifests = plugins.map(({manifest}) => manifest);
  if (validators) useValidators(validators, knownSchemas({manifests, ...(items ? {items} : {})}));
}
