import {provide, type ServiceContext, type ToolSource} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-telemetry/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Mcp} from '../contract.js';
import {FIND_TOOLS, findToolsTool, runFindTools} from '../offers/find-tools.js';
import {resourceTools, runResourceTool} from '../offers/resource-tools.js';
import {ResultFolder} from '../results/result-folder.js';

const closers = new WeakMap<ToolSource, () => Promise<void>>();

/** The tools of MCP servers, for one session. */
export default provide('tools:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'run'],
  create(context): ToolSource {
    let attaching: Promise<Mcp> | undefined;
    let detach = (): void => undefined;
    const kept = new ResultFolder(context);
    const attach = (): Promise<Mcp> =>
      (attaching ??= context.service('mcp').then((mcp) => {
        detach = mcp.attach(guestOf(context));
        return mcp;
      }));
    const source: ToolSource = {
      async list() {
        const mcp = await attach();
        const tools = await mcp.tools();
        const isMany = await (await context.service('mcp-choice')).isNeeded();
        return [...tools, ...resourceTools(await mcp.resources()), ...(isMany ? [findToolsTool(tools)] : [])];
      },
      async run(tool, input, {signal, progress, call}) {
        const mcp = await attach();
        const {id: session} = context.session;
        const traceparent = await traceOf(context, call.id);
        const watch = {session, signal, progress, keep: (text: string) => kept.keep(text), traceparent};
        if (tool === FIND_TOOLS) return runFindTools(await context.service('mcp-choice'), input);
        return runResourceTool(mcp, tool, input, watch) ?? mcp.run(tool, input, watch);
      },
    };
    closers.set(source, () => {
      detach();
      return kept.close();
    });
    return source;
  },
  dispose: (source) => closers.get(source)?.(),
});

/** The place of a call in the trace of telemetry, where that is on. */
async function traceOf({names, service, session}: ServiceContext, call: string): Promise<string | undefined> {
  return names('telemetry').length > 0 ? (await service('telemetry')).parentFor(session.id, call) : undefined;
}

function guestOf(context: ServiceContext): Parameters<Mcp['attach']>[0] {
  return {
    session: context.session.id,
    roots: async () => (await (await context.service('workspace')).roots()).map(({path}) => path),
    ask: (form, signal) => context.ask(form, signal),
    sample: async (request, signal) =>
      context.names('agent').length > 0
        ? (await context.service('agent')).ask(request, signal)
        : {status: 'failed', failure: {kind: 'invalid', message: 'The plugin "agent" is not installed.'}},
    changed: () => context.changed(),
  };
}
