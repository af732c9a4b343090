import {codecOf, markedCodec, utf8, type Codec} from './encoding.js';
import {sizeOf} from './opened-file.js';
import type {ExistingFile} from './write-target.js';

/** What write_file puts into a file. */
export interface WrittenContent {
  readonly bytes: Buffer;
  readonly codec: Codec;
  /** The text before: null = no file, undefined = too large to look at. */
  readonly before: string | null | undefined;
  readonly after: string;
}

/**
 * The bytes of `text` in the encoding, with the byte order mark and, when all lines have it, the CRLF of the file it
 * replaces.
 */
export async function writtenContent(
  existing: ExistingFile | undefined,
  text: string,
  legacy: () => Promise<unknown>,
): Promise<WrittenContent> {
  if (existing === undefined) return {bytes: utf8.encode(text), codec: utf8, before: null, after: text};
  const {bytes: old} = existing;
  const isWhole = old.length === sizeOf(existing);
  const codec = (isWhole ? await codecOf(old, legacy) : markedCodec(old)) ?? markedCodec(old) ?? utf8;
  const before = isWhole ? codec.decode(old.subarray(codec.mark.length)) : undefined;
  const unmarked = codec.mark.length > 0 ? text.replace(/^\uFEFF/, '') : text;
  const after =
    before !== undefined && endsLinesWithCrlf(before) && !unmarked.includes('\r')
      ? unmarked.replaceAll('\n', '\r\n')
      : unmarked;
  return {bytes: Buffer.concat([codec.mark, codec.encode(after)]), codec, before, after};
}

function endsLinesWithCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}
