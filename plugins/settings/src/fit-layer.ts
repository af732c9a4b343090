import type {SettingFault} from './contract.js';
import {findUnknownKeys} from './find-unknown-keys.js';
import {findNearestKey, isNear} from './find-nearest-key.js';
import {fitValue, type Misfit} from './fit-value.js';
import {isObject, joinKey, valueAt, without, type JSONObject} from './key-path.js';
import type {KnownSettings} from './known-settings.js';
import type {FileLayer} from './read-files.js';
import {schemaAt} from './settings-schema.js';

const MAX_WARNINGS = 5;

/**
 * One layer with its values as the schema wants them. What does not fit is added to `faults`: a value of a setting that
 * a plugin declares is left out, so that its reader gets the type it declared; any other is used.
 */
export function fitLayer<L extends FileLayer>(layer: L, {schema, declared}: KnownSettings, faults: SettingFault[]): L {
  const {source} = layer;
  let {values} = layer;
  const note = (misfits: readonly Misfit[], end: string): void => {
    for (const {key, sentence} of misfits)
      faults.push({source, key, problem: 'misfit', sentence: `${source}: ${sentence}; ${end}.`});
  };
  for (const {key} of declared) {
    const path = key.split('.');
    const misfits: Misfit[] = [];
    fitValue(valueAt(values, path), schemaAt(schema, path), misfits, path);
    if (misfits.length > 0) values = without(values, path);
    note(misfits, 'it is left out');
  }
  const misfits: Misfit[] = [];
  const fitted = fitValue(values, schema, misfits);
  note(misfits, 'it is used all the same');
  for (const path of findUnknownKeys(values, schema)) faults.push(unknownKey(source, joinKey(path), {schema}));
  return {...layer, values: isObject(fitted) ? fitted : ({} satisfies JSONObject)};
}

function unknownKey(source: string, key: string, {schema}: Pick<KnownSettings, 'schema'>): SettingFault {
  const nearest = findNearestKey(key, schema);
  const question = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return {
    ...{source, key, problem: 'unknown', sentence: `${source}: ${key} is not a known setting.${question}`},
    ...(nearest === undefined ? {} : {nearest}),
  };
}

/** Says what does not fit, in five lines at most. */
export function warnOfMisfits(faults: readonly SettingFault[], warn: (sentence: string) => void): void {
  const misfits = faults.filter(({problem}) => problem === 'misfit');
  const shown = misfits.length > MAX_WARNINGS ? MAX_WARNINGS - 1 : misfits.length;
  misfits.slice(0, shown).forEach(({sentence}) => warn(sentence));
  if (shown < misfits.length)
    warn(
      `${misfits.length - shown} more settings are not valid. Run \`gemini settings explain <key>\` to see ` +
        'what a key accepts.',
    );
}

/**
 * One sentence about the unknown keys that are one letter or two from a known one. Other unknown keys may be meant for
 * another program: only `check` names them.
 */
export function describeSlips(faults: readonly SettingFault[]): string | undefined {
  const [first, ...more] = faults.filter(({key, nearest}) => nearest !== undefined && isNear(key, nearest));
  return first && more.length > 0
    ? `${first.sentence} gemini settings check names ${more.length} more.`
    : first?.sentence;
}
