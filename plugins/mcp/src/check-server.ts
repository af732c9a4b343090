import {isToolError, messageOf} from '@gemini-kernel/kernel';
import type {Configured} from './config/read-servers.js';
import {showTarget} from './config/server-config.js';
import {ConnectFault} from './connection/mcp-errors.js';
import type {Open} from './connection/server-link.js';
import type {CheckStep, ServerCheck} from './contract.js';
import {listRemoteTools} from './offers/list-remote.js';
import {offerTools} from './offers/offered-tools.js';

/** Tries one server step by step, with a connection of its own. */
export async function checkServer(configured: Configured, open: Open, signal: AbortSignal): Promise<ServerCheck> {
  const {name, config, leftOut} = configured;
  const steps: CheckStep[] = [];
  const end = (tools: ServerCheck['tools'] = []): ServerCheck => ({
    name,
    ok: steps.every(({ok}) => ok),
    steps,
    tools,
  });
  steps.push(checkConfiguration(configured));
  // What an administrator forbids is not started to find out how it does.
  if (!config || leftOut?.reason === 'admin') return end();
  const timed = createTimer(configured, steps);
  const server = await timed('handshake', async () => {
    const opened = await open(config, signal);
    return {value: opened, detail: `${opened.title}, protocol ${opened.protocol}`};
  });
  if (!server) return end();
  const tools = await timed('tools', async () => {
    const found = offerTools(config, await listRemoteTools(server, {signal, timeout: config.timeoutMs}));
    const left = found.faults.length === 0 ? '' : ` ${found.faults.join(' ')}`;
    return {value: found.tools, detail: `${found.tools.length} offered.${left}`};
  });
  await server.close().catch(() => undefined);
  return end(tools?.map(({sourced}) => ({name: sourced.name, description: sourced.description})));
}

function checkConfiguration({config, leftOut}: Configured): CheckStep {
  const step = {step: 'configuration', ms: 0} as const;
  if (!config || leftOut?.reason === 'admin') return {...step, ok: false, detail: leftOut?.sentence ?? ''};
  const hint = leftOut && {hint: `It is not in use. ${leftOut.sentence}`};
  return {...step, ok: true, detail: `${config.way.kind}: ${showTarget(config)}`, ...hint};
}

/** Runs steps one after the other and keeps what came of each. */
function createTimer({name, config}: Configured, steps: CheckStep[]) {
  return async <T>(
    step: CheckStep['step'],
    act: () => Promise<{readonly value: T; readonly detail: string}>,
  ): Promise<T | undefined> => {
    const began = performance.now();
    const since = (): number => Math.round(performance.now() - began);
    // A program that gets as far as the handshake has started.
    const started = {step: 'start', ok: true, ms: 0, detail: 'The program runs.'} as const;
    const isProgram = step === 'handshake' && config?.way.kind === 'stdio';
    try {
      const {value, detail} = await act();
      if (isProgram) steps.push(started);
      steps.push({step, ok: true, ms: since(), detail});
      return value;
    } catch (error) {
      const failed = findFailed(error) ?? step;
      if (isProgram && failed === 'handshake') steps.push(started);
      const hint = isToolError(error) && failed === 'authorization' ? error.hint : NEXT[failed]?.(name);
      steps.push({step: failed, ok: false, ms: since(), detail: messageOf(error), ...(hint ? {hint} : {})});
      return undefined;
    }
  };
}

function findFailed(error: unknown): CheckStep['step'] | undefined {
  if (!isToolError(error)) return undefined;
  if (error.code === 'MCP_LOGIN_NEEDED') return 'authorization';
  return error.cause instanceof ConnectFault ? error.cause.step : undefined;
}

/** What to do about a step that failed. */
const NEXT: Readonly<Partial<Record<CheckStep['step'], (name: string) => string>>> = {
  program: (name) => `Install the program, or write its full path: \`gemini mcp get ${name}\` shows the entry.`,
  address: (name) => `Check the address and that the server runs: \`gemini mcp get ${name}\` shows the entry.`,
  start: (name) => `\`gemini mcp logs ${name}\` shows what it printed; often an argument or a variable is missing.`,
  handshake: (name) => `It does not answer as an MCP server does. \`gemini mcp logs ${name}\` shows what it printed.`,
  tools: (name) => `It answers, but its list cannot be used. \`gemini mcp logs ${name}\` shows what it printed.`,
};
