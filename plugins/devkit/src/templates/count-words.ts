import type {NewPlugin} from '../new-plugin.js';

/** Split, because this plugin does not throw the code. */
const CODE = 'TEXT_UNREADABLE';

/** The main file of a new plugin, independent of any framework. */
export function countWords({kinds}: NewPlugin): string {
  const count = kinds.has('service')
    ? "import type {Count} from './contract.js';\n"
    : '\nexport interface Count {\n  readonly words: number;\n  readonly lines: number;\n}\n';
  return `import {readFile} from 'node:fs/promises';
import {ToolError} from '@gemini-kernel/kernel';
${count}
/** Counts the words and lines of a text file. Throws ToolError TEXT_UNREADABLE. */
export async function countWords(path: string, signal: AbortSignal): Promise<Count> {
  const text = await readFile(path, {encoding: 'utf8', signal}).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new ToolError('${CODE}', \`Cannot read \${path}.\`, {cause, hint: 'List its folder to check the name.'});
  });
  return {words: text.match(/\\S+/g)?.length ?? 0, lines: text.match(/\\n|[^\\n]$/g)?.length ?? 0};
}
`;
}

/** The error codes of a new plugin. */
export const errorTable = `import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  TEXT_UNREADABLE: {when: 'The file to count cannot be read.', exit: 42},
} as const satisfies ErrorTable;
`;

/** A tool that a model can call. */
export function countTool(plugin: NewPlugin): string {
  const hasSetting = plugin.kinds.has('setting');
  const imports = hasSetting ? "import type {} from '@gemini-kernel/plugin-settings/contract';\n" : '';
  return `import {defineTool} from '@gemini-kernel/kernel';
${imports}import type {} from '@gemini-kernel/plugin-workspace/contract';
import {countWords} from '../count-words.js';
${hasSetting ? "import limitSetting from '../settings/limit.js';\n" : ''}
export default defineTool({
  name: '${plugin.snake}_count',
  description: 'Counts the words and lines of one text file.',
  effect: 'read',
  annotations: {readOnlyHint: true},
  input: {
    type: 'object',
    required: ['file_path'],
    properties: {file_path: {type: 'string', minLength: 1, description: 'Path of the file.'}},
  },
  // What a call uses, known before it runs: rules and people decide by it.
  async touches({file_path}, {service}) {
    const workspace = await service('workspace');
    return [{kind: 'path', value: await workspace.resolve(file_path), access: 'read'}];
  },
${hasSetting ? RUN_WITH_LIMIT : RUN}});
`;
}

const RUN = `  async run({file_path}, {call, signal}) {
    // Exactly the path that was judged.
    const count = await countWords(call.touches[0]?.value ?? file_path, signal);
    return {model: \`\${count.words} words, \${count.lines} lines\`, data: count};
  },
`;

const RUN_WITH_LIMIT = `  async run({file_path}, {call, service, signal}) {
    const settings = await service('settings');
    const limit = await settings.value(limitSetting);
    // Exactly the path that was judged.
    const count = await countWords(call.touches[0]?.value ?? file_path, signal);
    const more = count.words > limit ? \`, more than \${limit}\` : '';
    return {model: \`\${count.words} words, \${count.lines} lines\${more}\`, data: count};
  },
`;

/** A setting that the tool reads. */
export function limitSetting({camel}: NewPlugin): string {
  return `import {defineSetting} from '@gemini-kernel/kernel';

export default defineSetting('${camel}.limit', {
  schema: {type: 'integer', minimum: 1},
  default: 1000,
  description: 'Number of words above which a file counts as long.',
  category: '${camel.charAt(0).toUpperCase()}${camel.slice(1)}',
});
`;
}

/** A command, which uses the plugin's service if there is one. */
export function countCommand({noun, pascal, kinds}: NewPlugin): string {
  const asksService = kinds.has('service');
  const imports = asksService
    ? "import type {Count} from '../../contract.js';\n"
    : "import type {} from '@gemini-kernel/plugin-workspace/contract';\nimport {countWords, type Count} from " +
      "'../../count-words.js';\n";
  const work = asksService
    ? `    const counter = await this.service('${noun}');\n    const count = await counter.count(args.file);\n`
    : "    const workspace = await this.service('workspace');\n    const count = await countWords(await " +
      'workspace.resolve(args.file), this.host.signal);\n';
  return `import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
${imports}
export default class ${pascal}Count extends KernelCommand {
  static override summary = 'Count the words of a file.';
  static override examples = ['<%= config.bin %> <%= command.id %> README.md'];
  static override args = {file: Args.string({description: 'File to count.', required: true, ignoreStdin: true})};
  // In a conversation too, as /${noun} count.
  static override slash = true;

  async run(): Promise<Count> {
    const {args} = await this.parse(${pascal}Count);
${work}    this.log(\`\${count.words} words, \${count.lines} lines\`);
    return count;
  }
}
`;
}
