import type { Compression, InstructionSection } from './components.js';
import type { Agent, ContextSection, Entry, FinishedTurn, HistoryChange, LoadedHistory } from './conversation.js';
import type { CallTimes } from './call-times.js';
import type { EndedPrompt, EndedRequest } from './ended.js';
import type { HistoryFit, HistoryToFit } from './fitting.js';
import type { Message, Model, ModelEvent, OutgoingRequest } from './model.js';
import type { RunNotices, UpdateNotice } from './notices.js';
import type { CommandSource, ContextSource, MentionSource, SlashCommands } from './sourced.js';
import type { Conversations } from './steering.js';
import type { ThemeSource } from './themes.js';
import type { Ui } from './ui.js';
import type { View } from './views.js';
export type * from './call-times.js';
export type * from './components.js';
export type * from './conversation.js';
export type { CurrentModel } from './current-model.js';
export type * from './ended.js';
export type * from './model.js';
export type * from './fitting.js';
export type * from './headless/stream-event.js';
export type * from './notices.js';
export type * from './role.js';
export type * from './sourced.js';
export type * from './stats.js';
export type * from './steering.js';
export type * from './themes.js';
export type * from './ui.js';
export type * from './views.js';
declare module '@gemini-kernel/kernel' {
  interface Services {
    agent: Agent;
    'call-times': CallTimes;
    'run-notices': RunNotices;
    'update-notice': UpdateNotice;
    conversations: Conversations;
    'slash-commands': SlashCommands;
    [commands: `commands:${string}`]: CommandSource;
    [context: `context:${string}`]: ContextSource;
    [mentions: `mentions:${string}`]: MentionSource;
    [model: `model:${string}`]: Model;
    [themes: `themes:${string}`]: ThemeSource;
    [ui: `ui:${string}`]: Ui;
    [view: `view:${string}`]: View;
  }
  interface Moments {
    'prompt:submit': {
      kind: 'gate';
      payload: {
        readonly prompt: string;
      };
    };
    'context:collect': {
      kind: 'collect';
      payload: {
        readonly isFirst: boolean;
        readonly prompt: string;
      };
      answer: ContextSection;
    };
    'instruction:compose': {
      kind: 'transform';
      payload: {
        readonly value: readonly InstructionSection[];
      };
    };
    'compression:prepare': {
      kind: 'transform';
      payload: {
        readonly value: Compression;
      };
    };
    'model:request': {
      kind: 'transform';
      payload: {
        readonly value: OutgoingRequest;
      };
    };
    'model:response': {
      kind: 'transform';
      payload: {
        readonly model: string;
        readonly value: ModelEvent;
      };
    };
    'model:end': {
      kind: 'notify';
      payload: EndedRequest;
    };
    'turn:end': {
      kind: 'gate';
      payload: FinishedTurn;
    };
    'prompt:end': {
      kind: 'notify';
      payload: EndedPrompt;
    };
    'history:fit': {
      kind: 'first';
      payload: HistoryToFit;
      answer: HistoryFit;
    };
    'history:compress': {
      kind: 'first';
      payload: {
        readonly entries: readonly Entry[];
        readonly messages: readonly Message[];
        readonly isAsked: boolean;
      };
      answer: {
        readonly summary?: string;
        readonly addition?: string;
      };
    };
    'history:load': {
      kind: 'first';
      payload: Record<string, never>;
      answer: LoadedHistory;
    };
    'changes:collect': {
      kind: 'collect';
      payload: {
        readonly calls: readonly string[];
      };
      answer: string;
    };
    'history:change': {
      kind: 'notify';
      payload: {
        readonly change: HistoryChange;
      };
    };
  }
}
