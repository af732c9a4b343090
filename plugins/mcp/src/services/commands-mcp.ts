import {KernelError, provide} from '@gemini-kernel/kernel';
import type {CommandSource, SourcedCommand} from '@gemini-kernel/plugin-agent/contract';
import type {Mcp, ServerPrompt} from '../contract.js';

const detachers = new WeakMap<CommandSource, () => void>();

/** The prompts of MCP servers as slash commands, for one session. */
export default provide('commands:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'run', 'complete'],
  create({service, session, changed}): CommandSource {
    let following: Promise<Mcp> | undefined;
    const follow = (): Promise<Mcp> =>
      (following ??= service('mcp').then((mcp) => {
        detachers.set(source, mcp.follow(changed));
        return mcp;
      }));
    const find = async (command: string): Promise<{readonly mcp: Mcp; readonly prompt: ServerPrompt}> => {
      const mcp = await follow();
      const prompts = await mcp.prompts();
      const prompt = prompts[namesOf(prompts).indexOf(command)];
      if (prompt) return {mcp, prompt};
      throw new KernelError('MCP_TOOL_GONE', `No MCP server has the prompt /${command} now.`);
    };
    const source: CommandSource = {
      list: async () => toCommands(await (await follow()).prompts()),
      async run(command, {values}, signal) {
        const {mcp, prompt} = await find(command);
        const watch = {session: session.id, signal, progress: () => undefined};
        return {kind: 'prompt', parts: await mcp.prompt(prompt.server, prompt.name, values, watch)};
      },
      async complete(command, {argument, prefix, values}, signal) {
        const {mcp, prompt} = await find(command);
        return mcp.complete(prompt.server, {prompt: prompt.name, argument, prefix, values}, signal);
      },
    };
    return source;
  },
  dispose: (source) => detachers.get(source)?.(),
});

function toCommands(prompts: readonly ServerPrompt[]): readonly SourcedCommand[] {
  const names = namesOf(prompts);
  return prompts.map(({server, description, arguments: given}, index) => ({
    name: names[index] ?? '',
    description: description || `A prompt of the MCP server ${server}.`,
    arguments: given,
    origin: {kind: 'server', name: server},
  }));
}

/** The names after the slash. The same prompt of a second server has the name of its server before it. */
function namesOf(prompts: readonly ServerPrompt[]): readonly string[] {
  const taken = new Set<string>();
  return prompts.map(({server, name}) => {
    const plain = toWord(name);
    const own = taken.has(plain) ? `${toWord(server)}.${plain}` : plain;
    taken.add(own);
    return own;
  });
}

function toWord(name: string): string {
  return name
    .trim()
    .replace(/^\/+/, '')
    .replace(/[\s\p{Cc}]+/gu, '-');
}
