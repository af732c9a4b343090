import {messageOf, type Confirmation, type FormReply, type SentForm} from '@gemini-kernel/kernel';
import type {ConversationEvent} from '../contract.js';
import {Asker} from './asker.js';
import type {ConversationParts} from './conversation-parts.js';
import type {Bottom, Completing} from './drawers.js';
import {OutsideEditor} from './external-editor.js';
import {LineInput, safeLine, type Act, type Key, type Keyboard} from '@gemini-kernel/terminal';
import {Job} from './job.js';
import {ModeLine} from './mode-line.js';
import {commandsOf, keysText, tipText} from './own/commands.js';
import type {Asked} from './question.js';
import {recall} from './recall.js';
import {reachOf} from './reach.js';
import {Speaker} from './speaker.js';
import {modeText} from './own/vim-mode.js';
import {watchConversation} from './watch-conversation.js';
import type {CommandRunner} from './command-runner.js';
import {openCommands} from './open-commands.js';
import {pasteImage} from './paste-image.js';
import {openKeyboard} from './open-keyboard.js';
import {Shells} from './shells.js';
import {Interrupts} from './interrupts.js';
import {Outputs} from './outputs.js';
import {Viewing} from './views/viewing.js';
import {WaitingView} from './waiting-view.js';
import {typedOf, Work} from './work.js';

/** One person and one agent at a terminal, until the person leaves. */
export class Conversation {
  readonly #terminal: Keyboard;
  readonly #input: LineInput;
  readonly #asker: Asker;
  readonly #bottom: Bottom;
  readonly speaker: Speaker;
  readonly #completing: Completing;
  readonly #editor: OutsideEditor;
  readonly #work: Work;
  readonly #mode: ModeLine;
  readonly #job: Job;
  readonly #outputs: Outputs;
  readonly #viewing: Viewing;
  readonly #commands: CommandRunner;
  readonly #interrupts: Interrupts;
  readonly #shells: Shells;
  readonly #acts: Readonly<Record<Act, () => void>> = {
    submit: () => this.#send(),
    interrupt: () => this.#interrupts.press(),
    escape: () => this.#work.isTurn && void this.#stop(),
    end: () => !this.#work.isTurn && this.#work.end(),
    keys: () => this.speaker.print(keysText(this.parts.keys, this.parts.look.paint)),
    mode: () => void this.#mode.next(),
    clear: () => this.parts.screen.clear(),
    suspend: () => this.#job.suspend(),
    unfold: () => this.speaker.print(this.#outputs.take() ?? 'No other output was shortened.\n'),
    editor: () => !this.#work.isBusy && void this.#editor.edit(this.#input),
    queue: () =>
      void this.#viewing.showList(new WaitingView({work: this.#work, insert: (text) => this.#offer([text])})),
    outputs: () => void this.#viewing.showList(this.#outputs),
    paste: () => void pasteImage({...this.parts, input: this.#input, speaker: this.speaker}),
    complete: () => !this.#work.isBusy && void this.#completing.complete(),
  };
  #leave: (error?: Error) => void = () => undefined;
  readonly #left = new AbortController();
  #lastKey = -Infinity;

  constructor(private readonly parts: ConversationParts) {
    const {seat, screen, graphemes, history} = parts;
    const onChange = (): void => this.#bottom.draw();
    const commands = commandsOf(seat);
    this.#input = new LineInput(graphemes, {...parts, history: history.entries});
    this.speaker = new Speaker({screen, look: parts.look, onPrinted: onChange});
    this.#mode = new ModeLine({seat, screen, speaker: this.speaker, onChange});
    const {speaker} = this;
    this.#completing = parts.drawers.completing({input: this.#input, commands, speaker, onChange});
    this.#terminal = openKeyboard(parts, {
      guard: (act) => this.#guard(act),
      press: (key) =>
        void ((!this.#viewing.isOpen && !this.#asker.pages(key) && screen.press?.(key)) || this.#press(key)),
      resize: () => (this.#viewing.isOpen ? this.#viewing.redraw() : screen.refresh()),
      continue: () => this.#job.continue(),
      ...{leave: () => this.#leave(), end: () => this.#work.end()},
    });
    this.#shells = new Shells({...parts, speaker, terminal: this.#terminal, onChange});
    this.#editor = new OutsideEditor({...parts, terminal: this.#terminal, speaker});
    this.#outputs = new Outputs(parts);
    this.#viewing = new Viewing({...parts, speaker, onChange, onSuspend: () => this.#job.suspend()});
    this.#commands = openCommands(parts, {
      ...{speaker, commands, input: this.#input, viewing: this.#viewing, outputs: this.#outputs},
      ...{terminal: this.#terminal, editor: this.#editor, leave: () => this.#leave()},
      fill: (form) => this.fill(form, this.#left.signal),
    });
    this.#work = new Work({
      ...{...parts, speaker, outputs: this.#outputs, onChange, newId: () => parts.environment.newId()},
      command: (words) => this.#commands.run(words),
      onLeave: (error) => this.#leave(error),
    });
    const isLent = (): boolean => this.#commands.isLent;
    this.#asker = new Asker({
      ...{...parts, viewing: this.#viewing, isLent, reach: reachOf(this.#editor, this.#viewing, parts.ruleKeeper)},
      onChange: () => this.#shells.giveWay(this.#asker.isAsking),
      lastKey: () => this.#lastKey,
    });
    this.#job = new Job({...parts, terminal: this.#terminal, speaker, isLent, viewing: this.#viewing});
    this.#interrupts = new Interrupts({
      ...{work: this.#work, asker: this.#asker, input: this.#input, speaker, now: parts.now},
      stop: () => void this.#stop(),
      leave: () => this.#leave(),
    });
    this.#bottom = parts.drawers.bottom({
      ...{input: this.#input, asker: this.#asker, work: this.#work},
      ...{completing: this.#completing, shells: this.#shells},
      mode: () => modeText(this.#input, this.#mode),
    });
  }

  /** Runs the conversation. Rejects with the reason of the seat's signal, or with an internal error. */
  async run(): Promise<void> {
    const {seat, look, screen, notices, showsTips} = this.parts;
    const left = new Promise<void>((resolve, reject) => {
      this.#leave = (error) => (error ? reject(error) : resolve());
    });
    left.catch(() => undefined);
    const onAbort = (): void => this.#leave(seat.signal.reason as Error);
    try {
      seat.signal.throwIfAborted();
      seat.signal.addEventListener('abort', onAbort, {once: true});
      this.#terminal.open();
      screen.acquire();
      for (const notice of notices) this.speaker.say('warn', notice);
      if (showsTips) screen.print(tipText(look));
      const mode = await watchConversation(seat, {
        signal: this.#left.signal,
        onEvent: (event) => this.#guard(() => this.#show(event)),
        onLeave: (error) => this.#leave(error),
      });
      this.#mode.set(mode);
      void this.#recall();
      await this.#shells.offer();
      if (seat.prompt !== undefined) this.#work.send(typedOf(seat.prompt));
      this.#bottom.draw();
      await left;
    } finally {
      seat.signal.removeEventListener('abort', onAbort);
      this.#close();
      await this.parts.history.settled();
    }
  }

  /** Asks about a call. Without a person to ask, the answer is no. */
  async confirm(asked: Asked, signal: AbortSignal): Promise<Confirmation> {
    if (!this.parts.isRaw) return {decision: 'no', reason: `${asked.reason} There is no terminal to ask at.`};
    return this.#asker.ask(asked, signal);
  }

  /** Shows a form; undefined without a person to ask. */
  async fill(form: SentForm, signal: AbortSignal): Promise<FormReply | undefined> {
    return this.parts.isRaw ? this.#asker.fill(form, signal) : undefined;
  }

  #close(): void {
    const {screen} = this.parts;
    this.#left.abort();
    this.#viewing.end();
    this.#work.close();
    this.#completing.cancel();
    this.#bottom.close();
    this.#leave = () => undefined;
    screen.endLine();
    screen.release();
    this.#terminal.close();
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#leave(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #show(event: ConversationEvent): void {
    if (event.kind === 'mode') return this.#mode.show(event.mode);
    if (event.kind === 'rewound') return this.#offer([event.text]);
    this.#shells.show(event);
    if (event.kind !== 'session') return this.#work.show(event);
    this.#mode.set(event.mode);
    void this.#shells.offer();
    if (event.why === 'resumed') return void this.#recall(true);
    this.parts.screen.clear();
    this.speaker.print(`${this.parts.look.paint('dim', 'This is a new conversation.')}\n`);
  }

  #recall(isAsked = false): Promise<void> {
    return recall({...this.parts, speaker: this.speaker, isWanted: () => isAsked || !this.#work.isBusy});
  }

  #press(key: Key): void {
    const isInterrupt = key.kind === 'key' && key.name === 'ctrl+c';
    if (this.#viewing.isOpen) return this.#viewing.press(key);
    if (this.#asker.isAsking && key.kind === 'text' && key.text.length > 1)
      return this.parts.graphemes.split(key.text).forEach((text) => this.#press({kind: 'text', text}));
    if (!isInterrupt && this.#asker.press(key)) return;
    this.#lastKey = this.parts.now();
    this.#mode.settle();
    if (isInterrupt || !this.#completing.press(key)) this.#edit(key, isInterrupt);
    this.#bottom.draw();
  }

  #edit(key: Key, isInterrupt: boolean): void {
    this.#completing.cancel();
    const isUp = key.kind === 'key' && this.parts.keys.actOf('prompt', key.name) === 'up';
    if (isUp && this.#input.isEmpty && this.#work.waiting > 0) return void this.#takeBack();
    if (this.#work.hasCall && !this.#asker.isAsking && this.#shells.press(key)) return;
    const act = isInterrupt && this.#asker.isAsking ? 'interrupt' : this.#input.press(key);
    if (act) this.#acts[act]();
    else this.#completing.changed();
  }

  #send(): void {
    const {screen, history} = this.parts;
    const {text, view} = this.#input;
    if (text.trim() === '') return;
    history.add(text).catch((error: unknown) => {
      this.speaker.say('warn', `Cannot save the prompt in the history: ${messageOf(error)}`);
    });
    this.#input.clear();
    if (!this.#work.isBusy) return this.#work.send({text, view});
    if (/^\s*\/(?:quit|exit)\s*$/.test(text)) return this.#leave();
    this.#work.send({text, view});
    if (screen.isLive) return this.#bottom.draw();
    screen.endLine();
    screen.print(`${this.parts.look.paint('dim', `Queued: ${safeLine(view.cells.join(''))}`)}\n`);
  }

  /** Stops the agent; queued lines go back into the prompt. */
  async #stop(): Promise<void> {
    await Promise.all([this.#takeBack(), this.#work.stop()]);
  }

  async #takeBack(): Promise<void> {
    this.#offer(await this.#work.takeBack());
  }

  /** Inserts texts before the current prompt. */
  #offer(texts: readonly string[]): void {
    if (texts.length === 0) return;
    this.#input.set([...texts, ...(this.#input.isEmpty ? [] : [this.#input.text])].join('\n'));
    this.#bottom.draw();
  }
}
