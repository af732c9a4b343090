import {warn} from './process-environment.js';
import type {Start} from './start.js';

/** Warns of each plugin that was left out, save for what `refuseFaults` says of the person's locks and bundles. */
export function warnLeftOut({catalog, installed}: Start): void {
  for (const {name, root, reason} of catalog.refused)
    if (root !== installed.user?.broken?.root)
      warn(`The plugin ${name} was left out: ${reason.replace(/\.$/, '')}. (gemini doctor)`);
}
