import {fileURLToPath} from 'node:url';
import {KernelError} from '@gemini-kernel/kernel';
import type {Case, Invalid, RunReport} from '@gemini-kernel/plugin-agent/cases';
import type {AgentInfo} from './contract.js';

export const invalidCase: Invalid = (sentence, options) => new KernelError('AGENT_INVALID', sentence, options);

/** The folder with the cases of an agent: beside its file, and for one that is built in, in this plugin. */
export function casesOf({name, file}: Pick<AgentInfo, 'name' | 'file'>): string {
  if (file !== undefined) return file.replace(/\.md$/, '.tests');
  return fileURLToPath(new URL(`../evaluations/${name}.tests`, import.meta.url));
}

/** `agents run` as a program, which may edit in its project. `model` takes precedence over the recording of a case. */
export function wordsOf(
  {name, file}: Pick<AgentInfo, 'name' | 'file'>,
  {prompt, recording}: Case,
  {model, allow}: {readonly model: string | undefined; readonly allow: readonly string[]},
): readonly string[] {
  const chosen = model ?? (recording === undefined ? undefined : `replay:${recording}`);
  return [
    ...['agents', 'run', '--json', '--approval-mode', 'auto_edit'],
    ...(allow.length === 0 ? [] : ['--allowed-tools', allow.join(',')]),
    ...(chosen === undefined ? [] : [`--model=${chosen}`]),
    ...(file === undefined ? ['--', name, prompt] : ['--file', file, '--', prompt]),
  ];
}

interface Printed {
  readonly text?: string;
  readonly calls?: readonly string[];
  readonly error?: {readonly message: string};
}

/** Reads what `agents run --json` printed. */
export function readRun(text: string): RunReport | undefined {
  try {
    const {text: answer = '', calls = [], error} = JSON.parse(text) as Printed;
    return {answer, calls, ...(error ? {error: error.message} : {})};
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
    return undefined;
  }
}
