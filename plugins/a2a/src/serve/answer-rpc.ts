import type {ServerResponse} from 'node:http';
import type {Caller} from './answer-request.js';
import {sendEvents, sendJson} from './send.js';

/** Answers one request of JSON-RPC, of protocol 1.0 or 0.3; what streams comes as server-sent events. */
export async function answerRpc(body: string, response: ServerResponse, caller: Caller): Promise<void> {
  const {sdk, card, context} = caller;
  const isEarlier = context.requestedVersion.startsWith('0.');
  const fail = (error: unknown): object => ({
    ...{jsonrpc: '2.0', id: null},
    error: isEarlier
      ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
      : sdk.JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  try {
    sdk.validateVersion(context.requestedVersion, card, 'JSONRPC');
    const rpc = isEarlier ? new sdk.LegacyJsonRpcTransportHandler(caller.handler) : caller.rpc;
    const answer = await rpc.handle(body, context);
    if (!(Symbol.asyncIterator in answer)) return sendJson(response, answer);
    await sendEvents(response, untilFailed(answer, fail));
  } catch (error) {
    sendJson(response, fail(error));
  }
}

/** The events of a stream; what it fails with is the last. */
async function* untilFailed(events: AsyncIterable<unknown>, fail: (error: unknown) => object): AsyncGenerator<unknown> {
  try {
    yield* events;
  } catch (error) {
    yield fail(error);
  }
}
