import {appendPrivateFile, readText} from '@gemini-kernel/files';
import {ifMissing} from '../queue/if-missing.js';

/** The variable with the file in which a run reports its requests to the worker that started it. */
export const REPORT = 'GEMINI_FLEET_REPORT';
/** The variable with the file of the shared pace and the requests that are allowed in a minute: `<n> <file>`. */
export const PACE = 'GEMINI_FLEET_PACE';

/** The variable with the tokens after which a run makes no more requests. */
export const TOKENS = 'GEMINI_FLEET_TOKENS';

/** Notes what one request used. */
export async function reportTokens(file: string, tokens: number): Promise<void> {
  await appendPrivateFile(file, `${tokens}\n`);
}

/** The tokens of a run so far: of what it reported, and of agents that it started. */
export async function readTokens(file: string): Promise<number> {
  const text = (await readText(file).catch(ifMissing)) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0);
}
