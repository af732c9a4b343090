/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, string>> = {user: 'ROLE_USER', agent: 'ROLE_AGENT'};
/** The words of REST differ from those of JSON-RPC here only. */
const STATES: Readonly<Record<string, string>> = {canceled: 'CANCELLED', unknown: 'UNSPECIFIED'};

/** The fields of a value; none of a value that is not an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A field, by its name or by that of the protocol's schema: `contextId` or `context_id`. */
export function fieldOf(fields: Fields, name: string): unknown {
  return fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** A message of REST in the form of JSON-RPC. */
export function readMessage(value: unknown): Fields {
  const given = fieldsOf(value);
  const content = fieldOf(given, 'content');
  return defined({
    kind: 'message',
    messageId: fieldOf(given, 'messageId'),
    contextId: fieldOf(given, 'contextId') || undefined,
    taskId: fieldOf(given, 'taskId') || undefined,
    role: Object.keys(ROLES).find((role) => ROLES[role] === given['role']) ?? given['role'],
    parts: Array.isArray(content) ? content.map(readPart) : content,
    metadata: given['metadata'],
    extensions: given['extensions'],
  });
}

function readPart(value: unknown): Fields {
  const {text, file, data, metadata} = fieldsOf(value);
  if (text !== undefined) return defined({kind: 'text', text, metadata});
  if (data !== undefined) return defined({kind: 'data', data: fieldsOf(data)['data'], metadata});
  const given = fieldsOf(file);
  const [uri, bytes] = [fieldOf(given, 'fileWithUri'), fieldOf(given, 'fileWithBytes')];
  const mimeType = fieldOf(given, 'mimeType');
  return defined({kind: 'file', file: defined({uri, bytes, mimeType, name: given['name']}), metadata});
}

/** A task, a message or an event of JSON-RPC, under the name that REST gives it. */
export function writeResult(value: unknown): Fields {
  const given = fieldsOf(value);
  const {kind, ...rest} = given;
  if (kind === 'task') return {task: writeTask(given)};
  if (kind === 'message') return {message: writeMessage(given)};
  if (kind === 'status-update') return {statusUpdate: {...rest, status: writeStatus(given['status'])}};
  return {artifactUpdate: {...rest, artifact: writeArtifact(given['artifact'])}};
}

export function writeTask(value: unknown): Fields {
  const {id, contextId, status, artifacts, history, metadata} = fieldsOf(value);
  return defined({
    ...{id, contextId, status: writeStatus(status), metadata},
    artifacts: Array.isArray(artifacts) ? artifacts.map(writeArtifact) : undefined,
    history: Array.isArray(history) ? history.map(writeMessage) : undefined,
  });
}

function writeStatus(value: unknown): Fields {
  const {state, message, timestamp} = fieldsOf(value);
  const word = STATES[String(state)] ?? String(state).toUpperCase().replaceAll('-', '_');
  const update = message === undefined ? undefined : writeMessage(message);
  return defined({state: `TASK_STATE_${word}`, update, timestamp});
}

function writeMessage(value: unknown): Fields {
  const {kind: _, parts, role, ...rest} = fieldsOf(value);
  return {...rest, role: ROLES[String(role)] ?? 'ROLE_UNSPECIFIED', content: writeParts(parts)};
}

function writeArtifact(value: unknown): Fields {
  const {parts, ...rest} = fieldsOf(value);
  return {...rest, parts: writeParts(parts)};
}

function writeParts(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(writePart) : [];
}

function writePart(value: unknown): Fields {
  const {kind, text, data, file, metadata} = fieldsOf(value);
  if (kind === 'text') return defined({text, metadata});
  if (kind === 'data') return defined({data: {data}, metadata});
  const {uri, bytes, mimeType, name} = fieldsOf(file);
  return defined({file: defined({fileWithUri: uri, fileWithBytes: bytes, mimeType, name}), metadata});
}

/** The card, whose logins have another form in REST. */
export function writeCard(value: unknown): Fields {
  const {securitySchemes, security, ...rest} = fieldsOf(value);
  const lists = (one: unknown): Fields =>
    Object.fromEntries(Object.entries(fieldsOf(one)).map(([name, list]) => [name, {list}]));
  return defined({
    ...rest,
    securitySchemes: Object.fromEntries(
      Object.entries(fieldsOf(securitySchemes)).map(([name, scheme]) => [name, writeScheme(fieldsOf(scheme))]),
    ),
    security: Array.isArray(security) ? security.map((one) => ({schemes: lists(one)})) : undefined,
  });
}

function writeScheme({type, ...scheme}: Fields): Fields {
  if (type === 'http') return {httpAuthSecurityScheme: scheme};
  return type === 'openIdConnect' ? {openIdConnectSecurityScheme: scheme} : {mtlsSecurityScheme: scheme};
}

/** A receiver of notifications, by its full name. */
export function writeReceiver(value: unknown): Fields {
  const {taskId, pushNotificationConfig} = fieldsOf(value);
  const {id} = fieldsOf(pushNotificationConfig);
  return {name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(id)}`, pushNotificationConfig};
}

/** Without the fields that have no value. */
export function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
