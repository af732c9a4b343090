import type {Confirmation, FormReply, SentForm, SentNotice, ToolCall} from '@gemini-kernel/kernel';
import type {Question} from '@gemini-kernel/kernel/host';
import type {EditorPerson, ShownCall} from '../contract.js';
import type {Editor} from '../serve/editor.js';
import {textContent} from '../show/show-result.js';
import type {ShownCalls} from '../show/shown-calls.js';
import type {Teller} from '../show/teller.js';
import {messageOf, readChoice, readElicited, toChoices, toElicitation} from './ask-form.js';
import {keptText, readAnswer, toOptions} from './ask-permission.js';

interface Parts {
  /** As the editor knows it. */
  readonly id: string;
  readonly editor: Editor;
  readonly calls: ShownCalls;
  readonly teller: Teller;
  newId(): string;
  listsChanged(source: string): void;
}

/** The person at an editor, asked in one session. An editor that fails to ask has refused. */
export class SessionPerson implements EditorPerson {
  constructor(private readonly parts: Parts) {}

  async confirm(question: Question, signal: AbortSignal): Promise<Confirmation> {
    const {id: sessionId, editor, calls} = this.parts;
    const shown = calls.question(question);
    const kept = keptText(question);
    const content = [...(shown.content ?? []), ...(kept === '' ? [] : [textContent(kept)])];
    const request = {sessionId, toolCall: {...shown, content}, options: toOptions(question)};
    try {
      return readAnswer(question, await editor.askPermission(request, signal));
    } catch {
      signal.throwIfAborted();
      return {decision: 'no', reason: `${question.reason} The editor could not ask for it.`};
    }
  }

  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply> {
    try {
      return (await this.#elicit(form, signal)) ?? (await this.#choose(form, signal)) ?? {outcome: 'closed'};
    } catch {
      signal.throwIfAborted();
      return {outcome: 'closed'};
    }
  }

  async show(notice: SentNotice): Promise<boolean> {
    return this.parts.teller.notice(notice);
  }

  run(call: ToolCall): Promise<ShownCall> {
    return this.parts.calls.run(call);
  }

  listsChanged(source: string): void {
    this.parts.listsChanged(source);
  }

  async #elicit(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
    const {id: sessionId, editor} = this.parts;
    if (!editor.capabilities.elicitation?.form) return undefined;
    const request = toElicitation(form, {sessionId});
    return request && readElicited(await editor.elicit(request, signal));
  }

  /** Shows a question with few answers as a permission, which every editor can ask for. */
  async #choose(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
    const {id: sessionId, editor, newId} = this.parts;
    const options = toChoices(form);
    if (!options) return undefined;
    const label = form.fields[0]?.label ?? '';
    const toolCall = {
      toolCallId: `question__${newId()}`,
      title: form.title,
      kind: 'other' as const,
      status: 'pending' as const,
      content: [textContent([messageOf(form), label].join('\n'))],
    };
    return readChoice(form, await editor.askPermission({sessionId, toolCall, options}, signal));
  }
}
