import {KernelCommand} from '@gemini-kernel/command';

/** Prints the JSON Schema of every setting there is here. */
export default class SettingsSchema extends KernelCommand {
  static override summary = 'Print the JSON Schema of settings.json, with the settings of every plugin that is here.';
  static override description =
    'For editors: write it to a file and name that as "$schema" in settings.json. x-plugin is the plugin that ' +
    'declares a key.';
  static override examples = ['<%= config.bin %> <%= command.id %> > settings.schema.json'];

  async run(): Promise<unknown> {
    await this.parse(SettingsSchema);
    const schema = await (await this.service('settings')).schema();
    this.log(JSON.stringify(schema, null, 2));
    return schema;
  }
}
