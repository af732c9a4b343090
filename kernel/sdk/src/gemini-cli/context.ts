import type {SessionTools, ToolOutcome} from './tool-calls.js';
import type {GeminiCliAgent} from './agent.js';
import type {GeminiCliSession} from './session.js';

export interface AgentFilesystem {
  /** The text of a file; null when it is not there or may not be read. */
  readFile(path: string): Promise<string | null>;
  /** Throws when a rule refuses it. */
  writeFile(path: string, content: string): Promise<void>;
}

export interface AgentShellOptions {
  readonly timeoutSeconds?: number;
  readonly cwd?: string;
}

export interface AgentShellResult {
  /** Null when it did not end on its own. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not run. */
  readonly error?: Error;
}

export interface AgentShell {
  exec(command: string, options?: AgentShellOptions): Promise<AgentShellResult>;
}

/** What actions of tools and functions for instructions get. */
export interface SessionContext {
  readonly sessionId: string;
  readonly transcript: readonly {readonly role: 'user' | 'model'; readonly parts: readonly unknown[]}[];
  readonly cwd: string;
  /** ISO. */
  readonly timestamp: string;
  /** By the one path of every call: rules decide. */
  readonly fs: AgentFilesystem;
  readonly shell: AgentShell;
  readonly agent: GeminiCliAgent;
  readonly session: GeminiCliSession;
}

/** Files by calls of tools. */
export function filesBy(tools: SessionTools): AgentFilesystem {
  return {
    async readFile(path) {
      const outcome = await tools.call('read_file', {file_path: path});
      return outcome.status === 'done' ? (outcome.result.plain ?? textOf(outcome)) : null;
    },
    async writeFile(path, content) {
      const outcome = await tools.call('write_file', {file_path: path, content});
      if (outcome.status !== 'done') throw new Error(reasonOf(outcome));
    },
  };
}

/** Commands by calls of tools. */
export function shellBy(tools: SessionTools): AgentShell {
  return {
    async exec(command, {cwd, timeoutSeconds} = {}) {
      const outcome = await tools.call('run_shell_command', {
        command,
        ...(cwd === undefined ? {} : {dir_path: cwd}),
        ...(timeoutSeconds === undefined ? {} : {timeout_ms: timeoutSeconds * 1000}),
      });
      if (outcome.status !== 'done')
        return {exitCode: null, output: '', stdout: '', stderr: '', error: new Error(reasonOf(outcome))};
      const {exitCode = null} = (outcome.result.data ?? {}) as {readonly exitCode?: number | null};
      const output = outcome.result.plain ?? textOf(outcome);
      return {exitCode, output, stdout: output, stderr: ''};
    },
  };
}

function textOf({result: {model}}: Extract<ToolOutcome, {status: 'done'}>): string {
  return typeof model === 'string' ? model : model.map((part) => ('text' in part ? part.text : '')).join('');
}

function reasonOf(outcome: Exclude<ToolOutcome, {status: 'done'}>): string {
  return outcome.status === 'refused' ? outcome.reason : outcome.error.message;
}
