import {KernelError, provide} from '@gemini-kernel/kernel';
import type {PromptPart} from '@gemini-kernel/plugin-agent/contract';
import type {PromptSource, ServedContent} from '@gemini-kernel/plugin-mcp-server/contract';
import type {CustomCommand} from '../contract.js';

const ARGUMENT = 'args';

/** Custom commands as prompts for MCP clients. Of two with one name, the one that counts more is served. */
export default provide('mcp-prompts:custom', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list', 'get', 'complete'],
  create({service, signal}): PromptSource {
    const read = async (): Promise<ReadonlyMap<string, CustomCommand>> => {
      const {commands} = await (await service('custom-commands')).list();
      return new Map(commands.toReversed().map((command) => [command.name, command]));
    };
    return {
      async list() {
        const commands = [...(await read()).values()].reverse();
        return commands.map(({name, description, argumentHint}) => ({
          name,
          description,
          arguments: [{name: ARGUMENT, description: argumentHint ?? 'What you would type after the command.'}],
        }));
      },
      async get(name, {[ARGUMENT]: given = ''}) {
        const command = (await read()).get(name);
        if (!command) throw new KernelError('CUSTOM_COMMAND_UNKNOWN', `There is no custom command /${name}.`);
        const text = given.trim();
        const source = await service('commands:custom');
        const outcome = await source.run(command.id, {line: `/${name} ${text}`.trim(), text, values: {}}, signal);
        const parts = outcome.kind === 'prompt' ? outcome.parts : [{text: outcome.text}];
        return parts.map((part) => ({role: 'user', content: toContent(part)}));
      },
      complete: async () => [],
    };
  },
});

function toContent(part: PromptPart): ServedContent {
  if ('text' in part) return {type: 'text', text: part.text};
  const {mimeType, data} = part.inlineData;
  const [, kind] = /^(image|audio)\//.exec(mimeType) ?? [];
  if (kind === 'image' || kind === 'audio') return {type: kind, mimeType, data};
  return {type: 'resource', resource: {uri: 'gemini:attachment', mimeType, blob: data}};
}
