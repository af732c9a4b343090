import type {CallOptions, Question} from '../contract/call.js';
import type {ApprovalChoice} from '../contract/moments/tool-choices.js';
import {toolConfirm, type Confirmation} from '../contract/moments/tool-confirm.js';
import type {Preview, ToolCall} from '../contract/tool-call.js';
import type {DispatchOptions} from '../hooks/dispatch.js';
import {toJson} from '../hooks/to-json.js';
import type {CallPath} from './call-path.js';

interface Asked {
  readonly path: Pick<CallPath, 'catalog' | 'dispatch' | 'stage' | 'person'>;
  readonly stage: DispatchOptions;
  readonly call: ToolCall;
  readonly reason: string;
  /** What the person is shown. */
  show(): Promise<Preview | undefined>;
  /** Answers when no listener did. */
  readonly host: CallOptions['confirm'];
}

interface Confirmed {
  readonly answer: Confirmation;
  readonly preview: Preview | undefined;
  /** The answer among those that the person was offered, when it keeps something. */
  readonly kept?: ApprovalChoice | undefined;
}

const yes: ApprovalChoice = {value: 'yes', label: 'yes', key: 'y', answer: {decision: 'yes'}};
const no: ApprovalChoice = {value: 'no', label: 'no', key: 'n', answer: {decision: 'no'}};

/** Asks a person about a call: the listeners of `tool:confirm`, then the host. Without either, the answer is no. */
export async function confirmCall({path, stage, call, reason, show, host}: Asked): Promise<Confirmed> {
  const {catalog, dispatch} = path;
  const unanswered = toolConfirm.unanswered as Confirmation;
  const isAsked = (catalog.listeners.get(toolConfirm.name)?.length ?? 0) > 0;
  const refused = {answer: {...unanswered, reason: `${reason} ${unanswered.reason ?? ''}`}, preview: undefined};
  if (!isAsked && !host) return refused;
  const preview = toJson(await show(), 'the preview');
  const choices = [yes, ...(await dispatch('tool:choices', {call}, stage)), no];
  const question: Question = {call, reason, preview, choices};
  const there = path.person === path.stage ? stage : {...stage, ...path.person};
  const first = isAsked ? await dispatch('tool:confirm', question, there) : unanswered;
  if (first !== unanswered) return complete(first);
  return host ? complete(await host(question)) : refused;

  async function complete(value: Confirmation): Promise<Confirmed> {
    const answer = await dispatch('tool:confirmed', {call, preview, value}, stage);
    const {remember} = answer;
    return {answer, preview, kept: choices.find((choice) => remember && choice.answer.remember === remember)};
  }
}
