import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** What decides which server to use. */
export interface EndpointSources {
  variable(name: string): Promise<string | undefined>;
  /** A setting without the project's value: a project must not choose where a person's key goes. */
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

/** Decides which server to use, or what is wrong with its address. Sends no request. */
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
    hint: `Set it to an address such as ${LOCAL}.`,
  };
}

function noKey(address: string, variable: string): ModelFailure {
  return {
    kind: 'auth',
    isFinal: true,
    message: `There is no key for ${address}: ${variable} is not set.`,
    hint: `Set ${variable}, or set openai.apiKeyVariable to the variable with the key.`,
  };
}

/** Finds what `fetch` would reject in a request. */
function findUnsendable(headers: Endpoint['headers'], variable: string, key = ''): ModelFailure | undefined {
  if (!isSendable(key)) {
    return {
      kind: 'auth',
      isFinal: true,
      message: `Cannot send the key in ${variable}: it contains a line break or an invalid character.`,
      hint: `Copy the key again, and set ${variable} to the key alone.`,
    };
  }
  const bad = Object.entries(headers).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !isSendable(value),
  );
  return (
    bad && {
      kind: 'invalid',
      isFinal: true,
      message: `Cannot send the header ${bad[0]} from the setting openai.headers.`,
      hint: 'Use letters, digits and - in names, and one line per value.',
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
