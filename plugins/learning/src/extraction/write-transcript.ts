import type {CallRecord, Entry} from '@gemini-kernel/plugin-agent/contract';
import type {StoredSession} from '@gemini-kernel/plugin-sessions/contract';

/** Of one text or result: its beginning and its end. */
const MOST_TEXT = 1200;
const MOST_OUTPUT = 400;
/** Of one session: its beginning and its end. */
const MOST_SESSION = 12_000;

/** A session as a text for a model: what was said, what was called, and how it ended; no whole files or outputs. */
export function writeTranscript({id, title, scratchpad, entries}: StoredSession): string {
  const work = scratchpad?.workflowSummary === undefined ? '' : `work: ${scratchpad.workflowSummary}\n`;
  const lines = entries.filter(({kind}) => kind !== 'note').flatMap(writeEntry);
  return `session: ${id}\ntitle: ${cut(title, 200)}\n${work}${cut(lines.join('\n'), MOST_SESSION)}`;
}

function writeEntry({kind, origin, shown, message, calls = []}: Entry): readonly string[] {
  // What files and tools say is in the results of calls already; the setting of a conversation is not learned from.
  if (kind === 'user' && origin !== undefined && origin !== 'person') return [];
  const text = shown ?? message.pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');
  const said = text.trim() === '' ? [] : [`[${kind === 'user' ? 'person' : 'agent'}] ${cut(text.trim(), MOST_TEXT)}`];
  return [...said, ...calls.map(writeCall)];
}

function writeCall({name, input, status, output}: CallRecord): string {
  const result = output.map((part) => ('text' in part ? part.text : `(${part.inlineData.mimeType})`)).join(' ');
  return `[call] ${name} ${cut(JSON.stringify(input) ?? '', MOST_OUTPUT)} ${status}: ${cut(result, MOST_OUTPUT)}`;
}

function cut(text: string, most: number): string {
  const half = Math.floor(most / 2);
  if (text.length <= most) return text;
  return `${text.slice(0, half)}[… ${text.length - most} characters …]${text.slice(-half)}`;
}
