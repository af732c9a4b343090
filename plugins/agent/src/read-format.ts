import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {ChatLine} from './chat-line.js';
import type {Format} from './headless/run-headless.js';

/** The values of `--output-format`. */
export const FORMATS = ['text', 'json', 'stream-json'] as const;

/** The format from the line, its prompt file or the settings, in this order. */
export async function readFormat({flags, file}: ChatLine, settings: () => Promise<Settings>): Promise<Format> {
  if (flags.json) return 'json';
  const asked = {...file?.flags, ...flags}['output-format'] as Format | undefined;
  if (asked !== undefined) return asked;
  const value = await (await settings()).get('output.format');
  return FORMATS.find((format) => format === value) ?? 'text';
}
