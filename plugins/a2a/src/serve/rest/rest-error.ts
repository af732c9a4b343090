/** An error of JSON-RPC. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

interface RestError {
  readonly status: number;
  readonly body: {readonly error: Readonly<Record<string, unknown>>};
}

type Status = readonly [status: number, name: string];

const INVALID: Status = [400, 'INVALID_ARGUMENT'];
/** The status of HTTP, and the name of the protocol, for codes of JSON-RPC. */
const STATUSES: ReadonlyMap<number, Status> = new Map<number, Status>([
  [-32700, INVALID],
  [-32600, INVALID],
  [-32602, INVALID],
  [-32005, [415, 'INVALID_ARGUMENT']],
  [-32001, [404, 'NOT_FOUND']],
  [-32002, [409, 'FAILED_PRECONDITION']],
  [-32603, [500, 'INTERNAL']],
  [-32006, [502, 'INTERNAL']],
  // Operations and versions that are not there.
  [-32003, [400, 'UNIMPLEMENTED']],
  [-32004, [400, 'UNIMPLEMENTED']],
  [-32009, [400, 'UNIMPLEMENTED']],
]);
const OTHERS: Status = [400, 'FAILED_PRECONDITION'];

/** An error of JSON-RPC in the form of REST. */
export function restError({code, message, data}: RpcError): RestError {
  const [status, name] = STATUSES.get(code) ?? OTHERS;
  return {status, body: {error: {code: status, status: name, message, details: Array.isArray(data) ? data : []}}};
}

/** The form of 0.3: the error itself. */
export function earlierError({code, message, data}: RpcError): {readonly status: number; readonly body: RpcError} {
  const [status] = STATUSES.get(code) ?? OTHERS;
  return {status, body: {code, message, ...(data === undefined ? {} : {data})}};
}
