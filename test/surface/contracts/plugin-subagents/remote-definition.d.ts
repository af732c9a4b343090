import type { Form, FormAnswer } from '@gemini-kernel/kernel';
export interface RemoteDefinition {
  readonly url?: string;
  readonly json?: string;
  readonly auth?: {
    readonly header: string;
    readonly scheme?: string;
    readonly value?: string;
    readonly basic?: readonly string[];
  };
  readonly login?: AgentLogin;
}
export type AgentLogin =
  | {
      readonly kind: 'oauth';
      readonly clientId?: string;
      readonly clientSecret?: string;
      readonly authorizationUrl?: string;
      readonly tokenUrl?: string;
      readonly scopes?: readonly string[];
    }
  | {
      readonly kind: 'google';
      readonly scopes?: readonly string[];
    };
export interface AgentLoginDesk {
  readonly signal: AbortSignal;
  ask(form: Form, signal: AbortSignal): Promise<FormAnswer>;
}
export interface AgentLoginState {
  readonly name: string;
  readonly address: string;
  readonly scope?: string;
  readonly expiresAt?: string;
}
