import type {Explanation} from '@gemini-kernel/plugin-settings/contract';
import type {Problem} from './rule.js';

/** Settings of which a project can say only what tightens, with that value; undefined = nothing that it says counts. */
const KEYS: Readonly<Record<string, boolean | undefined>> = {
  'security.disableYoloMode': true,
  'security.disableAlwaysAllow': true,
  'security.enablePermanentToolApproval': false,
  'security.requireGuards': true,
  'security.folderTrust.enabled': undefined,
  'security.checkers': undefined,
};

/** The keys whose explanations `tellProjectInVain` takes. */
export const tightenedKeys = Object.keys(KEYS);

/** What the project's own settings say about its supervision, and what does not count. */
export function tellProjectInVain(explanations: readonly Explanation[]): readonly Problem[] {
  return explanations.flatMap(({key, layers}) =>
    layers
      .filter(({layer, value}) => layer === 'workspace' && (KEYS[key] === undefined || value !== KEYS[key]))
      .map(({layer, source = layer}): Problem => {
        const message =
          `${key} in the settings of a project ` +
          `${KEYS[key] === undefined ? 'counts for nothing' : `can only be ${String(KEYS[key])}`}: a project can ` +
          'only make things stricter.';
        return {
          severity: 'warning',
          tier: 'workspace',
          file: source,
          message,
          hint: 'Put it into your own settings if you want it.',
        };
      }),
  );
}
