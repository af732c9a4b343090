import type {ApprovalChoice, Confirmation, FormReply, SentForm, ToolCall} from '@gemini-kernel/kernel';
import type {Key, LineInput} from '@gemini-kernel/terminal';
import type {Asker} from './asker.js';
import type {ViewText} from '../contract.js';
import type {Asking} from './asking.js';
import type {CommandPlaces} from './complete.js';
import type {EditedText} from './external-editor.js';
import type {Asked} from './question.js';
import type {Shells} from './shells.js';
import type {Speaker} from './speaker.js';
import type {OpenView, Viewable, ViewEnds} from './views/open-view.js';
import type {Work} from './work.js';

/** What the rows below the history show. */
export interface BottomState {
  readonly input: LineInput;
  readonly asker: Asker;
  readonly work: Work;
  readonly completing: Completing;
  /** The running commands, one of which may get the keys. */
  readonly shells: Pick<Shells, 'focused' | 'hint'>;
  /** The mode of the conversation: nothing for the default one, unless it was just set. */
  mode(): string | undefined;
}

/** The rows below the history. */
export interface Bottom {
  /** Draws them, after anything in them may have changed. */
  draw(): void;
  /** Draws nothing from now on. */
  close(): void;
}

/** What completion works with. */
export interface CompletingParts {
  readonly input: LineInput;
  readonly commands: CommandPlaces;
  readonly speaker: Speaker;
  onChange(): void;
}

/** Completion of the text before the cursor. */
export interface Completing {
  /** Uses a key before the prompt does; returns whether it did. */
  press(key: Key): boolean;
  /** The prompt has changed. */
  changed(): void;
  /** The person asked for it. */
  complete(): Promise<void>;
  /** Ends a search: its result is no longer wanted. */
  cancel(): void;
}

/** What a question about a call can reach beside its own rows. */
export interface Reach {
  /** The text as the person's editor left it; undefined after an error, which is printed. */
  edit(given: EditedText): Promise<string | undefined>;
  /** Shows a text in a view until it is closed. */
  read(title: string, texts: readonly ViewText[]): Promise<void>;
  /** The answers with rules that allow less; absent where nothing narrows them. Rejects with why it cannot be. */
  readonly narrow?: ((call: ToolCall, prefixes: readonly string[]) => Promise<readonly ApprovalChoice[]>) | undefined;
  /** The calls that wait to be asked about after this one. */
  waiting(): readonly Asked[];
  /** Answers yes to calls that wait, without asking about them. */
  allow(calls: readonly Asked[]): void;
}

/** How one interface shows what changes in a conversation, and what it asks. */
export interface Drawers {
  bottom(state: BottomState): Bottom;
  completing(parts: CompletingParts): Completing;
  call(asked: Asked, reach: Reach): Asking<Confirmation>;
  form(form: SentForm): Asking<FormReply>;
  /** Shows a view; it is loaded when the first one is opened. */
  view(what: Viewable, ends: ViewEnds): Promise<OpenView>;
}
