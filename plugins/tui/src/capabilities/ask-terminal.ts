/** The part of a terminal that is asked. */
export interface AskedTerminal {
  readonly input: NodeJS.ReadStream;
  readonly output: {write(text: string): unknown};
}

const ESC = '\u001b';
/** Questions that a terminal ignores if it does not know them. Almost all know the last one, which ends the wait. */
const QUESTIONS = [
  `${ESC}[?u`,
  `${ESC}[?4m`,
  `${ESC}[>0q`,
  `${ESC}]11;?${ESC}\\`,
  ...['1004', '2004', '2026'].map((mode) => `${ESC}[?${mode}$p`),
  `${ESC}[6n`,
  `${ESC}[c`,
].join('');
const LAST_ANSWER = /\u001b\[\?[\d;]*c/;
/** A distant terminal answers slowly. */
const MOST_MS = 2000;
const MOST_LENGTH = 10_000;

/** What a terminal answers to questions about itself. It ends when the last one is answered, or after two seconds. */
export async function askTerminal({input, output}: AskedTerminal, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  let heard = '';
  const wasRaw = input.isRaw;
  // A conversation reads on afterwards.
  const isRead = input.readableFlowing === true;
  input.setRawMode(true);
  try {
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        input.off('data', onData).off('end', onEnd);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const onData = (chunk: Buffer | string): void => {
        heard = `${heard}${chunk.toString()}`.slice(-MOST_LENGTH);
        // Ctrl+C ends the wait, too.
        if (heard.includes('\u0003') || LAST_ANSWER.test(heard)) end(resolve);
      };
      const onEnd = (): void => end(resolve);
      const onAbort = (): void => end(() => reject(signal.reason as Error));
      const timer = setTimeout(() => end(resolve), MOST_MS);
      input.on('data', onData).on('end', onEnd);
      signal.addEventListener('abort', onAbort, {once: true});
      input.resume();
      output.write(QUESTIONS);
    });
  } finally {
    if (!isRead) input.pause();
    input.setRawMode(wasRaw);
  }
  return heard;
}
