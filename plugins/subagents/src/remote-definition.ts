import type {Form, FormAnswer} from '@gemini-kernel/kernel';

/** Where a remote agent is, and how it knows the person. */
export interface RemoteDefinition {
  /** The address of its card. */
  readonly url?: string;
  /** Its card. */
  readonly json?: string;
  /** A header. Its value may be `$NAME`, a variable, or `!command`, the output of a command. */
  readonly auth?: {
    readonly header: string;
    readonly scheme?: string;
    readonly value?: string;
    /** A name and a password. */
    readonly basic?: readonly string[];
  };
  /** Tokens, which are obtained and renewed. */
  readonly login?: AgentLogin;
}

export type AgentLogin =
  | {
      readonly kind: 'oauth';
      readonly clientId?: string;
      readonly clientSecret?: string;
      /** Where a person logs in and tokens come from; else the agent's server is asked. */
      readonly authorizationUrl?: string;
      readonly tokenUrl?: string;
      readonly scopes?: readonly string[];
    }
  /** The application default credentials of Google. */
  | {readonly kind: 'google'; readonly scopes?: readonly string[]};

/** How a login reaches the person. For use within this process. */
export interface AgentLoginDesk {
  readonly signal: AbortSignal;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
}

/** A login at a remote agent, without its tokens. */
export interface AgentLoginState {
  readonly name: string;
  readonly address: string;
  readonly scope?: string;
  /** ISO. */
  readonly expiresAt?: string;
}
