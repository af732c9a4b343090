import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {Explanation, LayerValue} from '../../contract.js';
import {expectationOf} from '../../fit-value.js';
import {splitKey} from '../../key-path.js';
import {requireKnownKey} from '../../require-known-key.js';
import {schemaAt} from '../../settings-schema.js';

const MERGES: Readonly<Record<Explanation['merge'], string>> = {
  replace: 'The strongest layer wins.',
  concat: 'Lists of all layers are joined.',
  union: 'Lists of all layers are joined, each item once.',
  shallow: "Entries of all layers are kept; of one name, the strongest layer's entry counts as a whole.",
  deep: 'Objects of all layers are merged, key by key.',
};

/** Shows what each layer says about one setting. */
export default class SettingsExplain extends KernelCommand {
  static override summary = 'Show what each layer sets for a setting, and which one wins.';
  static override description =
    'Layers, weakest first: default, system-defaults, user, workspace, system, environment, flag. The winner is ' +
    'marked with *.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> model.name',
    '<%= config.bin %> <%= command.id %> ui.theme --json',
  ];
  static override args = {
    key: Args.string({description: 'Dotted key, such as ui.theme.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<Explanation> {
    const {args} = await this.parse(SettingsExplain);
    const settings = await this.service('settings');
    const explanation = await settings.explain(args.key);
    await requireKnownKey(explanation, settings);
    const {key, value, layers, winner, merge, description, plugin, category} = explanation;
    const known = schemaAt(await settings.schema(), splitKey(key));
    this.log(`${this.style('strong', key)} = ${value === undefined ? 'not set' : JSON.stringify(value)}`);
    if (description) this.log(description);
    this.log(this.style('dim', `${known ? `Takes ${expectationOf(known)}. ` : ''}${MERGES[merge]}`));
    if (plugin) this.log(this.style('dim', `A setting of ${plugin}${category ? `, under ${category}` : ''}.`));
    const width = Math.max(0, ...layers.map(({layer}) => layer.length));
    for (const said of layers) this.log(this.#line(said, winner, width));
    return explanation;
  }

  #line({layer, source, value}: LayerValue, winner: Explanation['winner'], width: number): string {
    const isWinner = layer === winner;
    const name = `${isWinner ? '*' : ' '} ${layer.padEnd(width)}`;
    return (
      `${isWinner ? this.style('good', name) : name}  ` +
      `${JSON.stringify(value)}${source ? this.style('dim', `  ${source}`) : ''}`
    );
  }
}
