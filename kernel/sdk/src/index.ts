// What a program uses to run agents. README.md is its contract.
export {createAgent, type Agent, type SessionOptions} from './agent.js';
export {defineTool, type OwnTool, type OwnToolContext, type OwnToolSpec} from './define-tool.js';
export type {Run, RunEnd} from './events.js';
export type {AgentAnswer, AgentOptions, AgentQuestion, Answer, Surroundings} from './options.js';
export type {AgentSession, Prompt, SendOptions, Steering} from './session.js';
export {isKernelError, KernelError, ToolError} from '@gemini-kernel/kernel';
export type {Confirmation, FormField, FormValues, SentForm, SentNotice, ToolInfo} from '@gemini-kernel/kernel';
export type {Question, Span, ToolOutcome} from '@gemini-kernel/kernel/host';
export type {
  Entry,
  Model,
  ModelEvent,
  ModelRequest,
  StreamEvent,
  StreamEventBody,
} from '@gemini-kernel/plugin-agent/contract';
