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
  return Object.hasOwn(SHOWN, event.type) ? (SHOWN[event.type]?.(event, by) ?? []) : [];
}

const SHOWN: Readonly<Record<string, (event: StreamEvent, by: string) => readonly string[]>> = {
  message: ({role, content = ''}, by) =>
    role === 'user' ? ['', ...indent(content, '> ')] : indent(content, `  ${by}`),
  tool_use: ({tool_name: name = '', parameters = {}}, by) => [
    '',
    `▸ ${by}${name} ${shorten(JSON.stringify(parameters))}`,
  ],
  tool_result: ({status, output = ''}, by) => indent(output, `  ${status === 'success' ? '✓' : '✗'} ${by}`),
  error: ({message = ''}, by) => ['', `! ${by}${message}`],
  result: ({error}) => (error === undefined ? [] : ['', `! ${error.code ?? ''}: ${error.message ?? ''}`]),
};

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
