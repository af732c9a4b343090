import type {Model} from '@gemini-kernel/plugin-agent/contract';
import {createTestKernel, type TestKernel, type TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {type ModelSuiteOptions} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from './gemini-server.js';
import {startOpenaiServer} from './openai-server.js';
import {pluginRoot} from './plugin-root.js';
import type {ScriptedServer} from './scripted-server.js';

/** A provider of models in a really booted kernel, beside the scripted server that it asks. */
export interface ModelSubject {
  readonly server: ScriptedServer;
  readonly kernel: TestKernel;
  readonly model: Model;
  readonly suite: ModelSuiteOptions;
  [Symbol.asyncDispose](): Promise<void>;
}

type Given = Omit<Partial<TestKernelOptions>, 'plugins'>;

interface Kind {
  readonly plugin: string;
  readonly service: `model:${string}`;
  readonly start: () => Promise<ScriptedServer>;
  readonly variables: (url: string) => Readonly<Record<string, string>>;
  readonly suite: Pick<ModelSuiteOptions, 'model' | 'without'>;
}

const gemini: Kind = {
  plugin: 'model-gemini',
  service: 'model:gemini',
  start: () => startGeminiServer({models: ['gemini-2.5-flash']}),
  variables: (url) => ({GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: url}),
  suite: {model: 'gemini-2.5-flash', without: ['malformed-calls']},
};

const openai: Kind = {
  plugin: 'model-openai',
  service: 'model:openai',
  start: () => startOpenaiServer({models: ['llama3']}),
  variables: (url) => ({OPENAI_API_KEY: 'test-key', OPENAI_BASE_URL: `${url}/v1`}),
  suite: {model: 'llama3', without: ['signatures']},
};

/** Boots the real plugin of OpenAI-compatible models before a scripted server. */
export function openOpenai(given?: Given): Promise<ModelSubject> {
  return open(openai, given);
}

/** Boots the real plugin of Gemini's models before a scripted server. */
export function openGemini(given?: Given): Promise<ModelSubject> {
  return open(gemini, given);
}

async function open({plugin, service, start, variables, suite}: Kind, given: Given = {}): Promise<ModelSubject> {
  const server = await start();
  const kernel = await createTestKernel({
    ...given,
    plugins: ['settings', 'trust', 'env', 'network', plugin].map(pluginRoot),
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', ...variables(server.url), ...given.variables},
  });
  const model = await kernel.service(service);
  return {
    server,
    kernel,
    model,
    suite: {
      ...suite,
      open: () => Promise.resolve(model),
      script: (answers) => server.script(answers),
      requests: () => server.requests,
      release: () => server.release(),
    },
    async [Symbol.asyncDispose]() {
      await kernel.close();
      await server.close();
    },
  };
}
