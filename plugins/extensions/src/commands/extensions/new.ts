import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {templateNames, templates, writeTemplate, type TemplateName} from '../../templates/templates.js';

export default class ExtensionsNew extends KernelCommand {
  static override summary = 'Make the folder of a new extension.';
  static override description = `Templates: ${templateNames.join(', ')}. Without one, only the manifest.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> my-extension',
    '<%= config.bin %> <%= command.id %> my-extension mcp-server',
  ];
  static override args = {
    path: Args.string({
      description: 'The folder to make; its name is that of the extension.',
      required: true,
      ignoreStdin: true,
    }),
    template: Args.string({description: 'What to put into it.', options: [...templateNames], ignoreStdin: true}),
  };

  async run(): Promise<{readonly folder: string; readonly files: readonly string[]}> {
    const {args} = await this.parse(ExtensionsNew);
    const folder = resolve(this.kernel.environment.cwd, args.path);
    const files = await writeTemplate(
      folder,
      args.template === undefined ? {} : templates[args.template as TemplateName],
    );
    this.log(`Made ${folder} with ${files.join(', ')}.`);
    this.logToStderr(`Use it with \`gemini extensions link ${args.path}\`.`);
    return {folder, files};
  }
}
