import type {BufferSource} from '@gemini-kernel/plugin-workspace/contract';
import type {Editor} from './editor.js';

/** How long an editor may take for a file. */
const READ_MS = 5000;
const WRITE_MS = 30_000;

/** The files that an editor has open, read and written through it. Undefined for an editor that cannot read any. */
export function editorBuffers(editor: Editor, sessionId: string): BufferSource | undefined {
  const {fs} = editor.capabilities;
  if (!fs?.readTextFile) return undefined;
  let isSilent = false;
  return {
    async read(path, signal) {
      if (isSilent) return undefined;
      const late = AbortSignal.timeout(READ_MS);
      try {
        return (await editor.readText({sessionId, path}, AbortSignal.any([signal, late]))).content;
      } catch {
        signal.throwIfAborted();
        // Every file would wait for an editor that does not answer.
        isSilent = late.aborted;
        return undefined;
      }
    },
    async write(path, text, signal) {
      if (!fs.writeTextFile || isSilent) return false;
      try {
        const stop = AbortSignal.any([signal, AbortSignal.timeout(WRITE_MS)]);
        await editor.writeText({sessionId, path, content: text}, stop);
        return true;
      } catch {
        signal.throwIfAborted();
        return false;
      }
    },
  };
}
