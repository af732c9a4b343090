import {isFileFault, readRegular} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';

/** Nobody means a model to read more than that before each conversation. */
const LIMIT = 512 * 1024;

/** The text of a regular file, without a byte-order mark; or why there is none. A long one is cut, and says so. */
export async function readText(path: string): Promise<string | {readonly why: string; readonly isMissing: boolean}> {
  try {
    const bytes = await readRegular(path, {limit: LIMIT + 1, cut: true});
    const text = bytes.toString('utf8', 0, Math.min(bytes.length, LIMIT)).replace(/^\uFEFF/, '');
    if (text.includes('\0')) return {why: 'it is not text', isMissing: false};
    if (bytes.length <= LIMIT) return text;
    return `${text}\n[… the rest of ${path} was left out: it has more than ${LIMIT / 1024} KiB …]`;
  } catch (error) {
    if (isFileFault(error)) return {why: error.reason, isMissing: false};
    const {code = ''} = error as NodeJS.ErrnoException;
    return {why: messageOf(error), isMissing: code === 'ENOENT' || code === 'ENOTDIR'};
  }
}
