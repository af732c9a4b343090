import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Files} from '@gemini-kernel/plugin-search/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {CallTimes, ContextSection, Entry, Role} from './contract.js';
import type {HistoryFitting} from './fit-history.js';
import type {History} from './history.js';
import type {ModelRoute} from './model-route.js';
import type {Statistics} from './statistics.js';

/** The parts of one conversation. */
export interface AgentParts {
  readonly context: Pick<
    ServiceContext,
    'environment' | 'session' | 'tools' | 'dispatch' | 'sources' | 'names' | 'service'
  >;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly history: History;
  readonly fitting: HistoryFitting;
  readonly route: ModelRoute;
  readonly statistics: Statistics;
  /** Ids of earlier calls. */
  readonly seenCalls: Set<string>;
  readonly times: Pick<CallTimes, 'take'>;
  readonly state: ConversationState;
  /** Reads a variable, and whether the project sets it. */
  variable(name: string): Promise<{readonly value: string; readonly isProject?: boolean} | undefined>;
  /** Whether the folder's own files count. */
  isTrusted(): Promise<boolean>;
  /** Finds files by name, if a service can. */
  files(): Promise<Files | undefined>;
  /** The project's temporary directory, if it has one. */
  temporary(): Promise<string | undefined>;
}

/** What changes during a conversation, besides its history. */
export interface ConversationState {
  /** Requests so far. */
  turns: number;
  /** The system instruction before the newest prompt; undefined before the first. */
  systemSections: readonly ContextSection[] | undefined;
  /** What sources of context provided at the start, by owner and title, as the model saw it. */
  readonly given: Map<string, string>;
  /** The directories of the workspace at the last prompt. */
  roots: string;
  /** Size of the history at the model's last count, how many entries it had, and what they saved by being shortened. */
  counted: {readonly tokens: number; readonly entries: number; readonly saved: number} | undefined;
  /** When it is not the main conversation. */
  role: Role | undefined;
  /** Compressing made the history larger; do not try again unless asked. */
  isIncompressible: boolean;
}

/** The id of the entry that describes the session. */
export const CONTEXT_ID = 'context';

/** Whether an entry describes the session; a conversation has one, at its start. */
export function isContext({id, origin, message}: Entry): boolean {
  const [first] = message.pieces;
  return (
    origin === 'agent' &&
    (id.startsWith(CONTEXT_ID) || (first?.kind === 'text' && first.text.startsWith('<session_context>')))
  );
}
