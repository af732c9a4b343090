import {TextDecoder} from 'node:util';

/** The text of a page, by the charset that it declares, else as UTF-8. */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const named = charsetOf(contentType) ?? markOf(bytes) ?? metaOf(bytes) ?? 'utf-8';
  return decoderFor(named).decode(bytes);
}

function charsetOf(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** What a page of HTML or XML says of itself in its first bytes. */
function metaOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 2048).toString('latin1');
  const meta =
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head) ?? /<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(head);
  // A page that can be read this far is not UTF-16, whatever it says.
  return meta?.[1] && /^utf-?16/i.test(meta[1]) ? 'utf-8' : meta?.[1];
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_NOT_SUPPORTED') return new TextDecoder();
    throw error;
  }
}
