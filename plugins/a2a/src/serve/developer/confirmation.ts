import type {Message} from '#sdk';
import {YES} from './tool-events.js';

/** The answer to a question about a call, as the extension has it. */
export interface ToolConfirmation {
  readonly call: string;
  readonly isYes: boolean;
}

/** The typed answer in a message; undefined for other messages. An answer that changes the call is a no. */
export function confirmationIn({parts}: Message): ToolConfirmation | undefined {
  for (const {content} of parts) {
    if (content?.$case !== 'data' || typeof content.value !== 'object' || content.value === null) continue;
    const {
      tool_call_id: call,
      selected_option_id: option,
      ...more
    } = content.value as Readonly<Record<string, unknown>>;
    if (typeof call !== 'string' || typeof option !== 'string') continue;
    return {call, isYes: option === YES && Object.keys(more).length === 0};
  }
  return undefined;
}
