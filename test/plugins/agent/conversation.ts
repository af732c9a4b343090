import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import type {Agent, AgentEvent, TurnEnd} from '@gemini-kernel/plugin-agent/contract';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import {pluginRoot} from '../../helpers/plugin-root.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

const PLUGINS = ['settings', 'trust', 'env', 'network', 'workspace', 'policy', 'filesystem', 'agent', 'model-gemini'];

interface Options extends Omit<Partial<TestKernelOptions>, 'plugins'> {
  readonly script: Script;
  /** Of the user, beside a short delay between attempts. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Names of more first-party plugins. */
  readonly more?: readonly string[];
  /** Plugins made for a test. */
  readonly others?: readonly CatalogPlugin[];
}

export interface Conversation {
  readonly kernel: TestKernel;
  readonly server: ScriptedServer;
  readonly agent: Agent;
  readonly events: AgentEvent[];
  send(text: string, signal?: AbortSignal): Promise<TurnEnd>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A conversation with a scripted Gemini API: real HTTP, the real client, a real kernel. */
export async function startConversation({
  script,
  settings = {},
  more = [],
  others = [],
  ...options
}: Options): Promise<Conversation> {
  const server = await startGeminiServer({script});
  const kernel = await createTestKernel({
    live: true,
    ...options,
    plugins: [...[...PLUGINS, ...more].map(pluginRoot), ...others],
    homeFiles: {
      '.gemini/settings.json': JSON.stringify({
        ...settings,
        model: {retryDelay: 1, ...(settings['model'] as object | undefined)},
      }),
      ...options.homeFiles,
    },
    variables: {
      GEMINI_API_KEY: 'key',
      GOOGLE_GEMINI_BASE_URL: server.url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      ...options.variables,
    },
  });
  const agent = await kernel.service('agent');
  const events: AgentEvent[] = [];
  return {
    kernel,
    server,
    agent,
    events,
    send: (text, signal = new AbortController().signal) =>
      agent.send({text}, {signal, onEvent: (event) => void events.push(event)}),
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await server.close();
    },
  };
}
