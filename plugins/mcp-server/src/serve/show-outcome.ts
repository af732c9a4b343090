import type {Part} from '@gemini-kernel/kernel';
import type {ToolOutcome} from '@gemini-kernel/kernel/host';
import type {CallToolResult, ContentBlock} from '#sdk';

/** How a call ended, for a client. A model reads failures and refusals, so they are results with a sentence. */
export function showOutcome(outcome: ToolOutcome): CallToolResult {
  if (outcome.status === 'done') {
    const {model, data} = outcome.result;
    const content = typeof model === 'string' ? [{type: 'text' as const, text: model}] : model.map(toBlock);
    return {content, ...(isTable(data) ? {structuredContent: {...data}} : {})};
  }
  if (outcome.status === 'refused') return failWith(`The call was refused: ${outcome.reason}`);
  const {code, message, hint} = outcome.error;
  return failWith([`${code}: ${message}`, ...(hint === undefined ? [] : [hint])].join(' '));
}

/** A result that reports an error. */
export function failWith(text: string): CallToolResult {
  return {content: [{type: 'text', text}], isError: true};
}

function toBlock(part: Part): ContentBlock {
  if ('text' in part) return {type: 'text', text: part.text};
  const {mimeType, data} = part.inlineData;
  if (mimeType.startsWith('image/')) return {type: 'image', mimeType, data};
  if (mimeType.startsWith('audio/')) return {type: 'audio', mimeType, data};
  return {type: 'resource', resource: {uri: 'gemini:result', mimeType, blob: data}};
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
