const LIMIT = 8 * 1024 * 1024;
/** How long standard input may be silent, at first and later, before it counts as empty. */
const FIRST_MS = 500;
const SILENCE_MS = 60_000;

interface Read {
  readonly text: string;
  /** What was cut, as a sentence. */
  readonly warning?: string;
}

/** Reads standard input that is not a terminal: up to 8 MiB, with a time limit. The stream is destroyed afterwards. */
export async function readInput(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<Read> {
  const chunks: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const outcome = await new Promise<'end' | 'full' | 'silent' | 'never' | 'aborted'>((resolve) => {
    timer = setTimeout(() => resolve('never'), FIRST_MS);
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve('silent'), SILENCE_MS);
    };
    input.on('data', (chunk: Buffer | string) => {
      again();
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > LIMIT) resolve('full');
    });
    input.once('end', () => resolve('end'));
    // A standard input that cannot be read (a closed one, a folder) counts as empty.
    input.once('error', () => resolve('end'));
    signal.addEventListener('abort', () => resolve('aborted'), {once: true});
    void Promise.resolve().then(() => signal.aborted && resolve('aborted'));
  });
  clearTimeout(timer);
  giveUp(input);
  signal.throwIfAborted();
  const text = cutText(Buffer.concat(chunks));
  if (outcome === 'full') return {text, warning: 'Standard input has more than 8 MiB; the rest is ignored.'};
  if (outcome === 'silent')
    return {
      text,
      warning: `Standard input was silent for ${SILENCE_MS / 1000} s; gemini continues without waiting for more.`,
    };
  return {text};
}

/** Stops reading, so that the stream does not keep the program running. */
function giveUp(input: NodeJS.ReadableStream): void {
  input.removeAllListeners('data');
  (input as Partial<{destroy(): void}>).destroy?.();
}

/** At most the limit, never half a character. */
function cutText(bytes: Buffer): string {
  if (bytes.length <= LIMIT) return bytes.toString('utf8');
  let end = LIMIT;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
