import type {Confirmation, FormValues, SentForm, SentNotice} from '@gemini-kernel/kernel';
import type {Question, Span} from '@gemini-kernel/kernel/host';
import type {Model} from '@gemini-kernel/plugin-agent/contract';
import type {OwnTool} from './define-tool.js';

/** What an agent knows of the machine it runs on. Nothing else is read of the process. */
export interface Surroundings {
  /** Variables of the agent and of the commands it runs: a key, PATH. None unless given. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /**
   * Holds `.gemini`: settings, policies, recorded sessions. Unless given, a folder of its own that is removed when the
   * agent is disposed.
   */
  readonly home?: string;
  /** For data that can be deleted; below `home` unless given. */
  readonly cache?: string;
  /** For short-lived files; that of the system unless given. */
  readonly temporary?: string;
}

/** A question to the person for whom a program runs an agent. */
export type AgentQuestion =
  /** Whether a call may run, with what it would do and every answer. */
  | ({readonly kind: 'call'; readonly session: string} & Question)
  /** A form of a tool or a plugin. */
  | {readonly kind: 'form'; readonly session: string; readonly form: SentForm};

/**
 * An answer: yes or no to a call, or a whole confirmation; the values of a form. Undefined is no to a call, and closes
 * a form.
 */
export type AgentAnswer = boolean | Confirmation | {readonly values: FormValues} | undefined;

/** Answers questions. Without it there is no person, and what a rule asks about is refused. */
export type Answer = (question: AgentQuestion, signal: AbortSignal) => AgentAnswer | Promise<AgentAnswer>;

export interface AgentOptions {
  /** The folder to work in. Must be absolute; may be left out only with `environment: 'process'`. */
  readonly cwd?: string;
  /** Instructions above each conversation, beside the instructions of gemini. */
  readonly instructions?: string | (() => string | Promise<string>);
  readonly tools?: readonly OwnTool[];
  /** A name, `provider:name`, or a model of your own. As the settings say unless given. */
  readonly model?: string | Model;
  /** What runs without a question; `default` (reading) unless given. */
  readonly mode?: 'default' | 'auto_edit' | 'plan' | 'yolo';
  /** Files or folders of rules, beside those of the home folder. */
  readonly policies?: readonly string[];
  /** Folders of built plugins, or names of packages that the program has installed. */
  readonly plugins?: readonly string[];
  /** Folders of skills: a folder with a SKILL.md, or with such folders. */
  readonly skills?: readonly string[];
  /** Settings by key, such as `model.maxSessionTurns`. They stand where flags of the command line stand. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether what the folder itself brings counts: its settings, context files, hooks. No unless given. */
  readonly trusted?: boolean;
  readonly answer?: Answer;
  /** `process`: variables, home and current folder of this process, as the program `gemini` has them. */
  readonly environment?: 'process' | Surroundings;
  /** Called for each step of each call: which plugin was asked, what it answered, how long it took. */
  readonly onSpan?: (span: Span) => void;
  /** Called for notices outside of a run; those within are events of the run. */
  readonly onNotice?: (notice: SentNotice) => void;
}
