import {basename} from 'node:path';
import type {Question} from '@gemini-kernel/kernel/host';
import type {StreamEvent} from '@gemini-kernel/plugin-agent/contract';
import type {Said} from '../task-messages.js';
import {DEVELOPMENT_TOOL} from './uri.js';

/** The choices that are offered: none that would keep a rule. */
export const YES = 'proceed_once';
const NO = 'cancel';

type Kind = 'TOOL_CALL_CONFIRMATION' | 'TOOL_CALL_UPDATE' | 'TEXT_CONTENT' | 'STATE_CHANGE';

/** One call, whole with each update. */
interface ToolCall {
  readonly tool_call_id: string;
  readonly status: 'PENDING' | 'EXECUTING' | 'SUCCEEDED' | 'FAILED';
  readonly tool_name: string;
  readonly input_parameters: unknown;
}

/** Events of a task as the development-tool extension has them. */
export class ToolEvents {
  readonly #calls = new Map<string, ToolCall>();
  #model = '';

  /** Undefined for what the extension has no form for. */
  see(event: StreamEvent): Said | undefined {
    switch (event.type) {
      case 'init':
        this.#model = event.model;
        return this.#said('STATE_CHANGE');
      case 'message':
        return event.role === 'assistant' ? this.#said('TEXT_CONTENT', {text: event.content}) : undefined;
      case 'tool_use': {
        const {tool_id: id, tool_name: name, parameters} = event;
        return this.#update({tool_call_id: id, status: 'EXECUTING', tool_name: name, input_parameters: parameters});
      }
      case 'tool_result': {
        const {tool_id: id, status, output, error} = event;
        const call = this.#calls.get(id) ?? {tool_call_id: id, tool_name: '', input_parameters: {}};
        this.#calls.delete(id);
        const result = error ? {error: {message: error.message, type: error.type}} : {output: {text: output}};
        const data = {...call, status: status === 'success' ? 'SUCCEEDED' : 'FAILED', ...result};
        return this.#said('TOOL_CALL_UPDATE', {data});
      }
      default:
        return undefined;
    }
  }

  /** A call that waits for an answer. */
  ask(question: Question): Said {
    const {call} = question;
    const waiting = {
      tool_call_id: call.id,
      status: 'PENDING',
      tool_name: call.tool,
      input_parameters: call.input,
    } as const;
    const {data, ...said} = this.#update(waiting);
    return {...said, data: {...data, confirmation_request: {options: OPTIONS, ...detailsOf(question)}}};
  }

  /** A call that waited runs. */
  start(id: string): Said | undefined {
    const call = this.#calls.get(id);
    return call && this.#update({...call, status: 'EXECUTING'});
  }

  /** For a change of the state alone. */
  change(): Said {
    return this.#said('STATE_CHANGE');
  }

  #update(call: ToolCall): Said {
    this.#calls.set(call.tool_call_id, call);
    return this.#said('TOOL_CALL_UPDATE', {data: call});
  }

  #said(kind: Kind, said: Said = {}): Said {
    return {...said, metadata: {[DEVELOPMENT_TOOL]: {kind, model: this.#model}}};
  }
}

const OPTIONS = [
  {id: YES, name: 'Allow once'},
  {id: NO, name: 'Reject'},
];

function detailsOf({call, preview, reason}: Question): object {
  if (preview?.kind === 'command')
    return {execute_details: {command: preview.command, working_directory: preview.directory}};
  if (preview?.kind === 'diff') {
    const {path, before, after, diff} = preview;
    const file = {file_name: basename(path), file_path: path, old_content: before, new_content: after};
    return {file_edit_details: {...file, formatted_diff: diff}};
  }
  if (call.server !== undefined) return {mcp_details: {server_name: call.server, tool_name: call.tool}};
  return {generic_details: {description: reason}};
}
