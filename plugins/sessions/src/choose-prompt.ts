import type {Form, FormAnswer, FormField} from '@gemini-kernel/kernel';
import type {Prompt} from './contract.js';
import {shorten} from './session-texts.js';

/** A prompt to go back to, and what goes back: `both`, `conversation` or `files`. */
export interface Chosen {
  readonly prompt: string;
  readonly what?: string | undefined;
}

interface Parts {
  /** Asked for as well, unless it is known. */
  readonly what: string | undefined;
  ask(form: Form): Promise<FormAnswer>;
}

const WHAT: FormField = {
  name: 'what',
  label: 'What should go back?',
  kind: 'choice',
  options: [
    {value: 'both', label: 'the conversation and the files'},
    {value: 'conversation', label: 'the conversation'},
    {value: 'files', label: 'the files'},
  ],
};

/** Asks the person for the prompt to go back to. `closed`: to none of them; `nobody`: there is no one to ask. */
export async function choosePrompt(
  prompts: readonly Prompt[],
  {what, ask}: Parts,
): Promise<Chosen | 'closed' | 'nobody'> {
  const last = prompts.at(-1);
  if (!last) return 'nobody';
  const options = prompts.map(({id, text, files}) => ({
    value: id,
    label: `${shorten(text)}${files > 0 ? ` (files: ${files})` : ''}`,
  }));
  const answer = await ask({
    title: 'Go back to before one of these prompts:',
    about: {kind: 'rewind'},
    fields: [
      {name: 'prompt', label: 'Which one?', kind: 'choice', options, default: last.id},
      ...(what === undefined ? [WHAT] : []),
    ],
  });
  if (answer.outcome !== 'answered') return answer.outcome;
  return {prompt: String(answer.values['prompt']), what: what ?? String(answer.values['what'])};
}
