import type {} from '@gemini-kernel/kernel';
import type {Compression, InstructionSection} from './components.js';
import type {Agent, ContextSection, Entry, FinishedTurn, HistoryChange, LoadedHistory} from './conversation.js';
import type {CallTimes} from './call-times.js';
import type {EndedPrompt, EndedRequest} from './ended.js';
import type {HistoryFit, HistoryToFit} from './fitting.js';
import type {Message, Model, ModelEvent, OutgoingRequest} from './model.js';
import type {RunNotices, UpdateNotice} from './notices.js';
import type {CommandSource, ContextSource, MentionSource, SlashCommands} from './sourced.js';
import type {Conversations} from './steering.js';
import type {ThemeSource} from './themes.js';
import type {Ui} from './ui.js';
import type {View} from './views.js';

export type * from './call-times.js';
export type * from './components.js';
export type * from './conversation.js';
export type {CurrentModel} from './current-model.js';
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
    /** Before a prompt runs: deny refuses it; `context` is added to it. */
    'prompt:submit': {kind: 'gate'; payload: {readonly prompt: string}};
    /** What the model should know, asked before each prompt. Sections for `start` count before the first. */
    'context:collect': {
      kind: 'collect';
      payload: {readonly isFirst: boolean; readonly prompt: string};
      answer: ContextSection;
    };
    /** Before a request of the main agent: what its instruction consists of, besides sections that were collected. */
    'instruction:compose': {kind: 'transform'; payload: {readonly value: readonly InstructionSection[]}};
    /** Before a prompt runs, and before a summary is asked for: what is there may be changed. */
    'compression:prepare': {kind: 'transform'; payload: {readonly value: Compression}};
    /** Before a request to a model. */
    'model:request': {kind: 'transform'; payload: {readonly value: OutgoingRequest}};
    /** Each piece of an answer, as it arrives. */
    'model:response': {kind: 'transform'; payload: {readonly model: string; readonly value: ModelEvent}};
    /** A request to a model is over. */
    'model:end': {kind: 'notify'; payload: EndedRequest};
    /** The model has stopped: deny asks for another request, and its reason goes to the model. */
    'turn:end': {kind: 'gate'; payload: FinishedTurn};
    /** A prompt has ended, however it did; what it changed is recorded. */
    'prompt:end': {kind: 'notify'; payload: EndedPrompt};
    /** Before a request: a listener may shorten what calls and results have in it. Asked once for each history. */
    'history:fit': {kind: 'first'; payload: HistoryToFit; answer: HistoryFit};
    /**
     * Before the older part is summarised: a listener may provide its own summary, or an addition to the one that the
     * agent makes. `entries` are those that the summary replaces, `messages` the same as a model gets them.
     */
    'history:compress': {
      kind: 'first';
      payload: {readonly entries: readonly Entry[]; readonly messages: readonly Message[]; readonly isAsked: boolean};
      answer: {readonly summary?: string; readonly addition?: string};
    };
    /** Where a continued conversation gets its history; asked once, when it starts. */
    'history:load': {kind: 'first'; payload: Record<string, never>; answer: LoadedHistory};
    /** Real paths of files that calls changed, by the ids of the calls; asked when a prompt has ended. */
    'changes:collect': {kind: 'collect'; payload: {readonly calls: readonly string[]}; answer: string};
    /** The history has changed. The agent continues when every listener has answered. */
    'history:change': {kind: 'notify'; payload: {readonly change: HistoryChange}};
  }
}
