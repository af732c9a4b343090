import type {Environment} from '@gemini-kernel/kernel';
import type {Seat} from '../contract.js';
import type {Drawers} from './drawers.js';
import type {
  Graphemes,
  KeyBindings,
  Look,
  Painter,
  PromptHistory,
  TerminalModes,
  TerminalState,
} from '@gemini-kernel/terminal';
import type {ChoosableTheme} from './own/sourced-themes.js';
import type {RuleKeeper} from './limit-rules.js';
import type {Screen} from './screen.js';
import type {CommandKeeper} from './shells.js';

/** The parts of a conversation: the person's seat, the services, and the style. */
export interface ConversationParts {
  readonly seat: Seat;
  readonly environment: Environment;
  /** What is to be said at the start. */
  readonly notices: readonly string[];
  readonly screen: Screen;
  readonly graphemes: Graphemes;
  readonly history: PromptHistory;
  readonly keys: KeyBindings;
  readonly look: Look;
  readonly painter: Painter;
  readonly drawers: Drawers;
  /** Whether keys arrive one by one, and not in lines. */
  readonly isRaw: boolean;
  readonly showsThoughts: boolean;
  readonly showsTips: boolean;
  readonly isVim: boolean;
  /** Whether the prompt offers how an earlier one continues. */
  readonly offersEarlier?: boolean;
  /** What runs commands in the current session, where a plugin does. */
  readonly commandKeeper?: (() => Promise<CommandKeeper>) | undefined;
  /** What narrows the rules of answers in the current session, where a plugin does. */
  readonly ruleKeeper?: (() => Promise<RuleKeeper>) | undefined;
  /** The services of views that there are. */
  readonly views: readonly string[];
  /** Themes of extensions and plugins. */
  sourcedThemes(): Promise<readonly ChoosableTheme[]>;
  /** What the keyboard switches on in the terminal, and off again. */
  readonly modes?: TerminalModes;
  /** The terminal says something about itself. */
  readonly onState?: (state: TerminalState) => void;
  now(): number;
}
