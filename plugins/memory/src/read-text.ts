import {open} from 'node:fs/promises';
import {messageOf} from '@gemini-kernel/kernel';

/** Nobody means a model to read more than that before each conversation. */
const LIMIT = 512 * 1024;

/** The text of a regular file, without a byte-order mark; or why there is none. A long one is cut, and says so. */
export async function readText(path: string): Promise<string | {readonly why: string; readonly isMissing: boolean}> {
  try {
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) return {why: 'it is no file', isMissing: false};
      const {buffer, bytesRead} = await file.read(Buffer.alloc(LIMIT + 1), 0, LIMIT + 1, 0);
      const text = buffer.toString('utf8', 0, Math.min(bytesRead, LIMIT)).replace(/^\uFEFF/, '');
      if (text.includes('\0')) return {why: 'it is not text', isMissing: false};
      return bytesRead > LIMIT ? `${text}\n[… the rest of ${path} was left out: it has more than ${LIMIT / 1024} KiB …]` : text;
    } finally {
      await file.close();
    }
  } catch (error) {
    const {code = ''} = error as NodeJS.ErrnoException;
    return {why: messageOf(error), isMissing: code === 'ENOENT' || code === 'ENOTDIR'};
  }
}
