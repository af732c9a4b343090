import {provide} from '@gemini-kernel/kernel';
import type {BufferSource} from '../contract.js';

/** More files than this are not edited at once. */
const MOST_EDITED = 1000;

/** What editors have open of the files of this place. */
export default provide('buffers', {
  version: '1.0.0',
  scope: 'place',
  // A source decides what file tools read and where they write.
  reserved: true,
  local: true,
  create() {
    const sources = new Set<BufferSource>();
    const edited = new Set<string>();
    return {
      get isUsed() {
        return sources.size > 0;
      },
      attach(source) {
        sources.add(source);
        return () => void sources.delete(source);
      },
      async read(path, signal) {
        for (const source of sources) {
          const text = await source.read(path, signal);
          if (text !== undefined) return text;
        }
        return undefined;
      },
      note(path, isEdited) {
        edited.delete(path);
        if (isEdited && edited.size < MOST_EDITED) edited.add(path);
      },
      edited: () => [...edited],
      async write(path, text, signal) {
        for (const source of sources) if (await source.write(path, text, signal)) return true;
        return false;
      },
    };
  },
});
