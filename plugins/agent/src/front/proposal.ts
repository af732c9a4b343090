import {basename} from 'node:path';
import type {Confirmation} from '@gemini-kernel/kernel';
import type {ViewText} from '../contract.js';
import type {Reach} from './drawers.js';
import type {EditedText} from './external-editor.js';
import {previewLines} from './preview-text.js';
import type {Asked, QuestionParts} from './question.js';

/** What a person can edit of a call before it runs. */
export interface Proposal extends EditedText {
  /** The answer with an edited text; undefined when nothing is left of it. */
  answer(text: string): Confirmation | undefined;
}

/** The new text of a file, or the line of a command; undefined for other calls. */
export function proposalOf({call, preview}: Asked): Proposal | undefined {
  if (preview?.kind === 'diff')
    return {text: preview.after, name: basename(preview.path), answer: (text) => ({decision: 'yes', text})};
  const input = call.input as {readonly command?: unknown} | null;
  if (preview?.kind !== 'command' || input?.command !== preview.command) return undefined;
  return {
    text: `${preview.command}\n`,
    name: 'command.sh',
    answer: (text) => {
      const command = text.replaceAll('\r\n', '\n').trim();
      return command === '' ? undefined : {decision: 'yes', input: {...input, command}};
    },
  };
}

/** What came of editing: the answer that a yes now gives, and what to say. */
export interface EditedProposal {
  readonly answer: Confirmation | undefined;
  readonly sentence: string;
}

/** Lets the person edit what a call would do, from what they made of it before. */
export async function editProposal(
  proposal: Proposal,
  before: Confirmation | undefined,
  reach: Pick<Reach, 'edit'>,
): Promise<EditedProposal> {
  const from = textIn(before) ?? proposal.text;
  const text = await reach.edit({text: from, name: proposal.name});
  if (text === undefined) return {answer: before, sentence: 'Nothing was changed.'};
  const isSame = text.replaceAll('\r\n', '\n') === proposal.text.replaceAll('\r\n', '\n');
  if (isSame) return {answer: undefined, sentence: 'The text is the one that was proposed.'};
  const answer = proposal.answer(text);
  if (!answer) return {answer: before, sentence: 'Nothing was left of it, so nothing was changed.'};
  const lines = (one: string): number => one.trimEnd().split('\n').length;
  const counts = `${lines(text)} lines instead of ${lines(proposal.text)}`;
  return {answer, sentence: `You changed it: ${counts}. Yes uses your text.`};
}

function textIn(answer: Confirmation | undefined): string | undefined {
  const command = (answer?.input as {readonly command?: unknown} | undefined)?.command;
  return answer?.text ?? (typeof command === 'string' ? `${command}\n` : undefined);
}

/** All of what a call would do, to read. */
export function textsOf(
  {call, preview}: Asked,
  parts: Pick<QuestionParts, 'paint' | 'graphemes'>,
): readonly ViewText[] {
  if (preview?.kind === 'diff') return [{kind: 'diff', text: preview.diff}];
  const plain = (_: string, text: string): string => text;
  return [{kind: 'text', text: previewLines(preview, call, {...parts, paint: plain}).join('\n')}];
}
