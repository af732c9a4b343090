import {setTimeout as delay} from 'node:timers/promises';
import type {Session} from '@gemini-kernel/kernel';
import type {
  ConversationEvent,
  ConversationState,
  Entry,
  Follower,
  Line,
  LineEnd,
  SentLine,
  SessionChoice,
} from '../contract.js';
import {choose, type Carried, type Chosen} from './carry-over.js';
import {describeFailed} from './describe-failed.js';
import {LineQueue, type WaitingLine} from './line-queue.js';
import {ModeChanges} from './mode-changes.js';
import {runShellLine} from './run-shell-line.js';
import {findSourced, runSourced} from './run-sourced.js';

/** What closing a conversation waits for. */
const MOST_ENDING_MS = 1500;

export interface ConversationParts {
  newId(): string;
  /** Opens and announces a session for the choice. */
  begin(choice: SessionChoice): Promise<Session>;
  leave(session: Session, choice: SessionChoice): Promise<void>;
  carryOver(from: Session, to: Session, carried: Carried): Promise<void>;
}

/** The running line. */
interface Running {
  readonly line: SentLine;
  readonly stop: AbortController;
  /** Resolves when it has ended, however it did. */
  readonly over: Promise<void>;
}

/** One conversation: its session, its running line and the waiting ones. */
export class LiveConversation {
  readonly #queue = new LineQueue();
  readonly #followers = new Set<Follower>();
  #running: Running | undefined;
  #isDealing = false;
  /** Ids of the lines that followers were last notified of. */
  #toldQueue = '';
  /** Settles when the conversation is in the session that was requested last. */
  #entering: Promise<unknown> = Promise.resolve();
  readonly #modes = new ModeChanges({session: () => this.current, tell: (event) => this.#tell(event)});
  #chosen: Chosen = {};
  readonly #closing = new AbortController();

  constructor(
    readonly id: string,
    private current: Session,
    private readonly parts: ConversationParts,
  ) {}

  get session(): Session {
    return this.current;
  }

  get state(): ConversationState {
    const {id, mode} = this.current.info;
    const running = this.#running && {line: this.#running.line};
    return {id: this.id, session: id, mode, ...running, queue: this.#queue.lines};
  }

  async history(): Promise<readonly Entry[]> {
    return (await this.current.service('agent')).history();
  }

  follow(follower: Follower): Promise<void> {
    follower.signal.throwIfAborted();
    this.#followers.add(follower);
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        this.#followers.delete(follower);
        settle();
      };
      follower.signal.addEventListener('abort', () => leave(() => reject(follower.signal.reason as Error)), {
        once: true,
      });
      this.#closing.signal.addEventListener('abort', () => leave(resolve), {once: true});
    });
  }

  send({kind, text, attached, id = this.parts.newId()}: Line, act?: () => Promise<void>): Promise<LineEnd> {
    return new Promise((resolve, reject) => {
      this.#queue.add({line: {id, kind, text}, attached, act, resolve, reject});
      if (this.#isDealing) this.#tellQueue();
      void this.#deal();
    });
  }

  unqueue(id?: string): readonly SentLine[] {
    const lines = this.#queue.withdraw(id);
    this.#tellQueue();
    return lines;
  }

  stop(): boolean {
    if (!this.#running || isOfHost(this.#running.line)) return false;
    this.#running.stop.abort(new Error('The person stopped it.'));
    return true;
  }

  /** Moves to another session, one change after the other. */
  enter(choice: SessionChoice): Promise<ConversationState> {
    const entering = this.#entering.then(() => this.#enter(choice));
    this.#entering = entering.catch(() => undefined);
    return entering;
  }

  async setMode(mode: string): Promise<ConversationState> {
    await this.#modes.set(mode);
    return this.state;
  }

  async nextMode(): Promise<ConversationState> {
    await this.#modes.next();
    return this.state;
  }

  async choose(chosen: Chosen): Promise<void> {
    await choose(await this.current.service('agent'), chosen);
    this.#chosen = {...this.#chosen, ...chosen};
  }

  async rewind(prompt: string): Promise<{readonly text: string}> {
    const {text} = await (await this.current.service('agent')).rewind(prompt);
    this.#tell({kind: 'rewound', text});
    return {text};
  }

  async close(): Promise<void> {
    this.unqueue();
    if (this.stop()) await Promise.race([this.#running?.over, delay(MOST_ENDING_MS, undefined, {ref: false})]);
    await this.#entered();
    await this.current.close();
    this.#closing.abort();
  }

  async #enter(choice: SessionChoice): Promise<ConversationState> {
    // The running command may have requested this.
    if (this.stop()) await this.#running?.over;
    const [from, isNew] = [this.current, choice.kind === 'new'];
    const to = await this.parts.begin(choice);
    try {
      await this.parts.carryOver(from, to, {chosen: this.#chosen, withDirectories: isNew});
    } catch (error) {
      await to.close();
      throw error;
    }
    this.current = to;
    await this.parts.leave(from, choice);
    const {id, mode} = to.info;
    this.#tell({kind: 'session', session: id, why: isNew ? 'new' : 'resumed', mode});
    return this.state;
  }

  /** Runs the waiting lines one after the other. */
  async #deal(): Promise<void> {
    if (this.#isDealing) return;
    this.#isDealing = true;
    try {
      for (;;) {
        await this.#entered();
        const next = this.#queue.take();
        if (!next) return;
        await this.#dealWith(next);
      }
    } finally {
      this.#isDealing = false;
    }
  }

  /** Resolves when no change of the session is in progress. */
  async #entered(): Promise<void> {
    for (let last; last !== this.#entering;) {
      last = this.#entering;
      await last;
    }
  }

  /** Never rejects: the sender of the line gets the error. */
  async #dealWith(waiting: WaitingLine): Promise<void> {
    const {resolve, reject} = waiting;
    const line = await this.#settle(waiting.line);
    const stop = new AbortController();
    const dealing = this.#run(line, stop.signal, waiting);
    this.#running = {line, stop, over: dealing.then(noted, noted)};
    this.#tellQueue();
    this.#tell({kind: 'line', line});
    try {
      const end = await dealing;
      this.#running = undefined;
      this.#tell({kind: 'ended', line, end});
      resolve(end);
    } catch (error) {
      this.#running = undefined;
      this.#tell({kind: 'ended', line, error: describeFailed(error)});
      reject(error);
    }
  }

  /** Evaluated late, because lists may change while the line waits. */
  async #settle(line: SentLine): Promise<SentLine> {
    if (line.kind !== 'command') return line;
    return (await findSourced(this.current, line.text).catch(noted)) ? {...line, isSourced: true} : line;
  }

  async #run(line: SentLine, signal: AbortSignal, {act, attached}: WaitingLine): Promise<LineEnd> {
    // Followers are notified of the line before any of its events.
    await Promise.resolve();
    const onEvent = (event: ConversationEvent): void => this.#tell(event);
    if (line.kind === 'prompt') {
      const agent = await this.current.service('agent');
      return {
        kind: 'prompt',
        turn: await agent.send({text: line.text, ...(attached ? {attached} : {})}, {signal, onEvent}),
      };
    }
    if (line.isSourced) return runSourced(this.current, line.text, {signal, onEvent});
    if (line.kind === 'shell') {
      const asked = {session: this.current, id: line.id, command: line.text.trim()};
      return {kind: 'shell', call: await runShellLine(asked, {signal, onEvent})};
    }
    await act?.();
    return {kind: 'command'};
  }

  /** Notifies followers of the waiting lines, unless nothing changed. */
  #tellQueue(): void {
    const queue = this.#queue.lines;
    const told = queue.map(({id}) => id).join();
    if (told === this.#toldQueue) return;
    this.#toldQueue = told;
    this.#tell({kind: 'queue', queue});
  }

  #tell(event: ConversationEvent): void {
    for (const {onEvent} of this.#followers) onEvent(event);
  }
}

const noted = (): void => undefined;
const isOfHost = ({kind, isSourced}: SentLine): boolean => kind === 'command' && !isSourced;
