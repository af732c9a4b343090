import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Explanation} from '../../contract.js';
import {findNearestKey} from '../../find-nearest-key.js';
import {splitKey} from '../../key-path.js';
import {parseSettingText} from '../../parse-setting-text.js';
import {REDACTED} from '../../redact-secrets.js';
import {schemaAt, type SettingSchema} from '../../settings-schema.js';

type Scope = 'user' | 'project';

interface Change {
  readonly key: string;
  /** Null when the key was removed. */
  readonly value: unknown;
  readonly scope: Scope;
  readonly path: string;
  readonly warnings: readonly string[];
}

/** Writes one setting into a file. */
export default class SettingsSet extends KernelCommand {
  static override summary = 'Set a setting in the file of the user or of the project, or remove it there.';
  static override description =
    'The value is parsed as JSON if that fits the setting, otherwise it is text. Comments and the order ' +
    'of the file are kept.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ui.theme Dracula',
    `<%= config.bin %> <%= command.id %> context.includeDirectories '["../lib"]' --scope project`,
    '<%= config.bin %> <%= command.id %> ui.theme --unset',
  ];
  static override args = {
    key: Args.string({description: 'Dotted key, such as ui.theme.', required: true, ignoreStdin: true}),
    value: Args.string({description: 'JSON or text.', ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      description: 'Settings file to write.',
      options: ['user', 'project'] as const,
      default: 'user',
    })(),
    unset: Flags.boolean({description: 'Remove the setting from the file.', default: false}),
  };
  static override slash = true;

  async run(): Promise<Change> {
    const {args, flags} = await this.parse(SettingsSet);
    const {key} = args;
    const {scope, unset} = flags;
    if ((args.value === undefined) !== unset) {
      throw new KernelError(
        'VALUE_UNCLEAR',
        unset ? `Setting ${key} and removing it cannot be combined.` : `No value was given for ${key}.`,
        {
          hint: 'Give a value, or --unset to remove the setting from the file.',
        },
      );
    }
    const settings = await this.service('settings');
    const schema = (await settings.schema()) as SettingSchema;
    const known = schemaAt(schema, splitKey(key));
    const isSecret = known?.['x-secret'] === true;
    const value = readValue(args.value, known, key);
    const before = await settings.explain(key);
    const {path} = await settings.set(key, value, {scope});
    const after = await settings.explain(key);
    const nearest = known ? undefined : findNearestKey(key, schema);
    const warnings = [
      ...(known || unset ? [] : [`${key} is not a known setting.${nearest ? ` Did you mean ${nearest}?` : ''}`]),
      ...strongerLayer(after, scope),
    ];
    const shown = isSecret && value !== undefined ? REDACTED : value;
    this.log(describe({key, value: shown, path}, layersOf(before, scope).length > 0));
    for (const warning of warnings) this.logToStderr(`Warning: ${warning}`);
    return {key, value: shown ?? null, scope, path, warnings};
  }
}

/** What was typed as the value; of a secret every letter counts, and no message quotes it. */
function readValue(text: string | undefined, known: SettingSchema | undefined, key: string): unknown {
  if (text === undefined || known?.['x-secret']) return text;
  return parseSettingText(text, known, splitKey(key));
}

function describe(
  {key, value, path}: {readonly key: string; readonly value: unknown; readonly path: string},
  wasSet: boolean,
): string {
  if (value !== undefined) return `Set ${key} to ${JSON.stringify(value)} in ${path}.`;
  return wasSet ? `Removed ${key} from ${path}.` : `${key} was not set in ${path}.`;
}

function layersOf({layers}: Explanation, scope: Scope): Explanation['layers'] {
  return layers.filter(({layer}) => layer === (scope === 'user' ? 'user' : 'workspace'));
}

/** Says so when the file that was just written has no say, because a stronger layer sets the key too. */
function strongerLayer(after: Explanation, scope: Scope): string[] {
  const own = layersOf(after, scope).at(-1);
  const strongest = after.layers.at(-1);
  if (!own || !strongest || own === strongest || after.merge !== 'replace') return [];
  return [
    `Here ${strongest.source ?? `the ${strongest.layer}`} sets ${after.key} to ` +
      `${JSON.stringify(strongest.value)}, which wins.`,
  ];
}
