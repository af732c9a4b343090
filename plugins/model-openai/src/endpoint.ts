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
export async function findEndpoint({
  variable: read,
  setting,
}: EndpointSources): Promise<{readonly endpoint: Endpoint} | {readonly failure: ModelFailure}> {
  // A file may leave a mark of its encoding, or half of a line's end, about a value.
  const variable: EndpointSources['variable'] = async (name) => asText((await read(name))?.trim());
  const [named, configured] = [await variable('OPENAI_BASE_URL'), asText(await setting('openai.baseUrl'))];
  const chosen = named ?? configured;
  const address = chosen ?? LOCAL;
  if (!isAddress(address))
    return {failure: noAddress(named === undefined ? 'The setting openai.baseUrl' : 'OPENAI_BASE_URL', address)};
  const headers = asHeaders(await setting('openai.headers'));
  const wanted = asText(await setting('openai.apiKeyVariable'));
  const keyVariable = wanted ?? KEY_VARIABLE;
  const key = await variable(keyVariable);
  if (wanted !== undefined && key === undefined) return {failure: noKey(address, wanted)};
  const failure = findUnsendable(headers, keyVariable, key);
  if (failure) return {failure};
  const isGuess = chosen === undefined;
  return {
    endpoint: {
      baseUrl: address.replace(/\/+$/, ''),
      headers,
      ...(key === undefined || (isGuess && wanted === undefined) ? {} : {key}),
    },
  };
}

function isAddress(text: string): boolean {
  return /^https?:\/\/./.test(text) && URL.canParse(text);
}

function noAddress(source: string, text: string): ModelFailure {
  return {
    kind: 'invalid',
    isFinal: true,
    message: `${source} is not an address: ${text}.`,
    hint: `It is something like ${LOCAL}.`,
  };
}

function noKey(address: string, variable: string): ModelFailure {
  return {
    kind: 'auth',
    isFinal: true,
    message: `There is no key for ${address}: ${variable} is not set.`,
    hint: `Set ${variable}, or the setting openai.apiKeyVariable to the variable that has it.`,
  };
}

/** What of a request `fetch` would throw for. */
function findUnsendable(headers: Endpoint['headers'], variable: string, key = ''): ModelFailure | undefined {
  if (!isSendable(key)) {
    return {
      kind: 'auth',
      isFinal: true,
      message: `The key in ${variable} cannot be sent: a line break, or a letter that no key has, is in it.`,
      hint: `Copy it once more, and set ${variable} to nothing but the key.`,
    };
  }
  const bad = Object.entries(headers).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !isSendable(value),
  );
  return (
    bad && {
      kind: 'invalid',
      isFinal: true,
      message: `The setting openai.headers has a header that cannot be sent: ${bad[0]}.`,
      hint: 'Names are letters, digits and -; values are one line.',
    }
  );
}

function isSendable(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function asHeaders(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
