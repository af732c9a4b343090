import type {HookEvent} from './contract.js';

/** What an event lets its hooks do. */
export interface EventSpec {
  /** What `matcher` is held against: a regular expression for tools, the exact text for the others. */
  readonly matches?: 'tool' | 'exact';
  /** The field of the input that the matcher is for. */
  readonly subject?: string;
  /** What a failure means unless the hook says; `never`: nothing can be stopped there. */
  readonly failure: 'closed' | 'open' | 'never';
  /** Claude Code's name of the event. */
  readonly claude?: string;
  readonly when: string;
}

/** Every event. The whole meaning of an event that is the same for all hooks is here. */
export const events: Readonly<Record<HookEvent, EventSpec>> = {
  BeforeTool: {
    matches: 'tool',
    subject: 'tool_name',
    failure: 'closed',
    claude: 'PreToolUse',
    when: 'before a call is judged',
  },
  AfterTool: {
    matches: 'tool',
    subject: 'tool_name',
    failure: 'open',
    claude: 'PostToolUse',
    when: 'when a call has ended',
  },
  BeforeAgent: {failure: 'open', claude: 'UserPromptSubmit', when: 'before a prompt runs'},
  AfterAgent: {failure: 'open', claude: 'Stop', when: 'when the model has stopped'},
  BeforeModel: {failure: 'open', when: 'before a request to the model'},
  AfterModel: {failure: 'open', when: 'for each part of an answer'},
  BeforeToolSelection: {failure: 'open', when: 'before tools are offered to the model'},
  SessionStart: {
    matches: 'exact',
    subject: 'source',
    failure: 'never',
    claude: 'SessionStart',
    when: 'when a conversation begins',
  },
  SessionEnd: {
    matches: 'exact',
    subject: 'reason',
    failure: 'never',
    claude: 'SessionEnd',
    when: 'when a conversation ends',
  },
  Notification: {
    matches: 'exact',
    subject: 'notification_type',
    failure: 'never',
    claude: 'Notification',
    when: 'when you are asked about a call',
  },
  PreCompress: {
    matches: 'exact',
    subject: 'trigger',
    failure: 'never',
    claude: 'PreCompact',
    when: 'before the history is summarised',
  },
};

export function isEvent(name: string): name is HookEvent {
  return Object.hasOwn(events, name);
}
