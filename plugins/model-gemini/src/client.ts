import type {GoogleGenAI, GoogleGenAIOptions} from '@google/genai';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Access} from './access.js';
import {refuseDetour} from './detour.js';
import {Refusal, Unreachable} from './refusal.js';

/** What of the library is used here. */
export type Client = Pick<GoogleGenAI, 'models'>;

/** Opens the API; nobody is asked yet. The library is imported here, when a model is really asked. */
export async function openClient(access: Access, fetch: Network['fetch']): Promise<Client> {
  const {isVertex, key, project, location, baseUrl, apiVersion, headers, credentials} = access;
  const common: GoogleGenAIOptions = {
    vertexai: isVertex,
    ...(apiVersion === undefined ? {} : {apiVersion}),
    httpOptions: {
      ...(baseUrl === undefined ? {} : {baseUrl}),
      headers: {...headers},
      fetch: async (input, init) => ask(input, init, fetch),
    },
  };
  if (key !== undefined) {
    // The same library for browsers: 30 ms to import instead of 110 ms and a third of the memory, for it knows keys
    // only, and does not look at the variables of the process.
    const {GoogleGenAI} = await import('@google/genai/web');
    const options = {...common, apiKey: key};
    return quietly(() => new GoogleGenAI(options)) as unknown as Client;
  }
  const {GoogleGenAI} = await import('@google/genai');
  const place = {...(project === undefined ? {} : {project}), ...(location === undefined ? {} : {location})};
  return quietly(
    () =>
      new GoogleGenAI({
        ...common,
        ...place,
        googleAuthOptions: {
          ...(credentials === undefined ? {} : {keyFilename: credentials}),
          // Tokens come by the same proxies as answers.
          clientOptions: {transporterOptions: {fetchImplementation: fetch}},
        },
      }),
  );
}

/** The host that is asked. */
export function hostOf({baseUrl, isVertex, location, key}: Access): string {
  if (baseUrl !== undefined) return new URL(baseUrl).host;
  if (!isVertex) return 'generativelanguage.googleapis.com';
  return key !== undefined || location === undefined || location === 'global'
    ? 'aiplatform.googleapis.com'
    : `${location}-aiplatform.googleapis.com`;
}

/**
 * Asks by way of the proxies of this place; throws Refusal for what is no success, Detour and Unreachable, so that
 * nobody need look for words in an error.
 */
async function ask(input: string | URL | Request, init: RequestInit = {}, fetch: Network['fetch']): Promise<Response> {
  const headers = new Headers(init.headers);
  // Empty stands for "not this way": the library would put the key there.
  if (headers.get('x-goog-api-key') === '') headers.delete('x-goog-api-key');
  const response = await fetch(input, {...init, headers, redirect: 'manual'}).catch((cause: unknown) => {
    throw new Unreachable('The API cannot be reached.', {cause});
  });
  await refuseDetour(response);
  if (response.ok) return response;
  throw new Refusal(response.status, await response.text(), response.headers.get('retry-after') ?? undefined);
}

/**
 * The library prints what it thinks of variables, and of keys that are missing; what was decided here holds all the
 * same.
 */
function quietly<T>(create: () => T): T {
  const terminal = globalThis.console;
  const {warn, debug} = terminal;
  const silent = (): void => undefined;
  Object.assign(terminal, {warn: silent, debug: silent});
  try {
    return create();
  } finally {
    Object.assign(terminal, {warn, debug});
  }
}
