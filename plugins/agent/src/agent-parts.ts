import type {ServiceContext} from '@gemini-kernel/kernel';
import type {Files} from '@gemini-kernel/plugin-search/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {ContextSection, Entry} from './contract.js';
import type {History} from './history.js';
import type {ModelRoute} from './model-route.js';
import type {Statistics} from './statistics.js';

/** What one conversation is made of. */
export interface AgentParts {
  readonly context: Pick<ServiceContext, 'environment' | 'session' | 'tools' | 'dispatch' | 'sources'>;
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly history: History;
  readonly route: ModelRoute;
  readonly statistics: Statistics;
  /** Ids of calls that were made before. */
  readonly seenCalls: Set<string>;
  readonly state: ConversationState;
  /** A variable, and whether a project says so. */
  variable(name: string): Promise<{readonly value: string; readonly isProject?: boolean} | undefined>;
  /** Whether the folder's own files count. */
  isTrusted(): Promise<boolean>;
  /** Finds files by their name, if anything can. */
  files(): Promise<Files | undefined>;
  /** The project's temporary directory, if it has one. */
  temporary(): Promise<string | undefined>;
}

/** What changes as a conversation goes on, beside its history. */
export interface ConversationState {
  /** Requests so far. */
  turns: number;
  /** What goes into the system instruction, as it was before the newest prompt; undefined before the first. */
  systemSections: readonly ContextSection[] | undefined;
  /** What sources of context said for the start, by owner and title, as the model knows it. */
  readonly given: Map<string, string>;
  /** The directories of the workspace at the last prompt. */
  roots: string;
  /** Size of the history when a model last counted it, and how many entries it had then. */
  counted: {readonly tokens: number; readonly entries: number} | undefined;
  /** Compressing has made the history larger: it is not tried again unless asked for. */
  isIncompressible: boolean;
}

/** The id of the entry that sets the scene. */
export const CONTEXT_ID = 'context';

/** Whether an entry sets the scene; a conversation has one, at its start. */
export function isContext({id, origin, message}: Entry): boolean {
  const [first] = message.pieces;
  return (
    origin === 'agent' &&
    (id.startsWith(CONTEXT_ID) || (first?.kind === 'text' && first.text.startsWith('<session_context>')))
  );
}
