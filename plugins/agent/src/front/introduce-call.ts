import {markKey} from '@gemini-kernel/command/lines';
import type {ApprovalChoice, Confirmation, ToolCall} from '@gemini-kernel/kernel';
import {revealedLine} from '@gemini-kernel/terminal';
import {describeCall} from './describe.js';
import {briefKept, refusalOf} from './kept-rules.js';
import {previewLines} from './preview-text.js';
import type {Asked, QuestionParts} from './question.js';

/** An answer that a person can choose. */
export interface Choice {
  readonly key: string;
  readonly word: string;
  readonly label: string;
  readonly answer?: Confirmation;
  /** Why it cannot be chosen. */
  readonly refusal?: string | undefined;
}

/** The owner of a tool that is not part of the product. */
function ownerOf({plugin, server}: ToolCall): string | undefined {
  const foreign = plugin?.startsWith('@gemini-kernel/') ? undefined : plugin;
  return server === undefined ? foreign && `of ${foreign}` : `of ${server}${foreign ? `, ${foreign}` : ''}`;
}

/** Even a nearly full screen still shows the question. */
const ROWS_BESIDE = 8;
const LEAST_ROWS = 10;

/** What a call would do, why gemini asks, and what answers would keep; a long preview is cut. */
export function introduceCall(
  {call, preview, reason, choices}: Asked,
  {screen, paint, graphemes, look}: Pick<QuestionParts, 'screen' | 'paint' | 'graphemes' | 'look'>,
): {readonly lines: readonly string[]; readonly hidden: readonly string[]} {
  const lines = previewLines(preview, call, {paint, graphemes});
  const most = Math.max(LEAST_ROWS, screen.rows - ROWS_BESIDE);
  const isLong = lines.length > most + 1;
  const hidden = isLong ? lines.slice(most) : [];
  const who = [ownerOf(call), call.subagent]
    .flatMap((one) => (one === undefined ? [] : [paint('dim', ` (${revealedLine(one)})`)]))
    .join('');
  const title =
    `${paint('warn', '?')} ` +
    `${paint('strong', preview ? revealedLine(call.tool) : describeCall(call.tool, call.input, graphemes))}${who}`;
  const sentence = (text: string): string => `${look?.paragraph?.(0) ?? ''}${paint('dim', text)}`;
  return {
    lines: [
      title,
      ...(isLong ? lines.slice(0, most) : lines),
      ...(isLong ? [paint('dim', `… ${hidden.length} more lines`)] : []),
      sentence(revealedLine(reason)),
      ...briefKept(choices).map(sentence),
    ],
    hidden,
  };
}

/** The answers to a call, with a reason, the rest of the preview, and the rules. */
export function choicesOf(
  choices: readonly ApprovalChoice[],
  isEditable: boolean,
  canLimit = false,
): readonly Choice[] {
  const hasRules = choices.some(({keeps, unavailable}) => keeps ?? unavailable);
  return [
    ...choices.map((choice) => ({
      key: choice.key ?? choice.label,
      word: choice.label,
      label: markKey(choice),
      answer: choice.answer,
      refusal: refusalOf(choice),
    })),
    ...(canLimit ? [{key: 'l', word: 'limit', label: '[l]imit rule'}] : []),
    ...(isEditable ? [{key: 'e', word: 'edit', label: '[e]dit'}] : []),
    {key: 'r', word: 'reason', label: '[r]eason'},
    {key: 'v', word: 'view', label: '[v]iew all'},
    ...(hasRules ? [{key: '?', word: 'rule', label: '[?] rule'}] : []),
  ];
}
