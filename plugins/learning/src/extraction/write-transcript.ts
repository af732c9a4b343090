import type {CallRecord, Entry} from '@gemini-kernel/plugin-agent/contract';
import type {StoredSession} from '@gemini-kernel/plugin-sessions/contract';

/** Of one text or result: its beginning and its end. */
const MOST_TEXT = 1200;
const MOST_OUTPUT = 400;
/** Of one session: its beginning and its end. */
const MOST_SESSION = 12_000;

/**
 * A session as a text for a model: what was said, what was called, and how it ended; no whole files or outputs. Each
 * text is scrubbed before it is cut: half a secret has no form by which it is known.
 */
export async function writeTranscript(
  {id, title, scratchpad, entries}: StoredSession,
  scrub: (text: string) => Promise<string>,
): Promise<string> {
  const work = scratchpad?.workflowSummary === undefined ? '' : `work: ${scratchpad.workflowSummary}\n`;
  const short = async (text: string, most: number): Promise<string> => cut(await scrub(text), most);
  const lines: string[] = [];
  for (const entry of entries) if (entry.kind !== 'note') lines.push(...(await writeEntry(entry, short)));
  return `session: ${id}\ntitle: ${await short(title, 200)}\n${work}${cut(lines.join('\n'), MOST_SESSION)}`;
}

/** Scrubs a text, then cuts it. */
type Shorten = (text: string, most: number) => Promise<string>;

async function writeEntry(
  {kind, origin, shown, message, calls = []}: Entry,
  short: Shorten,
): Promise<readonly string[]> {
  // What files and tools say is in the results of calls already; the setting of a conversation is not learned from.
  if (kind === 'user' && origin !== undefined && origin !== 'person') return [];
  const text = shown ?? message.pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');
  const who = kind === 'user' ? 'person' : 'agent';
  const said = text.trim() === '' ? [] : [`[${who}] ${await short(text.trim(), MOST_TEXT)}`];
  return [...said, ...(await Promise.all(calls.map((call) => writeCall(call, short))))];
}

async function writeCall({name, input, status, output}: CallRecord, short: Shorten): Promise<string> {
  const result = output.map((part) => ('text' in part ? part.text : `(${part.inlineData.mimeType})`)).join(' ');
  const given = await short(JSON.stringify(input) ?? '', MOST_OUTPUT);
  return `[call] ${name} ${given} ${status}: ${await short(result, MOST_OUTPUT)}`;
}

function cut(text: string, most: number): string {
  const half = Math.floor(most / 2);
  if (text.length <= most) return text;
  return `${text.slice(0, half)}[… ${text.length - most} characters …]${text.slice(-half)}`;
}
