import {KernelError} from '@gemini-kernel/kernel';
import {fitValue, type Misfit} from './fit-value.js';
import {joinKey} from './key-path.js';
import type {SettingSchema} from './settings-schema.js';

/**
 * The value for a typed text: JSON if that fits the key, else the text itself. Throws KernelError SETTING_MISFIT when
 * neither is valid for the key, or when the text begins like a list or an object but is not JSON.
 */
export function parseSettingText(text: string, schema: SettingSchema | undefined, path: readonly string[]): unknown {
  const json = parseJson(text);
  let first: Misfit | undefined;
  for (const candidate of json.isJson ? [json.value, text] : [text]) {
    const misfits: Misfit[] = [];
    const value = fitValue(candidate, schema, misfits, path);
    if (misfits.length === 0 && !isHalfJson(text, json.isJson)) return value;
    first ??= misfits[0];
  }
  if (isHalfJson(text, json.isJson)) {
    throw new KernelError(
      'SETTING_MISFIT',
      `The value for ${joinKey(path)} starts like JSON but is not valid JSON: ${text}`,
      {
        hint: 'Put the whole value in single quotes, with double quotes inside.',
      },
    );
  }
  throw new KernelError('SETTING_MISFIT', `${first?.sentence ?? `${joinKey(path)} does not accept ${text}`}.`, {
    hint: hintFor(schema),
  });
}

function parseJson(text: string): {readonly isJson: boolean; readonly value?: unknown} {
  try {
    return {isJson: true, value: JSON.parse(text)};
  } catch (error) {
    if (error instanceof SyntaxError) return {isJson: false};
    throw error;
  }
}

function isHalfJson(text: string, isJson: boolean): boolean {
  return !isJson && /^\s*[[{"]/.test(text);
}

function hintFor(schema: SettingSchema | undefined): string | undefined {
  if (schema?.type === 'array') return `Write lists as JSON: '["first", "second"]'.`;
  if (schema?.type === 'object') return `Write objects as JSON: '{"name": "value"}'.`;
  return undefined;
}
