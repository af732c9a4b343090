import {KernelError, type ServiceContext, type Session} from '@gemini-kernel/kernel';
import type {
  ConversationState,
  Conversations,
  Entry,
  Follower,
  Line,
  LineEnd,
  OpenConversation,
  SentLine,
  SessionChoice,
  SlashCommand,
} from '../contract.js';
import {carryOver} from './carry-over.js';
import {LiveConversation} from './live-conversation.js';

/** Every conversation of a place, by its id or that of its session. */
export class LiveConversations implements Conversations {
  readonly #open = new Map<string, LiveConversation>();
  /** The choices for sessions that begin, by kernel id, and for those that are left. */
  readonly #choices = new Map<string, SessionChoice>();

  constructor(private readonly context: Pick<ServiceContext, 'open' | 'environment'>) {}

  async open({resume, ...about}: OpenConversation = {}): Promise<ConversationState> {
    const {newId} = this.context.environment;
    const begin = (choice: SessionChoice | undefined): Promise<Session> => this.#begin(choice, about);
    const session = await begin(resume === undefined ? undefined : this.#resuming(resume));
    const leave = (one: Session, choice: SessionChoice): Promise<void> =>
      this.#during(one.info.id, choice, () => one.close());
    const conversation = new LiveConversation(newId(), session, {newId, begin, leave, carryOver});
    this.#open.set(conversation.id, conversation);
    return conversation.state;
  }

  async list(): Promise<readonly ConversationState[]> {
    return [...this.#open.values()].map(({state}) => state);
  }

  async state(of: string): Promise<ConversationState> {
    return this.#get(of).state;
  }

  async find(of: string): Promise<ConversationState | undefined> {
    return this.#find(of)?.state;
  }

  async history(of: string): Promise<readonly Entry[]> {
    return this.#get(of).history();
  }

  async follow(of: string, follower: Follower): Promise<void> {
    return this.#get(of).follow(follower);
  }

  async send(of: string, line: Line, act?: () => Promise<void>): Promise<LineEnd> {
    return this.#get(of).send(line, act);
  }

  async commands(of: string): Promise<readonly SlashCommand[]> {
    return (await this.#get(of).session.service('slash-commands')).list();
  }

  async complete(of: string, line: string, signal: AbortSignal): ReturnType<Conversations['complete']> {
    return (await this.#get(of).session.service('slash-commands')).complete(line, signal);
  }

  async unqueue(of: string, line?: string): Promise<readonly SentLine[]> {
    return this.#get(of).unqueue(line);
  }

  async stop(of: string): Promise<boolean> {
    return this.#get(of).stop();
  }

  async begin(of: string): Promise<ConversationState> {
    return this.#get(of).enter({kind: 'new'});
  }

  async resume(of: string, session: string): Promise<ConversationState> {
    return this.#get(of).enter(this.#resuming(session));
  }

  async setMode(of: string, mode: string): Promise<ConversationState> {
    return this.#get(of).setMode(mode);
  }

  async nextMode(of: string): Promise<ConversationState> {
    return this.#get(of).nextMode();
  }

  async setModel(of: string, name: string): Promise<void> {
    return this.#get(of).choose({model: name});
  }

  async setThoughtLevel(of: string, level: string): Promise<void> {
    return this.#get(of).choose({thoughtLevel: level});
  }

  async addDirectories(of: string, paths: readonly string[]): ReturnType<Conversations['addDirectories']> {
    const workspace = await this.#get(of).session.service('workspace');
    return workspace.add(paths, {scope: 'session'});
  }

  async rewind(of: string, prompt: string): Promise<{readonly text: string}> {
    return this.#get(of).rewind(prompt);
  }

  async close(of: string): Promise<void> {
    const conversation = this.#get(of);
    this.#open.delete(conversation.id);
    await conversation.close();
  }

  async choice(session: string): Promise<SessionChoice | undefined> {
    return this.#choices.get(session);
  }

  async session(of: string): Promise<Session> {
    return this.#get(of).session;
  }

  #find(of: string): LiveConversation | undefined {
    return this.#open.get(of) ?? [...this.#open.values()].find(({session}) => session.info.id === of);
  }

  #get(of: string): LiveConversation {
    const found = this.#find(of);
    if (found) return found;
    const ids = [...this.#open.keys()];
    throw new KernelError('CONVERSATION_UNKNOWN', `There is no open conversation ${JSON.stringify(of)}.`, {
      hint: ids.length > 0 ? `Open: ${ids.join(', ')}.` : 'Open one first.',
    });
  }

  #resuming(session: string): SessionChoice {
    return {kind: 'resume', session, taken: [...this.#open.values()].map((one) => one.session.info.id)};
  }

  /** Opens a session for the choice. One that cannot start leaves nothing behind. */
  async #begin(choice: SessionChoice | undefined, about: Omit<OpenConversation, 'resume'>): Promise<Session> {
    const session = this.context.open({live: true, ...about});
    const {id} = session.info;
    try {
      await this.#during(id, choice, () => session.announce());
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #during(id: string, choice: SessionChoice | undefined, act: () => Promise<void>): Promise<void> {
    if (choice) this.#choices.set(id, choice);
    try {
      await act();
    } finally {
      this.#choices.delete(id);
    }
  }
}
