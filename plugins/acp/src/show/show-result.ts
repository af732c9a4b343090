import type {Part} from '@gemini-kernel/kernel';
import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';
import type {ToolCallContent} from '#sdk';

/** The most characters of one result that an editor is sent. */
const MOST_TEXT = 32_000;

/** What a person sees of a call that has ended: what it said, or why it did not run. */
export function contentOf({output, error, status}: CallRecord): ToolCallContent[] {
  if (status !== 'done' && error) return [textContent(error.message)];
  return output.flatMap((part) => contentOfPart(part));
}

/** The same as one text. */
export function sayingOf({output, display, error, status}: CallRecord): string {
  if (status !== 'done' && error) return shorten(error.message);
  return shorten(display ?? textOf(output));
}

/** A result for programs, without the bytes of media. */
export function rawOutputOf({status, display, error, output, changed, ms}: CallRecord): Record<string, unknown> {
  return {
    status,
    output: shorten(textOf(output)),
    ...(display === undefined ? {} : {display: shorten(display)}),
    ...(error ? {error} : {}),
    ...(changed ? {changed} : {}),
    ms: Math.round(ms),
  };
}

export function textContent(text: string): ToolCallContent {
  return {type: 'content', content: {type: 'text', text: shorten(text)}};
}

function textOf(output: readonly Part[]): string {
  return output.map((part) => ('text' in part ? part.text : `[${part.inlineData.mimeType}]`)).join('\n');
}

function contentOfPart(part: Part): ToolCallContent[] {
  if ('text' in part) return part.text === '' ? [] : [textContent(part.text)];
  const {mimeType, data} = part.inlineData;
  if (mimeType.startsWith('image/')) return [{type: 'content', content: {type: 'image', mimeType, data}}];
  if (mimeType.startsWith('audio/')) return [{type: 'content', content: {type: 'audio', mimeType, data}}];
  return [textContent(`[${mimeType}]`)];
}

/** The beginning and the end of a text that is too long. */
export function shorten(text: string): string {
  if (text.length <= MOST_TEXT) return text;
  const half = MOST_TEXT / 2;
  return `${text.slice(0, half)}\n[${text.length - MOST_TEXT} characters are not shown]\n${text.slice(-half)}`;
}
