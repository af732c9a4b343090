import type {GoogleGenAI, GoogleGenAIOptions} from '@google/genai';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {Access} from './access.js';
import {refuseDetour} from './detour.js';
import {Refusal, Unreachable} from './refusal.js';

/** The part of the library that is used here. */
export type Client = Pick<GoogleGenAI, 'models'>;

/** Opens the API without a request. Imports the library, so call it only before a request. */
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
    // The browser build of the same library imports in 30 ms instead of 110 ms with a third of the memory, because it
    // supports only keys and does not read the variables of the process.
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

/** The host of the API. */
export function hostOf({baseUrl, isVertex, location, key}: Access): string {
  if (baseUrl !== undefined) return new URL(baseUrl).host;
  if (!isVertex) return 'generativelanguage.googleapis.com';
  return key !== undefined || location === undefined || location === 'global'
    ? 'aiplatform.googleapis.com'
    : `${location}-aiplatform.googleapis.com`;
}

/**
 * Fetches through the proxies of this place. Throws Refusal for an error status, Detour and Unreachable, so that
 * callers need not parse messages.
 */
async function ask(input: string | URL | Request, init: RequestInit = {}, fetch: Network['fetch']): Promise<Response> {
  const headers = new Headers(init.headers);
  // Empty means "not this way": the library would put the key there.
  if (headers.get('x-goog-api-key') === '') headers.delete('x-goog-api-key');
  const response = await fetch(input, {...init, headers, redirect: 'manual'}).catch((cause: unknown) => {
    throw new Unreachable('Cannot reach the API.', {cause});
  });
  await refuseDetour(response);
  if (response.ok) return response;
  throw new Refusal(response.status, await response.text(), response.headers.get('retry-after') ?? undefined);
}

/** Silences the library's warnings about variables and missing keys, which do not affect the decision made here. */
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
