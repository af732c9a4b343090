import type {StreamEvent} from './read-conversation.js';

const MOST_LINES = 40;
const MOST_CHARACTERS = 4000;

/** The events of a conversation as lines for a person. */
export function conversationLines(events: readonly StreamEvent[]): readonly string[] {
  const lines: string[] = [];
  let said = '';
  const speak = (): void => {
    if (said.trim() !== '') lines.push('', ...indent(said.trim(), '  '));
    said = '';
  };
  for (const event of events) {
    if (event.type === 'message' && event.role === 'assistant') {
      said += event.content ?? '';
      continue;
    }
    speak();
    lines.push(...linesOf(event, ''));
  }
  speak();
  return lines;
}

function linesOf(event: StreamEvent, by: string): readonly string[] {
  if (event.type === 'agent_event' && event.event) return linesOf(event.event, `${event.agent ?? 'agent'}: `);
  if (event.type === 'message' && event.role === 'user') return ['', ...indent(event.content ?? '', '> ')];
  if (event.type === 'message') return indent(event.content ?? '', `  ${by}`);
  if (event.type === 'tool_use')
    return ['', `▸ ${by}${event.tool_name ?? ''} ${shorten(JSON.stringify(event.parameters ?? {}))}`];
  if (event.type === 'tool_result') {
    const mark = event.status === 'success' ? '✓' : '✗';
    return indent(event.output ?? '', `  ${mark} ${by}`);
  }
  if (event.type === 'error') return ['', `! ${by}${event.message ?? ''}`];
  if (event.type === 'result' && event.error) return ['', `! ${event.error.code ?? ''}: ${event.error.message ?? ''}`];
  return [];
}

/** The first line after `mark`, the others as far in. */
function indent(text: string, mark: string): readonly string[] {
  const lines = shorten(text).split('\n');
  const shown = lines.slice(0, MOST_LINES);
  const rest = lines.length - shown.length;
  const blank = ' '.repeat(mark.length);
  return [
    ...shown.map((line, index) => `${index === 0 || mark === '> ' ? mark : blank}${line}`.trimEnd()),
    ...(rest > 0 ? [`${blank}… ${rest} more lines`] : []),
  ];
}

function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
