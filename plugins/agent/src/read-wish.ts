import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {readSettings} from './agent-settings.js';
import type {ChatLine} from './chat-line.js';
import {readLimits, settleFileLimits, type GivenLimits} from './headless/read-limits.js';
import type {Format} from './headless/run-headless.js';

/** What the line asks of a run. */
export interface Wish {
  readonly prompt: string | undefined;
  readonly format: Format;
  readonly raw: boolean;
  /** Path of a JSON Schema. */
  readonly schema: string | undefined;
  readonly limits: GivenLimits;
  readonly failOnRefused: boolean;
  readonly isFile: boolean;
}

/** What the line asks for, with the limits of its flags and of its file. Throws KernelError LIMIT_INVALID. */
export async function readWish(
  {flags, words, file}: ChatLine,
  format: Format,
  settings: () => Promise<Settings>,
): Promise<Wish> {
  return {
    prompt: file?.text ?? flags.prompt ?? flags['prompt-interactive'] ?? (words === '' ? undefined : words),
    format,
    raw: flags['raw-output'] || flags['accept-raw-output-risk'],
    schema: flags['output-schema'],
    limits: file ? settleFileLimits(flags, file.flags, await readSettings(await settings())) : readLimits(flags),
    failOnRefused: flags['fail-on-refused'] || file?.flags['fail-on-refused'] === 'true',
    isFile: file !== undefined,
  };
}
