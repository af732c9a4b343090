import {isFileFault, readRegular} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';

/** More than this is not useful before each conversation. */
const LIMIT = 512 * 1024;

/** A text, with a sentence if it was cut. */
export interface ReadText {
  readonly text: string;
  readonly cut?: string;
}

/**
 * The text of a regular file, without a byte order mark; or why it cannot be read. A long text is cut, with a note at
 * its end.
 */
export async function readText(path: string): Promise<ReadText | {readonly why: string; readonly isMissing: boolean}> {
  try {
    const bytes = await readRegular(path, {limit: LIMIT + 1, cut: true});
    const text = bytes.toString('utf8', 0, Math.min(bytes.length, LIMIT)).replace(/^\uFEFF/, '');
    if (text.includes('\0')) return {why: 'it is not text', isMissing: false};
    if (bytes.length <= LIMIT) return {text};
    const cut = `it is larger than ${LIMIT / 1024} KiB`;
    return {
      text: `${text}\n[… the rest of ${path} was left out: ${cut} …]`,
      cut: `Only the beginning of ${path} is included: ${cut}.`,
    };
  } catch (error) {
    if (isFileFault(error)) return {why: error.reason, isMissing: false};
    const {code = ''} = error as NodeJS.ErrnoException;
    return {why: messageOf(error), isMissing: code === 'ENOENT' || code === 'ENOTDIR'};
  }
}
