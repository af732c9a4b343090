import {decode, type Asked} from '../find-route.js';
import * as form from './form.js';
import {defined, fieldOf, fieldsOf, type Fields} from './form.js';

/** A request of REST of protocol 0.3, as one of JSON-RPC of 0.3. */
export interface EarlierAsked extends Asked {
  /** Puts what JSON-RPC answers into the form of REST. */
  write(result: unknown): unknown;
}

type Named = Readonly<Record<string, string>>;

interface Route {
  readonly verbs: readonly string[];
  readonly path: RegExp;
  readonly method: string;
  params?(named: Named, body: Fields, query: URLSearchParams): Fields;
  write(result: unknown): unknown;
}

const TASK = '/v1/tasks/(?<id>[^/:]{1,200})';
const RECEIVERS = `${TASK}/pushNotificationConfigs`;
const RECEIVER = `${RECEIVERS}/(?<pushNotificationConfigId>[^/:]{1,200})`;

function routes(): readonly Route[] {
  const {writeResult, writeTask, writeReceiver, writeCard} = form;
  const get = {verbs: ['GET']};
  const post = {verbs: ['POST']};
  const at = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
  const receiver = 'tasks/pushNotificationConfig';
  return [
    {...post, path: at('/v1/message:send'), method: 'message/send', params: sending, write: writeResult},
    {...post, path: at('/v1/message:stream'), method: 'message/stream', params: sending, write: writeResult},
    {...get, path: at(TASK), method: 'tasks/get', params: asking, write: writeTask},
    {...post, path: at(`${TASK}:cancel`), method: 'tasks/cancel', write: writeTask},
    {verbs: ['GET', 'POST'], path: at(`${TASK}:subscribe`), method: 'tasks/resubscribe', write: writeResult},
    {...post, path: at(RECEIVERS), method: `${receiver}/set`, params: receiving, write: writeReceiver},
    {...get, path: at(RECEIVERS), method: `${receiver}/list`, write: writeReceivers},
    {...get, path: at(RECEIVER), method: `${receiver}/get`, write: writeReceiver},
    {verbs: ['DELETE'], path: at(RECEIVER), method: `${receiver}/delete`, write: () => null},
    {...get, path: at('/v1/card'), method: 'agent/getAuthenticatedExtendedCard', write: writeCard},
  ];
}

/** What a request asks for; undefined for an address that is not served. */
export function findEarlier(verb: string, url: string, body: Fields): EarlierAsked | undefined {
  const {pathname, searchParams} = new URL(url, 'http://localhost');
  for (const {verbs, path, method, params = (all: Named) => all, write} of routes()) {
    const match = path.exec(pathname);
    if (!match || !verbs.includes(verb)) continue;
    const named = Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, text]) => [key, decode(text)]));
    const given = params(named, body, searchParams);
    const isWrong = 'historyLength' in given && !Number.isSafeInteger(given['historyLength']);
    return {method, params: given, write, ...(isWrong ? {fault: 'historyLength must be a whole number.'} : {})};
  }
  return undefined;
}

function sending(_: Named, body: Fields): Fields {
  const given = fieldsOf(body['configuration']);
  const configuration = defined({
    acceptedOutputModes: fieldOf(given, 'acceptedOutputModes'),
    pushNotificationConfig: fieldOf(given, 'pushNotification'),
    // A number without a value is 0 in this form.
    historyLength: fieldOf(given, 'historyLength') || undefined,
    blocking: given['blocking'] === true,
  });
  return defined({
    message: form.readMessage(body['message'] ?? body['request']),
    configuration,
    metadata: body['metadata'],
  });
}

function asking(named: Named, _: Fields, query: URLSearchParams): Fields {
  const asked = query.get('historyLength') ?? query.get('history_length');
  return asked === null ? named : {...named, historyLength: /^\d{1,9}$/.test(asked) ? Number(asked) : asked};
}

/** The receiver itself, or the request of the schema that has it as `config`. */
function receiving({id}: Named, body: Fields): Fields {
  const given = fieldsOf(
    fieldOf(body, 'pushNotificationConfig') ?? fieldOf(fieldsOf(body['config']), 'pushNotificationConfig'),
  );
  const named = /[^/]+$/.exec(String(body['name'] ?? ''))?.[0];
  const own = given['id'] || fieldOf(body, 'configId') || named;
  return {taskId: id, pushNotificationConfig: {...given, ...(own ? {id: own} : {})}};
}

function writeReceivers(result: unknown): unknown {
  return {configs: Array.isArray(result) ? result.map(form.writeReceiver) : []};
}
