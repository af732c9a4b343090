import {ToolError} from '@gemini-kernel/kernel';
import type {Page} from '../contract.js';
import {toMarkdown} from '../markdown/to-markdown.js';
import {decodeText} from './decode-text.js';

type Content = Pick<Page, 'type' | 'title' | 'text' | 'data'>;

const PDF = 'application/pdf';
/** What models read besides text. */
const DATA = /^image\/(?:png|jpeg|webp|gif|heic|heif)$/;
const TEXT =
  /^text\/|[/+](?:json|xml|yaml|toml|javascript|ecmascript|x-sh|sql|x-ndjson|graphql)$|^application\/(?:rtf|x-yaml|x-tex)$/;

/** The content of a page in the form that a model reads. Throws ToolError PAGE_UNREADABLE. */
export async function readPage(bytes: Buffer, contentType: string | undefined, url: URL): Promise<Content> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() || guess(bytes);
  if (type === PDF) {
    const {readPdf} = await import('../pdf/read-pdf.js');
    const text = await readPdf(bytes);
    return text === undefined ? {type, data: bytes.toString('base64')} : {type, text};
  }
  if (DATA.test(type)) return {type, data: bytes.toString('base64')};
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    const {title, text} = await toMarkdown(decodeText(bytes, contentType), url);
    return {type, ...(title === '' ? {} : {title}), text};
  }
  if (TEXT.test(type) || !isBinary(bytes)) return {type, text: decodeText(bytes, contentType)};
  throw new ToolError('PAGE_UNREADABLE', `${url.href} is ${type}, which is neither text nor a picture or PDF.`, {
    hint: 'Download it with a command if the file itself is needed.',
  });
}

/** Of an answer without a type. */
function guess(bytes: Buffer): string {
  if (isBinary(bytes)) return 'application/octet-stream';
  return /^\s*<(?:!doctype html|html)/i.test(bytes.subarray(0, 512).toString('latin1')) ? 'text/html' : 'text/plain';
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 4096).includes(0);
}
