import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {createAgent, type Agent, type AgentOptions} from '@gemini-kernel/sdk';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

/** A folder, a home and a scripted model for agents. */
export interface SdkPlace {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  readonly server: ScriptedServer;
  /** The variables with which an agent finds the model. */
  readonly variables: Readonly<Record<string, string>>;
  /** An agent that trusts the folder and keeps its sessions in the home, unless the options say otherwise. */
  agent(options?: Partial<AgentOptions>): Promise<Agent>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openSdkPlace(script: Script = [], files: Record<string, string> = {}): Promise<SdkPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-sdk-test-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  const quick = JSON.stringify({general: {maxAttempts: 2}, model: {retryDelay: 1, fallback: []}});
  for (const [name, text] of Object.entries({'../home/.gemini/settings.json': quick, 'a.txt': 'one\n', ...files})) {
    await mkdir(dirname(join(cwd, name)), {recursive: true});
    await writeFile(join(cwd, name), text);
  }
  const server = await startGeminiServer({script, models: ['model-a']});
  const variables = {GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: server.url};
  const agents: Agent[] = [];
  return {
    ...{root, cwd, home, server, variables},
    async agent(options = {}) {
      const environment = {variables, home};
      const agent = await createAgent({cwd, trusted: true, model: 'model-a', environment, ...options});
      agents.push(agent);
      return agent;
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) await agent.dispose();
      await server.close();
      await rm(root, {recursive: true, force: true});
    },
  };
}
