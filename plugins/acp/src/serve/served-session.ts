import {messageOf, type ToolInfo} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {Conversations, LineEnd} from '@gemini-kernel/plugin-agent/contract';
import type {BufferSource} from '@gemini-kernel/plugin-workspace/contract';
import type {PromptResponse, SessionConfigOption, SessionUpdate} from '#sdk';
import {SessionPerson} from '../ask/session-person.js';
import type {} from '../contract.js';
import {EventStream} from '../show/event-stream.js';
import {replayHistory} from '../show/replay-history.js';
import {SessionFacts} from '../show/session-facts.js';
import {ShownCalls} from '../show/shown-calls.js';
import {Teller} from '../show/teller.js';
import type {Editor} from './editor.js';
import {editorBuffers} from './editor-buffers.js';
import {endOfPrompt} from './end-of-prompt.js';
import type {ReadPrompt} from './read-prompt.js';
import {createPrinted, fence, isOffered} from './session-commands.js';
import {modeNamed, readValue, THOUGHT_LEVEL, type SessionOptions} from './session-options.js';
import type {Setup} from './setup.js';

/** How long providers may take to list their models. */
const MODELS_MS = 15_000;

interface Parts {
  readonly setup: Setup;
  readonly editor: Editor;
  readonly conversations: Conversations;
  /** The id of the conversation. */
  readonly conversation: string;
  /** The session that it is in. */
  readonly session: Session;
  readonly cwd: string;
}

/** One session of an editor: a conversation, shown as updates. */
export class ServedSession {
  /** As the editor knows it. It stays when the conversation moves to another session. */
  readonly id: string;
  readonly cwd: string;
  readonly #stream: EventStream;
  readonly #calls: ShownCalls;
  readonly #teller: Teller;
  readonly #person: SessionPerson;
  readonly #facts: SessionFacts;
  readonly #closing = new AbortController();
  readonly #buffers: BufferSource | undefined;
  #session: Session;
  #tools: ReadonlyMap<string, ToolInfo> = new Map();
  /** Updates that are on their way. */
  readonly #telling = new Set<Promise<void>>();
  /** How often the editor has cancelled. */
  #cancelled = 0;
  #detach: () => void = () => undefined;
  #detachBuffers: () => void = () => undefined;

  constructor(private readonly parts: Parts) {
    const {session, editor, setup, cwd} = parts;
    this.#session = session;
    this.id = session.info.id;
    this.cwd = cwd;
    const update = (one: SessionUpdate): void => editor.update(this.id, one);
    const newId = (): string => setup.kernel.environment.newId();
    this.#buffers = editorBuffers(editor, this.id);
    this.#calls = new ShownCalls({
      ...{cwd, update, buffers: this.#buffers},
      tools: () => this.#tools,
      showsTerminals: () => editor.showsTerminals,
    });
    this.#teller = new Teller({editor, update, newId, log: (line) => setup.log(line)});
    this.#person = new SessionPerson({
      ...{id: this.id, editor, calls: this.#calls, teller: this.#teller, newId},
      listsChanged: (source) => void this.#listsChanged(source).catch(() => undefined),
    });
    this.#facts = new SessionFacts({
      session: () => this.#session,
      has: (service) => setup.kernel.catalog.services.has(service),
      update: (one) => void (this.#closing.signal.aborted || update(one)),
    });
    this.#stream = new EventStream({
      ...{calls: this.#calls, teller: this.#teller, update, newId},
      onMessage: () => this.#inBackground(() => this.#facts.tellUsage()),
      onResult: () => this.#inBackground(() => this.#facts.tellPlan()),
      onMode: () => this.#inBackground(() => this.#facts.tellMode()),
      onSession: (name) => this.#inBackground(() => this.#follow(name)),
    });
  }

  /** Takes part in the session: from here on its questions and events go to the editor. */
  async open(): Promise<void> {
    const {conversations, conversation} = this.parts;
    await this.#attach();
    await this.#findTools();
    if (this.#buffers) this.#detachBuffers = (await this.#session.service('buffers')).attach(this.#buffers);
    const watch = {signal: this.#closing.signal, onEvent: this.#stream.show.bind(this.#stream)};
    conversations.follow(conversation, watch).catch(() => undefined);
  }

  options(): Promise<SessionOptions> {
    return this.#facts.options();
  }

  /** What an editor learns of a session once it knows its id. */
  announce(): void {
    this.#inBackground(() => this.#facts.tellCommands());
  }

  /** Asks for the models that there are, and tells when they are known. */
  learnModels(): void {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(MODELS_MS)]);
    this.#facts.learnModels(signal).catch((error: unknown) => this.#complain(error));
  }

  /** Waits for the updates that are on their way: they come before the answer to what caused them. */
  async told(): Promise<void> {
    while (this.#telling.size > 0) await Promise.all(this.#telling);
  }

  /** Shows what was said before. */
  async replay(): Promise<void> {
    const {conversations, conversation, editor} = this.parts;
    const update = (one: SessionUpdate): void => editor.update(this.id, one);
    replayHistory(await conversations.history(conversation), {calls: this.#calls, update});
    await this.#facts.tellPlan();
    await this.#facts.tellUsage();
  }

  /** Runs a prompt after those before it. Throws what keeps it from an answer. */
  async prompt(prompt: ReadPrompt): Promise<PromptResponse> {
    const cancelled = this.#cancelled;
    try {
      const end = await this.#send(prompt).finally(() => this.told());
      const usage = this.#stream.takeUsage();
      await this.#facts.tellInfo().catch((error: unknown) => this.#complain(error));
      return endOfPrompt(end, {sdk: this.parts.setup.sdk, usage});
    } catch (error) {
      // A command that is stopped ends with an error.
      if (this.#cancelled > cancelled) return {stopReason: 'cancelled'};
      throw error;
    }
  }

  /** Stops the running prompt and takes back the waiting ones. */
  async cancel(): Promise<void> {
    const {conversations, conversation} = this.parts;
    this.#cancelled += 1;
    await conversations.unqueue(conversation);
    await conversations.stop(conversation);
  }

  async setMode(mode: string): Promise<void> {
    const {conversations, conversation} = this.parts;
    await conversations.setMode(conversation, modeNamed(mode));
  }

  /** Gives all options as they are then. */
  async setOption(option: string, value: unknown): Promise<SessionConfigOption[]> {
    const {conversations, conversation, setup} = this.parts;
    const chosen = readValue(option, value);
    if (option === 'mode') await this.setMode(chosen);
    else if (option === 'model') await conversations.setModel(conversation, chosen);
    else if (option === THOUGHT_LEVEL) await conversations.setThoughtLevel(conversation, chosen);
    else throw setup.sdk.RequestError.invalidParams({option}, `There is no option "${option}".`);
    return (await this.options()).configOptions;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#detach();
    this.#detachBuffers();
    await this.parts.conversations.close(this.parts.conversation);
  }

  async #send({text, attached}: ReadPrompt): Promise<LineEnd> {
    const {conversations, conversation} = this.parts;
    const slash = attached.length === 0 ? await this.#findSlash(text) : undefined;
    if (slash)
      return conversations.send(conversation, {kind: 'command', text: slash.line}, () => this.#print(slash.words));
    return conversations.send(conversation, {kind: 'prompt', text, ...(attached.length > 0 ? {attached} : {})});
  }

  async #findSlash(text: string): Promise<{readonly line: string; readonly words: readonly string[]} | undefined> {
    const line = text.trim();
    if (!line.startsWith('/')) return undefined;
    const {findSlash} = await import('@gemini-kernel/plugin-agent/front');
    const words = findSlash(line, await this.parts.conversations.commands(this.parts.conversation));
    return words && isOffered(words) ? {line, words} : undefined;
  }

  /** Runs a command of a plugin, and shows what it prints. */
  async #print(words: readonly string[]): Promise<void> {
    const {setup, editor} = this.parts;
    const printed = createPrinted();
    await setup.slash(words, this.#session, printed.stream);
    const text = fence(printed.text());
    if (text !== '') editor.update(this.id, {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}});
  }

  /** The conversation is in another session now; the editor still knows it by the first one. */
  async #follow(name: string): Promise<void> {
    const {conversations, conversation} = this.parts;
    this.#session = await conversations.session(conversation);
    if (this.#session.info.id === name) await this.#attach();
    await this.#facts.tellMode();
  }

  async #attach(): Promise<void> {
    this.#detach();
    const clients = await this.#session.service('acp-clients');
    this.#detach = await clients.attach(this.#session.info.id, this.#person);
  }

  async #findTools(): Promise<void> {
    this.#tools = new Map((await this.#session.tools()).map((tool) => [tool.name, tool]));
  }

  async #listsChanged(source: string): Promise<void> {
    if (source.startsWith('tools:')) await this.#findTools();
    if (source.startsWith('commands:')) await this.#facts.tellCommands();
  }

  /** Updates beside an answer do not keep it waiting, and do not fail it. */
  #inBackground(act: () => Promise<void>): void {
    const telling = act()
      .catch((error: unknown) => this.#complain(error))
      .finally(() => this.#telling.delete(telling));
    this.#telling.add(telling);
  }

  #complain(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.parts.setup.log(`The editor was not sent a change: ${messageOf(error)}`);
  }
}
