import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** What decides which server is asked. */
export interface EndpointSources {
  variable(name: string): Promise<string | undefined>;
  /** A setting without what the project says: a project is not to choose where a person's key goes. */
  setting(key: string): Promise<unknown>;
}

/** A server that speaks OpenAI's chat completions. */
export interface Endpoint {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** Where Ollama listens. Nothing leaves the machine unless the person names another server. */
const LOCAL = 'http://localhost:11434/v1';
const KEY_VARIABLE = 'OPENAI_API_KEY';

/** Finds out which server is asked, or what is wrong with what names it. Asks nobody. */
export async function findEndpoint({variable, setting}: EndpointSources): Promise<{readonly endpoint: Endpoint} | {readonly failure: ModelFailure}> {
  const [named, configured] = [await variable('OPENAI_BASE_URL'), asText(await setting('openai.baseUrl'))];
  const address = named ?? configured ?? LOCAL;
  if (!/^https?:\/\/./.test(address) || !URL.canParse(address)) {
    const source = named === undefined ? 'The setting openai.baseUrl' : 'OPENAI_BASE_URL';
    return {failure: {kind: 'invalid', isFinal: true, message: `${source} is not an address: ${address}.`, hint: `It is something like ${LOCAL}.`}};
  }
  const headers = asHeaders(await setting('openai.headers'));
  const wanted = asText(await setting('openai.apiKeyVariable'));
  const key = await variable(wanted ?? KEY_VARIABLE);
  if (wanted !== undefined && key === undefined) return {failure: {kind: 'auth', isFinal: true, message: `There is no key for ${address}: ${wanted} is not set.`, hint: `Set ${wanted}, or the setting openai.apiKeyVariable to the variable that has it.`}};
  const isGuess = named === undefined && configured === undefined;
  return {endpoint: {baseUrl: address.replace(/\/+$/, ''), headers, ...(key === undefined || (isGuess && wanted === undefined) ? {} : {key})}};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function asHeaders(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
