import type {Catalog} from '../catalog/catalog.js';
import {KERNEL} from '../catalog/catalog-plugin.js';
import {messageOf} from '../contract/error.js';
import {sessionNotice} from '../contract/moments/session-notice.js';
import type {Notice, SentNotice, Tell} from '../contract/notice.js';
import type {Dispatch, Stage} from './dispatch.js';

/** Shows a notice that no listener showed. */
export type Print = (notice: SentNotice) => void;

/** Brings notices to the sessions that they concern, and to the host where no listener shows them. */
export class Notices {
  readonly #sending = new Set<Promise<void>>();

  constructor(
    private readonly catalog: Catalog,
    private readonly dispatch: Dispatch,
    private readonly print: Print,
  ) {}

  /** Sends a notice to some sessions; without any, to the host. */
  send(notice: Notice, source: string, stages: readonly Stage[]): void {
    const sent = complete(notice, source);
    const isHeard = (this.catalog.listeners.get(sessionNotice.name)?.length ?? 0) > 0;
    if (stages.length === 0 || !isHeard) return this.print(sent);
    const sending = this.#send(sent, stages).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** A sender for one scope, which keeps count of what is sent only once. */
  sender(stages: () => readonly Stage[]): (source: string) => Tell {
    const told = new Set<string>();
    return (source) => (notice) => {
      if (notice.once !== undefined) {
        const key = JSON.stringify([source, notice.once]);
        if (told.has(key)) return;
        told.add(key);
      }
      this.send(notice, source, stages());
    };
  }

  /** Waits until every notice so far was shown. */
  async settle(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #send(sent: SentNotice, stages: readonly Stage[]): Promise<void> {
    // A listener of notices that fails must not cause the next one.
    const tell: Tell = (own) => this.print({level: 'warning', ...own, source: KERNEL});
    const ask = async (stage: Stage): Promise<readonly 'shown'[]> =>
      this.dispatch('session:notice', sent, {...stage, tell}).catch((error: unknown) => {
        tell({code: 'LISTENER_FAILED', sentence: `A notice could not be announced: ${messageOf(error)}`});
        return [];
      });
    // The session of a command shows nothing, and need not beside a conversation.
    const live = stages.filter(({session}) => session.live);
    const answers = await Promise.all((live.length > 0 ? live : stages).map(ask));
    if (answers.some((one) => one.length === 0)) this.print(sent);
  }
}

// Types do not bind a plugin in JavaScript, and a notice must reach the person whatever is wrong with it.
function complete({level, code, sentence, once}: Notice, source: string): SentNotice {
  return {
    level: level === 'info' || level === 'error' ? level : 'warning',
    code: String(code),
    sentence: String(sentence),
    source,
    ...(once === undefined ? {} : {once: String(once)}),
  };
}
