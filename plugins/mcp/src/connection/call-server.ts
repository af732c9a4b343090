import {markForeign, ToolError, type ToolResult} from '@gemini-kernel/kernel';
import type {ServerConfig} from '../config/server-config.js';
import type {CallWatch} from '../contract.js';
import {anything} from '../offers/list-remote.js';
import type {RemoteTool} from '../offers/offered-tools.js';
import {keepLong, noteLong, textsOf} from '../results/keep-long.js';
import {bound, errorText, showResult} from '../results/show-result.js';
import type {Tool} from '../sdk/client.js';
import {reasonOf, unavailable} from './mcp-errors.js';
import {codeOf, type OpenServer} from './open-server.js';
import type {ServerLink} from './server-link.js';

export interface ServerCall {
  readonly config: ServerConfig;
  readonly link: ServerLink;
  readonly tool: RemoteTool & {readonly name: string};
  readonly input: unknown;
  readonly watch: CallWatch;
}

type Result = Readonly<Record<string, unknown>>;

interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Calls a tool of a server. Throws ToolError MCP_CALL_FAILED, MCP_TIMEOUT or MCP_SERVER_UNAVAILABLE. */
export async function callServer(call: ServerCall): Promise<ToolResult> {
  const {config, tool} = call;
  const result = await send(call, true);
  if (result['isError'] === true) throw await failed(call, errorText(result));
  return keepLong(showResult(config.name, tool.name, result), textsOf(result), call.watch);
}

async function send(call: ServerCall, mayRepeat: boolean): Promise<Result> {
  const {link, watch} = call;
  const server = await link.use(watch.signal);
  try {
    return await request(server, call);
  } catch (error) {
    watch.signal.throwIfAborted();
    // Neither of these has reached the tool.
    if (mayRepeat && (isForgotten(server, error) || codeOf(error) === 'ECONNREFUSED')) {
      await link.renew();
      return send(call, false);
    }
    throw await describe(server, call, error);
  }
}

function request({client}: OpenServer, {config, tool, input, watch}: ServerCall): Promise<Result> {
  const {traceparent} = watch;
  const params = {
    name: tool.name,
    arguments: input as Record<string, unknown>,
    ...(traceparent === undefined ? {} : {_meta: {traceparent}}),
  };
  const options = {
    signal: watch.signal,
    timeout: config.timeoutMs,
    resetTimeoutOnProgress: true,
    onprogress: ({progress, total, message}: Progress) =>
      watch.progress({
        text: message ?? tool.name,
        done: progress,
        ...(total === undefined ? {} : {total}),
      }),
  };
  if (client.getProtocolEra() !== 'modern') return client.request({method: 'tools/call', params}, anything, options);
  const {outputSchema, ...definition} = tool;
  void outputSchema;
  return client.callTool(params, {...options, toolDefinition: definition as Tool});
}

/** Whether an HTTP server no longer knows the session, as it must say before it does anything. */
function isForgotten({sdk}: OpenServer, error: unknown): boolean {
  return error instanceof sdk.SdkHttpError && error.status === 404;
}

async function describe({sdk, ended}: OpenServer, call: ServerCall, error: unknown): Promise<ToolError> {
  const {config, tool} = call;
  const label = `The tool ${tool.name} of "${config.name}"`;
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout)
    return new ToolError('MCP_TIMEOUT', `${label} gave no answer within ${config.timeoutMs / 1000} seconds.`, {
      hint: `It may have had an effect all the same. \`timeout\` in mcpServers.${config.name} sets the limit.`,
    });
  if (ended.aborted)
    return unavailable(
      config.name,
      `it ${String(ended.reason)} while ${tool.name} was running, which may have had an effect`,
      error,
    );
  return failed(call, `${reasonOf(error)}.`, error);
}

/** The reason is what the server says: data, whatever it says. A long one is cut like a long result. */
async function failed({config, tool, watch}: ServerCall, reason: string, cause?: unknown): Promise<ToolError> {
  const label = `The tool ${tool.name} of "${config.name}" failed`;
  const note = await noteLong([reason], watch);
  return new ToolError('MCP_CALL_FAILED', `${label}: ${bound(reason)}`, {
    model: `${label}:\n${markForeign(bound(reason))}${note === undefined ? '' : `\n${note}`}`,
    cause,
  });
}
