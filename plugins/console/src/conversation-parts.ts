import type {Environment, Tell} from '@gemini-kernel/kernel';
import type {Seat} from '@gemini-kernel/plugin-agent/contract';
import type {FilePlaces} from './find-files.js';
import type {Graphemes, Look, PromptHistory} from '@gemini-kernel/terminal';
import type {Screen} from './screen.js';

/** The parts of a conversation: the person's seat, the services, and the style. */
export interface ConversationParts {
  readonly seat: Seat;
  readonly environment: Environment;
  readonly tell: Tell;
  readonly screen: Screen;
  readonly graphemes: Graphemes;
  readonly history: PromptHistory;
  readonly look: Look;
  readonly places: FilePlaces;
  /** Whether keys arrive one by one, and not in lines. */
  readonly isRaw: boolean;
  readonly showsThoughts: boolean;
  readonly showsSpinner: boolean;
  readonly showsTips: boolean;
  now(): number;
}
