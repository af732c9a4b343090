import {createCatalog, KERNEL_VERSION, kernelErrors, satisfies, type CatalogPlugin} from '@gemini-kernel/kernel/host';
import {findingsOf, type Finding, type Subject} from './subject.js';

/**
 * Why the plugin would not load beside the others: a taken name, a moment without an owner, a missing service, another
 * kernel.
 */
export function checkAdmission({root, manifest, others, host, isOfProduct}: Subject): readonly Finding[] {
  const replaces = manifest.replaces ?? [];
  const own: CatalogPlugin = {root, origin: isOfProduct ? 'core' : 'link', manifest, replaces};
  const {refused} = createCatalog([...others, own], {host});
  const kernel = satisfies(KERNEL_VERSION, manifest.kernel)
    ? undefined
    : `it needs kernel ${manifest.kernel}, this is ${KERNEL_VERSION}`;
  const reason = kernel ?? refused.find(({name}) => name === manifest.name)?.reason;
  return findingsOf('error', 'admission', reason === undefined ? [] : [`The plugin would not load: ${reason}.`]);
}

/** Error codes in the code that are not listed. */
export function checkErrors({manifest: {errors}, code, host}: Subject): readonly Finding[] {
  const thrown = new Map<string, string>();
  for (const [file, text] of code) {
    for (const [, name = ''] of text.matchAll(/new (?:Kernel|Tool)Error\(\s*['"`]([A-Z][A-Z0-9_]+)['"`]/g))
      thrown.set(name, file);
  }
  const listed = {...kernelErrors, ...host.errors, ...errors};
  const unlisted = [...thrown].filter(([name]) => !(name in listed));
  return findingsOf(
    'error',
    'errors',
    unlisted.map(([name, file]) => `${file} throws ${name}, which src/errors.ts does not list.`),
  );
}
