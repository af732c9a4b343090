/** A request of REST as one of JSON-RPC. */
export interface Asked {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What a value of the query must be and is not, as a sentence. */
  readonly fault?: string;
}

interface Route {
  readonly verbs: readonly string[];
  readonly path: RegExp;
  readonly method: string;
}

const ID = '(?<id>[^/:]{1,200})';
const RECEIVERS = '/tasks/(?<taskId>[^/:]{1,200})/pushNotificationConfigs';

function routes(): readonly Route[] {
  return [
    {verbs: ['POST'], path: /^\/message:send$/, method: 'SendMessage'},
    {verbs: ['POST'], path: /^\/message:stream$/, method: 'SendStreamingMessage'},
    {verbs: ['GET'], path: /^\/tasks$/, method: 'ListTasks'},
    {verbs: ['GET'], path: new RegExp(`^/tasks/${ID}$`), method: 'GetTask'},
    {verbs: ['POST'], path: new RegExp(`^/tasks/${ID}:cancel$`), method: 'CancelTask'},
    {verbs: ['GET', 'POST'], path: new RegExp(`^/tasks/${ID}:subscribe$`), method: 'SubscribeToTask'},
    {verbs: ['POST'], path: new RegExp(`^${RECEIVERS}$`), method: 'CreateTaskPushNotificationConfig'},
    {verbs: ['GET'], path: new RegExp(`^${RECEIVERS}$`), method: 'ListTaskPushNotificationConfigs'},
    {verbs: ['GET'], path: new RegExp(`^${RECEIVERS}/${ID}$`), method: 'GetTaskPushNotificationConfig'},
    {verbs: ['DELETE'], path: new RegExp(`^${RECEIVERS}/${ID}$`), method: 'DeleteTaskPushNotificationConfig'},
    {verbs: ['GET'], path: /^\/extendedAgentCard$/, method: 'GetExtendedAgentCard'},
  ];
}

/** What a query says as a text, and is something else. */
const NUMBERS = ['historyLength', 'pageSize'];
const ANSWERS = ['includeArtifacts'];

/**
 * What a request of REST asks for; undefined for an address that is not served. A path says more than a query, and
 * both say more than a body.
 */
export function findRoute(verb: string, url: string, body: Readonly<Record<string, unknown>>): Asked | undefined {
  const {pathname, searchParams} = new URL(url, 'http://localhost');
  for (const {verbs, path, method} of routes()) {
    const match = path.exec(pathname);
    if (!match || !verbs.includes(verb)) continue;
    const named = Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, text]) => [key, decode(text)]));
    const wrong = NUMBERS.find((key) => searchParams.has(key) && !/^\d{1,9}$/.test(searchParams.get(key) ?? ''));
    const fault = wrong === undefined ? {} : {fault: `${wrong} must be a whole number.`};
    return {method, params: {...body, ...readQuery(searchParams), ...named}, ...fault};
  }
  return undefined;
}

function readQuery(query: URLSearchParams): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...query].map(([key, value]) => {
      if (NUMBERS.includes(key)) return [key, Number(value)];
      return [key, ANSWERS.includes(key) ? value === 'true' : value];
    }),
  );
}

/** A part of an address; as it is where it is wrongly encoded. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
