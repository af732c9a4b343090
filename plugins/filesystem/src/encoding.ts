import {isUtf8} from 'node:buffer';
import {ToolError} from '@gemini-kernel/kernel';

/** How the bytes of one file are decoded and encoded. The caller handles the byte order mark. */
export interface Codec {
  readonly name: string;
  /** The byte order mark the file starts with; may be empty. */
  readonly mark: Buffer;
  /** Bytes of one code unit, and which end of it comes first. */
  readonly unit: 1 | 2 | 4;
  readonly bigEndian: boolean;
  decode(bytes: Buffer): string;
  /** Throws TEXT_UNENCODABLE rather than write a substitute. */
  encode(text: string): Buffer;
  /** How many bytes a stretch of the file's own text takes. */
  byteLength(text: string): number;
}

/** The settings key that names the encoding of files that are neither UTF-8 nor marked. */
export const LEGACY_ENCODING = 'context.fileFiltering.legacyEncoding';

const REPLACEMENT = Buffer.from('\uFFFD');
const NO_MARK = Buffer.alloc(0);

/** UTF-8 without a byte order mark: what new files get. */
export const utf8: Codec = {
  name: 'utf-8',
  mark: NO_MARK,
  unit: 1,
  bigEndian: false,
  decode: (bytes) => bytes.toString('utf8'),
  encode(text) {
    const bytes = Buffer.from(text);
    // Only half a surrogate pair becomes a replacement character that was not in the text.
    if (bytes.includes(REPLACEMENT) && bytes.toString() !== text)
      throw unencodable('utf-8', /\p{Surrogate}/u.exec(text)?.[0]);
    return bytes;
  },
  byteLength: (text) => Buffer.byteLength(text),
};

const utf16le: Codec = {
  ...utf8,
  name: 'utf-16le',
  mark: Buffer.from([0xff, 0xfe]),
  unit: 2,
  decode: (bytes) => bytes.toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
  byteLength: (text) => text.length * 2,
};

const utf16be: Codec = {
  ...utf16le,
  name: 'utf-16be',
  mark: Buffer.from([0xfe, 0xff]),
  bigEndian: true,
  decode: (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};

const utf32le: Codec = {
  ...utf8,
  name: 'utf-32le',
  mark: Buffer.from([0xff, 0xfe, 0, 0]),
  unit: 4,
  decode: decodeUtf32,
  encode: encodeUtf32,
  byteLength: (text) => countCodePoints(text) * 4,
};

const utf32be: Codec = {
  ...utf32le,
  name: 'utf-32be',
  mark: Buffer.from([0, 0, 0xfe, 0xff]),
  bigEndian: true,
  decode: (bytes) => decodeUtf32(Buffer.from(bytes.subarray(0, bytes.length & ~3)).swap32()),
  encode: (text) => encodeUtf32(text).swap32(),
};

const utf8Marked: Codec = {...utf8, mark: Buffer.from([0xef, 0xbb, 0xbf])};

// The mark of UTF-32LE starts with that of UTF-16LE.
const MARKED = [utf8Marked, utf32le, utf32be, utf16le, utf16be];

/** The codec that a byte order mark at the start of the file names, if there is one. */
export function markedCodec(head: Buffer): Codec | undefined {
  return MARKED.find(({mark}) => head.subarray(0, mark.length).equals(mark));
}

/**
 * The codec of a content: by its mark, else UTF-8 if it is valid, else the legacy encoding that `legacy` returns, else
 * undefined.
 */
export async function codecOf(bytes: Buffer, legacy: () => Promise<unknown>): Promise<Codec | undefined> {
  const marked = markedCodec(bytes);
  if (marked !== undefined && (marked.unit > 1 || isUtf8(bytes))) return marked;
  if (marked === undefined && isUtf8(bytes)) return utf8;
  const name = await legacy();
  return typeof name === 'string' && name !== '' ? legacyCodec(name) : undefined;
}

/** The codec of a content that is about to be edited; throws FILE_ENCODING_UNKNOWN when it cannot be determined. */
export async function codecForEdit(path: string, bytes: Buffer, legacy: () => Promise<unknown>): Promise<Codec> {
  const codec = await codecOf(bytes, legacy);
  if (codec !== undefined) return codec;
  throw new ToolError(
    'FILE_ENCODING_UNKNOWN',
    `${path} is not valid UTF-8 and has no byte order mark, so an edit could damage it.`,
    {
      hint: `Ask the user to set ${LEGACY_ENCODING} to the file's encoding, for example "windows-1252" or "shift_jis".`,
    },
  );
}

/**
 * The codec of a configured legacy encoding; throws FILE_ENCODING_UNKNOWN for an unknown name or one that is not a
 * superset of ASCII.
 */
export async function legacyCodec(name: string): Promise<Codec> {
  const {default: iconv} = await import('iconv-lite');
  if (!iconv.encodingExists(name) || !iconv.encode('\n', name, {addBOM: false}).equals(Buffer.from('\n'))) {
    throw new ToolError(
      'FILE_ENCODING_UNKNOWN',
      `The setting ${LEGACY_ENCODING} is "${name}", which is not a supported legacy encoding.`,
      {
        hint: 'Ask the user to set it to a name such as "windows-1252", "iso-8859-15", "shift_jis" or "gbk".',
      },
    );
  }
  const decode = (bytes: Buffer): string => iconv.decode(bytes, name, {stripBOM: false});
  const bytesOf = (text: string): Buffer => iconv.encode(text, name, {addBOM: false});
  return {
    ...utf8,
    name,
    decode,
    encode(text) {
      const bytes = bytesOf(text);
      if (decode(bytes) !== text)
        throw unencodable(
          name,
          [...text].find((character) => decode(bytesOf(character)) !== character),
        );
      return bytes;
    },
    byteLength: (text) => bytesOf(text).length,
  };
}

function unencodable(encoding: string, character: string | undefined): ToolError {
  const which =
    character === undefined ? 'A character of the text' : `${JSON.stringify(character)} (U+${hexOf(character)})`;
  return new ToolError('TEXT_UNENCODABLE', `${which} cannot be encoded in ${encoding}, the encoding of this file.`, {
    hint: 'Nothing was written. Use characters that the encoding has, or an escape sequence of the language.',
  });
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (const pair of text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)) count -= pair[0].length - 1;
  return count;
}

function decodeUtf32(bytes: Buffer): string {
  const pieces: string[] = [];
  let points: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = bytes.readUInt32LE(at);
    points.push(point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? 0xfffd : point);
    if (points.length === 4096) {
      pieces.push(String.fromCodePoint(...points));
      points = [];
    }
  }
  return pieces.join('') + String.fromCodePoint(...points);
}

function encodeUtf32(text: string): Buffer {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const half = points.find((point) => point >= 0xd800 && point <= 0xdfff);
  if (half !== undefined) throw unencodable('utf-32', String.fromCharCode(half));
  const bytes = Buffer.allocUnsafe(points.length * 4);
  points.forEach((point, index) => bytes.writeUInt32LE(point, index * 4));
  return bytes;
}
