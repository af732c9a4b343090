import {markForeign, type Part, type ToolResult} from '@gemini-kernel/kernel';
import {isTable} from '../config/is-table.js';

type Table = Readonly<Record<string, unknown>>;

/** Characters of text that go to the model; more is cut in the middle. */
const MOST_TEXT = 60_000;
/** Bytes of base64 that go to the model in one part. */
const MOST_DATA = 20 * 1024 * 1024;

/** The tables of a list; none when it is not a list. */
export function tablesIn(list: unknown): readonly Table[] {
  return Array.isArray(list) ? list.filter(isTable) : [];
}

/** What a call of a server gave, each part in the form that loses least. */
export function showResult(server: string, tool: string, result: Table): ToolResult {
  const content = tablesIn(result['content']);
  const structured = result['structuredContent'];
  const parts = content.flatMap((block) => showBlock(server, tool, block));
  const hasText = content.some(({type}) => type === 'text');
  const shown: readonly Part[] =
    structured !== undefined && !hasText ? [...parts, {text: markForeign(bound(JSON.stringify(structured)))}] : parts;
  const plain = plainOf(content, structured);
  return {
    model: shown.length === 0 ? 'The tool gave no output.' : shown,
    display: plain === '' ? summarise(content) : plain,
    plain,
    ...(structured === undefined ? {} : {data: structured}),
  };
}

/** The text of a result that reports an error. */
export function errorText(result: Table): string {
  const content = tablesIn(result['content']);
  return plainOf(content, result['structuredContent']).trim() || 'it gave no reason';
}

function plainOf(content: readonly Table[], structured: unknown): string {
  const texts = content.flatMap(({type, text}) => (type === 'text' && typeof text === 'string' ? [text] : []));
  if (texts.length > 0) return texts.join('\n');
  return structured === undefined ? '' : JSON.stringify(structured, null, 2);
}

function summarise(content: readonly Table[]): string {
  return content.map(({type, mimeType}) => `[${String(type)}${mimeType ? ` ${String(mimeType)}` : ''}]`).join(' ');
}

/** One block of content, in the form that loses least. */
export function showBlock(server: string, tool: string, block: Table): readonly Part[] {
  const {type} = block;
  if (type === 'text') return [{text: markForeign(bound(String(block['text'])))}];
  if (type === 'image' || type === 'audio') return showData(server, tool, String(type), block);
  if (type === 'resource' && isTable(block['resource'])) return showResource(server, tool, block['resource']);
  if (type === 'resource_link') return [{text: markForeign(`Resource link: ${describeLink(block)}`)}];
  return [{text: markForeign(`Content of the type ${JSON.stringify(type)}: ${bound(JSON.stringify(block))}`)}];
}

function describeLink({title, name, uri, mimeType, description}: Table): string {
  const about = [mimeType, description].filter((one) => typeof one === 'string').join(', ');
  return `${String(title ?? name ?? uri)} at ${String(uri)}${about === '' ? '' : ` (${about})`}`;
}

function showData(server: string, tool: string, kind: string, {data, mimeType}: Table): readonly Part[] {
  const given = String(mimeType ?? '');
  // What stands outside of the marks is ours: a strange one could say anything.
  const type = /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(given) ? given : 'application/octet-stream';
  const label = `The tool ${tool} of the MCP server ${server} gave ${kind} data (${type})`;
  if (typeof data !== 'string') return [{text: `${label}, but the data is missing.`}];
  if (data.length > MOST_DATA) return [{text: `${label} of ${data.length} characters, which is too large to show.`}];
  return [{text: `${label}:`}, {inlineData: {mimeType: type, data}}];
}

/** The content of a resource, its text marked as foreign. */
export function showResource(server: string, tool: string, resource: Table): readonly Part[] {
  const {uri, text, blob, mimeType} = resource;
  if (typeof text === 'string') return [{text: markForeign(`Resource ${String(uri)}:\n${bound(text)}`)}];
  const data = showData(server, tool, 'resource', {data: blob, mimeType});
  return [{text: markForeign(`Resource ${String(uri)}`)}, ...data];
}

/** Whether a text is too long for the model. */
export function isLong(text: string): boolean {
  return text.length > MOST_TEXT;
}

/** The beginning and the end of a long text. */
export function bound(text: string): string {
  if (!isLong(text)) return text;
  const half = MOST_TEXT / 2;
  const omitted = text.length - MOST_TEXT;
  return `${text.slice(0, half)}\n[${omitted} characters omitted]\n${text.slice(-half)}`;
}
