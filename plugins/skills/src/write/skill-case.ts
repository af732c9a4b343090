import {KernelError} from '@gemini-kernel/kernel';
import type {Case, Invalid, RunReport} from '@gemini-kernel/plugin-agent/cases';
import {ACTIVATE} from '../tool-name.js';

export const invalidCase: Invalid = (sentence, options) => new KernelError('SKILL_INVALID', sentence, options);

/** A headless prompt that may edit in its project. `model` takes precedence over the recording of a case. */
export function wordsOf(
  {prompt, recording}: Case,
  {model, allow}: {readonly model: string | undefined; readonly allow: readonly string[]},
): readonly string[] {
  const chosen = model ?? (recording === undefined ? undefined : `replay:${recording}`);
  return [
    ...[`--prompt=${prompt}`, '--output-format', 'json', '--approval-mode', 'auto_edit'],
    ...['--allowed-tools', [ACTIVATE, ...allow].join(',')],
    ...(chosen === undefined ? [] : [`--model=${chosen}`]),
  ];
}

interface Report {
  readonly response?: string;
  readonly error?: {readonly message: string};
  readonly stats?: {readonly tools?: {readonly byName?: Readonly<Record<string, unknown>>}};
}

/** Reads what `--output-format json` printed. */
export function readReport(text: string): RunReport | undefined {
  try {
    const {response = '', error, stats} = JSON.parse(text) as Report;
    const calls = Object.keys(stats?.tools?.byName ?? {});
    return {calls, answer: response, ...(error ? {error: error.message} : {})};
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}
