import type {ModelFailure} from '@gemini-kernel/plugin-agent/contract';

/** What decides how to reach the API. */
export interface AccessSources {
  variable(name: string): Promise<string | undefined>;
  setting(key: string): Promise<unknown>;
}

/** How to reach the API, and with which credentials. */
export interface Access {
  readonly isVertex: boolean;
  /** Undefined on Vertex: the credentials of the machine. */
  readonly key?: string;
  readonly project?: string;
  readonly location?: string;
  readonly baseUrl?: string;
  readonly apiVersion?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The file with the credentials of the machine, if not in the usual place. */
  readonly credentials?: string;
}

export type AccessOutcome = {readonly access: Access} | {readonly failure: ModelFailure};

const KEY_HINT =
  'Create a key at https://aistudio.google.com/apikey and set GEMINI_API_KEY, in the environment or in a file ' +
  '~/.gemini/.env.';

/** Decides how to reach the API, or what is missing. Sends no request. */
export async function findAccess({variable: read, setting}: AccessSources): Promise<AccessOutcome> {
  // A file may leave a byte order mark, or half of a line break, around a value.
  const variable: AccessSources['variable'] = async (name) => asText((await read(name))?.trim());
  const sources = {variable, setting};
  const type = asText(await setting('security.auth.selectedType')) ?? (await detectType(variable));
  const enforced = asText(await setting('security.auth.enforcedType'));
  if (enforced !== undefined && type !== undefined && type !== enforced) {
    return missing(
      `The settings of this machine require the authentication type ${enforced}, but ${type} is selected.`,
      `Set security.auth.selectedType to ${enforced}, and its variables.`,
    );
  }
  const wanted = enforced ?? type;
  if (wanted === 'gemini-api-key' || wanted === undefined) return withKey(sources);
  if (wanted === 'gateway') return withGateway(sources);
  if (wanted === 'vertex-ai') return withVertex(sources);
  return withoutLogin(wanted, variable);
}

/** The authentication type that the variables imply, in the order of Gemini CLI. */
async function detectType(variable: AccessSources['variable']): Promise<string | undefined> {
  if ((await variable('GOOGLE_GENAI_USE_GCA')) === 'true') return 'oauth-personal';
  if ((await variable('GOOGLE_GENAI_USE_VERTEXAI')) === 'true') return 'vertex-ai';
  if (await variable('GOOGLE_GEMINI_BASE_URL')) return 'gateway';
  if ((await variable('GEMINI_API_KEY')) ?? (await variable('GOOGLE_API_KEY'))) return 'gemini-api-key';
  if ((await variable('CLOUD_SHELL')) === 'true' || (await variable('GEMINI_CLI_USE_COMPUTE_ADC')) === 'true')
    return 'compute-default-credentials';
  return undefined;
}

async function withKey(sources: AccessSources): Promise<AccessOutcome> {
  const key = (await sources.variable('GEMINI_API_KEY')) ?? (await sources.variable('GOOGLE_API_KEY'));
  if (key === undefined) return missing('There is no key for the Gemini API.', KEY_HINT);
  return finish(sources, {isVertex: false, key}, 'GOOGLE_GEMINI_BASE_URL');
}

async function withGateway(sources: AccessSources): Promise<AccessOutcome> {
  if (!(await sources.variable('GOOGLE_GEMINI_BASE_URL')))
    return missing(
      'The settings select a gateway, but its address is missing.',
      'Set GOOGLE_GEMINI_BASE_URL to its address.',
    );
  const key = (await sources.variable('GEMINI_API_KEY')) ?? (await sources.variable('GOOGLE_API_KEY'));
  // A gateway may know who asks without a key.
  return finish(sources, {isVertex: false, key: key ?? ''}, 'GOOGLE_GEMINI_BASE_URL');
}

async function withVertex(sources: AccessSources): Promise<AccessOutcome> {
  const {variable, setting} = sources;
  const key = await variable('GOOGLE_API_KEY');
  const project = (await variable('GOOGLE_CLOUD_PROJECT')) ?? (await variable('GOOGLE_CLOUD_PROJECT_ID'));
  const location = await variable('GOOGLE_CLOUD_LOCATION');
  if (key === undefined && (project === undefined || location === undefined)) {
    return missing(
      'Vertex is selected, but there is neither a key nor a project with its location.',
      'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY.',
    );
  }
  // It becomes part of the host.
  if (location !== undefined && !/^[\w-]+$/.test(location))
    return {
      failure: {
        kind: 'invalid',
        isFinal: true,
        message: `GOOGLE_CLOUD_LOCATION is not a location: ${location}.`,
        hint: 'Set it to a location such as europe-west1 or global.',
      },
    };
  const credentials = await variable('GOOGLE_APPLICATION_CREDENTIALS');
  const headers = omitUndefined({
    'x-goog-user-project': await variable('GOOGLE_CLOUD_QUOTA_PROJECT'),
    'X-Vertex-AI-LLM-Request-Type': asText(await setting('billing.vertexAi.requestType')),
    'X-Vertex-AI-LLM-Shared-Request-Type': asText(await setting('billing.vertexAi.sharedRequestType')),
  });
  const who = key === undefined ? omitUndefined({project, location, credentials}) : {key};
  return finish(sources, {isVertex: true, ...who, headers}, 'GOOGLE_VERTEX_BASE_URL');
}

/** The entries that have a value. */
function omitUndefined<T extends object>(entries: T): {readonly [K in keyof T]?: Exclude<T[K], undefined>} {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    // `fromEntries` forgets the names; they are those of `entries`.
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

async function withoutLogin(type: string, variable: AccessSources['variable']): Promise<AccessOutcome> {
  const isKnown = ['oauth-personal', 'cloud-shell', 'compute-default-credentials'].includes(type);
  const message = isKnown
    ? `Signing in with a Google account (${type}) is not supported.`
    : `${type} is not an authentication type.`;
  const name = (await variable('GEMINI_API_KEY'))
    ? 'GEMINI_API_KEY'
    : (await variable('GOOGLE_API_KEY'))
      ? 'GOOGLE_API_KEY'
      : undefined;
  return missing(
    message,
    name ? `${name} is set. To use it, run gemini settings set security.auth.selectedType gemini-api-key.` : KEY_HINT,
  );
}

/** Adds what is the same however the API is reached. */
async function finish(
  {variable}: AccessSources,
  access: Omit<Access, 'headers'> & {readonly headers?: Access['headers']},
  base: string,
): Promise<AccessOutcome> {
  const [baseUrl, apiVersion] = [await variable(base), await variable('GOOGLE_GENAI_API_VERSION')];
  if (baseUrl !== undefined && (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)))
    return {
      failure: {
        kind: 'invalid',
        isFinal: true,
        message: `${base} is not an address: ${baseUrl}.`,
        hint: 'An address starts with https:// or http://.',
      },
    };
  const isBearer = (await variable('GEMINI_API_KEY_AUTH_MECHANISM')) === 'bearer';
  // An empty header keeps the library from sending the key, or the lack of one, its own way.
  const own =
    access.key === ''
      ? {'x-goog-api-key': ''}
      : isBearer && access.key
        ? {Authorization: `Bearer ${access.key}`, 'x-goog-api-key': ''}
        : {};
  const headers = {...access.headers, ...own, ...parseHeaders(await variable('GEMINI_CLI_CUSTOM_HEADERS'))};
  const failure = await findUnsendable(access.key, headers, variable);
  if (failure) return {failure};
  return {access: {...access, ...omitUndefined({baseUrl, apiVersion}), headers}};
}

/** Finds what `fetch` would reject in a request. */
async function findUnsendable(
  key: string | undefined,
  headers: Access['headers'],
  variable: AccessSources['variable'],
): Promise<ModelFailure | undefined> {
  if (key !== undefined && !isSendable(key)) {
    const name = (await variable('GEMINI_API_KEY')) === key ? 'GEMINI_API_KEY' : 'GOOGLE_API_KEY';
    return {
      kind: 'auth',
      isFinal: true,
      message: `Cannot send the key in ${name}: it contains a line break or an invalid character.`,
      hint: `Copy the key again, and set ${name} to the key alone.`,
    };
  }
  const bad = Object.entries(headers).find(([, value]) => !isSendable(value));
  return (
    bad && {
      kind: 'invalid',
      isFinal: true,
      message: `Cannot send the header ${bad[0]}: its value contains a line break or an invalid character.`,
      hint: 'Check GEMINI_CLI_CUSTOM_HEADERS.',
    }
  );
}

function isSendable(text: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text);
}

/**
 * Headers as a variable states them: `Name: value, Name2: value`. A comma inside a value is one unless a name and a
 * colon follow.
 */
export function parseHeaders(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(/,(?=\s*[^\s,:]+\s*:)/).map((entry) => {
    const at = entry.indexOf(':');
    return [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)));
}

function missing(message: string, hint: string): AccessOutcome {
  return {failure: {kind: 'auth', message, hint, isFinal: true}};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
