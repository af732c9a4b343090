import {randomUUID} from 'node:crypto';
import type {ExecutionEventBus, Message, Part, RequestContext, TaskState} from '#sdk';
import type {Setup} from './setup.js';

/** What a state says beside itself. */
export interface Said {
  readonly text?: string;
  readonly data?: object;
  /** Of an extension, by its address. */
  readonly metadata?: Readonly<Record<string, object>>;
}

export type Tell = (bus: ExecutionEventBus, state: TaskState, said?: Said) => void;

/** Publishes states of one task, each with a message where there is something to say. */
export function teller({taskId, contextId}: RequestContext, {sdk}: Setup): Tell {
  return (bus, state, {text, data, metadata} = {}) => {
    const parts = [...(text === undefined ? [] : [textPart(text)]), ...(data ? [dataPart(data)] : [])];
    const message: Message = {
      ...{messageId: randomUUID(), contextId, taskId, role: sdk.Role.ROLE_AGENT, parts},
      ...{metadata, extensions: Object.keys(metadata ?? {}), referenceTaskIds: []},
    };
    const status = {state, message: parts.length > 0 ? message : undefined, timestamp: new Date().toISOString()};
    bus.publish(sdk.AgentEvent.statusUpdate({taskId, contextId, status, metadata}));
  };
}

export function textPart(value: string): Part {
  return {content: {$case: 'text', value}, metadata: undefined, filename: '', mediaType: 'text/plain'};
}

export function dataPart(value: object): Part {
  return {content: {$case: 'data', value}, metadata: undefined, filename: '', mediaType: 'application/json'};
}

/** The text of a message; undefined where it has a part that is neither text nor data, or nothing. */
export function readText({parts}: Message): string | undefined {
  const texts = parts.map(({content}) => {
    if (content?.$case === 'text') return content.value;
    return content?.$case === 'data' ? JSON.stringify(content.value) : undefined;
  });
  const text = texts.join('\n').trim();
  return texts.includes(undefined) || text === '' ? undefined : text;
}
