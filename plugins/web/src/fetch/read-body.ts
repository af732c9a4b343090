import type {Readable} from 'node:stream';
import {createBrotliDecompress, createGunzip, createInflate} from 'node:zlib';
import {isToolError, messageOf, ToolError} from '@gemini-kernel/kernel';

/** Bytes of a page, after it is unpacked. */
export const MOST_BYTES = 10 * 1024 * 1024;

/** Reads a body, unpacked, to the end. Stops with ToolError PAGE_TOO_LARGE at the limit, however small it is packed. */
export async function readBody(body: Readable, encoding: string | undefined, url: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const unpacked = unpack(body, encoding, url);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw tooLarge(url);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (isToolError(cause) || isAbort(cause)) throw cause;
    throw new ToolError('PAGE_UNREACHABLE', `The answer of ${url} broke off: ${messageOf(cause)}.`, {cause});
  } finally {
    body.destroy();
    unpacked.destroy();
  }
  return Buffer.concat(chunks);
}

export function tooLarge(url: string): ToolError {
  return new ToolError('PAGE_TOO_LARGE', `${url} is larger than ${MOST_BYTES / 1024 / 1024} MB.`, {
    hint: 'Look for a smaller page, or for a part of it with an address of its own.',
  });
}

function unpack(body: Readable, encoding: string | undefined, url: string): Readable {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity' || name === '') return body;
  const make = unpackers[name];
  if (!make) throw new ToolError('PAGE_UNREADABLE', `${url} is packed as ${name}, which cannot be unpacked.`);
  const unpacker = make();
  body.on('error', (error) => unpacker.destroy(error));
  return body.pipe(unpacker);
}

const unpackers: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
