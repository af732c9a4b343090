import type {SentNotice} from '@gemini-kernel/kernel';
import type {ConversationEvent} from '@gemini-kernel/plugin-agent/contract';
import type {SessionUpdate} from '#sdk';
import type {Editor} from '../serve/editor.js';

type Severity = 'info' | 'warning' | 'error';

interface Parts {
  readonly editor: Pick<Editor, 'capabilities'>;
  update(update: SessionUpdate): void;
  newId(): string;
  log(line: string): void;
}

/** Tells the person at the editor what does not belong to an answer: notices, and what happens to a prompt. */
export class Teller {
  /** A notice of a place comes once for each of its sessions, so the same one can come twice. */
  readonly #told = new Set<string>();

  constructor(private readonly parts: Parts) {}

  notice({level, sentence, source, once}: SentNotice): boolean {
    const key = JSON.stringify([source, once]);
    if (once !== undefined && this.#told.has(key)) return true;
    this.#told.add(key);
    return this.tell(level, sentence);
  }

  /** Returns whether it was shown. An editor that shows no notices gets warnings and errors as messages. */
  tell(severity: Severity, text: string, description?: string): boolean {
    const {editor, update, newId, log} = this.parts;
    const title = text.trim();
    if (title === '') return true;
    if (editor.capabilities.session?.notices) {
      update({sessionUpdate: 'notice', severity, title, ...(description ? {description} : {})});
      return true;
    }
    if (severity === 'info') {
      log(title);
      return true;
    }
    const whole = [title, ...(description ? [description] : [])].join(' ');
    const shown = `\n\n**${severity === 'error' ? 'Error' : 'Warning'}:** ${whole}\n\n`;
    update({sessionUpdate: 'agent_message_chunk', messageId: newId(), content: {type: 'text', text: shown}});
    return true;
  }

  /** Tells what an event of a conversation means for the person; events that mean nothing to them are left out. */
  show(event: ConversationEvent): void {
    switch (event.kind) {
      case 'note':
        return void this.tell(event.severity, event.text);
      case 'waiting': {
        const {attempt, of, delayMs, failure} = event;
        const when = `Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt} of ${of}).`;
        return void this.tell('info', `${failure.message} ${when}`);
      }
      case 'fallback':
        return void this.tell('warning', `${event.failure.message} Continuing with ${event.to}.`);
      case 'silence':
        return void this.tell('info', `${event.model} has not answered for ${event.seconds} s.`);
      case 'compressed':
        return this.#compressed(event);
      default:
        return undefined;
    }
  }

  #compressed({before, after}: {readonly before: number; readonly after: number}): void {
    const {editor, update, newId} = this.parts;
    const text = `The conversation was shortened from ${before} to ${after} tokens.`;
    if (!editor.capabilities.session?.compaction) return void this.tell('info', text);
    const summary = [{type: 'text' as const, text}];
    update({sessionUpdate: 'compaction_update', compactionId: newId(), status: 'completed', summary});
  }
}
