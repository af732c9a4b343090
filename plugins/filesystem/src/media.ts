import {extname} from 'node:path';

/** What a file is to a model: text, media that it can see or hear, or neither. */
export type FileKind =
  {readonly kind: 'text'} | {readonly kind: 'media'; readonly mimeType: string} | {readonly kind: 'binary'};

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.bmp': 'image/bmp',
  '.heic': 'image/heic',
  '.heif': 'image/heif',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.aif': 'audio/aiff',
  '.aiff': 'audio/aiff',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.flac': 'audio/flac',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mpg': 'video/mpeg',
  '.mpeg': 'video/mpeg',
  '.avi': 'video/x-msvideo',
  '.wmv': 'video/x-ms-wmv',
  '.flv': 'video/x-flv',
  '.3gp': 'video/3gpp',
};

// Magic bytes of files, in Latin-1; `.` stands for any byte.
const MAGIC: readonly (readonly [start: RegExp, mimeType: string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^BM.{4}\0\0\0\0/s, 'image/bmp'],
  [/^.{4}ftyphei[cx]/s, 'image/heic'],
  [/^.{4}ftyp(?:mif1|heif)/s, 'image/heif'],
  [/^%PDF-/, 'application/pdf'],
  [/^(?:ID3|\xff[\xfb\xf3\xf2])/, 'audio/mpeg'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^FORM.{4}AIF[FC]/s, 'audio/aiff'],
  [/^\xff[\xf1\xf9]/, 'audio/aac'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^.{4}ftypqt/s, 'video/quicktime'],
  [/^.{4}ftyp3g/s, 'video/3gpp'],
  [/^.{4}ftyp/s, 'video/mp4'],
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^RIFF.{4}AVI /s, 'video/x-msvideo'],
  [/^FLV\x01/, 'video/x-flv'],
];

// Extensions that other programs take for video, or that hold text that may look otherwise.
const ALWAYS_TEXT = new Set(['.ts', '.mts', '.cts', '.svg']);

/** Judges a file by its first bytes and its name. `marked`: it starts with the byte order mark of a text encoding. */
export function kindOf(head: Buffer, path: string, marked: boolean): FileKind {
  const extension = extname(path).toLowerCase();
  if (marked || ALWAYS_TEXT.has(extension)) return {kind: 'text'};
  const binary = isBinary(head);
  const named = MIME_TYPES[extension];
  const start = head.toString('latin1', 0, 16);
  const found = MAGIC.find(([magic]) => magic.test(start))?.[1];
  if (found !== undefined && (binary || found === named)) return {kind: 'media', mimeType: found};
  if (!binary) return {kind: 'text'};
  return named === undefined ? {kind: 'binary'} : {kind: 'media', mimeType: named};
}

function isBinary(head: Buffer): boolean {
  if (head.includes(0)) return true;
  const controls = head.filter((byte) => byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27).length;
  return controls > head.length * 0.3;
}
