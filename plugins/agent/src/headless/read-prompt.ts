import {KernelError} from '@gemini-kernel/kernel';
import {readInput} from './read-input.js';

interface ReadPrompt {
  readonly text: string;
  /** What was cut, as a sentence. */
  readonly warning?: string;
}

interface Sources {
  readonly input: NodeJS.ReadableStream;
  readonly given: string | undefined;
  readonly signal: AbortSignal;
}

/** The given prompt after the content of standard input. Throws KernelError PROMPT_EMPTY, and the signal's reason. */
export async function readPrompt({input, given = '', signal}: Sources): Promise<ReadPrompt> {
  const isPiped = (input as Partial<NodeJS.ReadStream>).isTTY !== true;
  const {text, ...rest} = isPiped ? await readInput(input, signal) : {text: ''};
  const whole = [text, given].filter((part) => part.trim() !== '').join('\n\n');
  if (whole !== '') return {text: whole, ...rest};
  const message = 'There is no prompt: no argument, and standard input is empty.';
  throw new KernelError('PROMPT_EMPTY', message, {hint: 'Pass one with -p "…", or run gemini at a terminal.'});
}
