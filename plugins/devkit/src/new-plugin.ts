import {builtinModules} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';

/** What a plugin can begin with. */
export type PluginKind = 'tool' | 'command' | 'hook' | 'service' | 'setting';

/** A plugin that is to be made, with its name in every form that code needs. */
export interface NewPlugin {
  /** As npm knows it. */
  readonly name: string;
  /** Of the folder, when none is given. */
  readonly folder: string;
  /** The one word it is about: `word-lists`. */
  readonly noun: string;
  /** The same for tools, `word_lists`, and for classes, `WordLists`. */
  readonly snake: string;
  readonly pascal: string;
  /** And for settings, `wordLists`. */
  readonly camel: string;
  readonly kinds: ReadonlySet<PluginKind>;
}

const NAME = /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/;
const PREFIX = 'gemini-plugin-';
/** Scopes whose names nobody else may give. */
export const RESERVED_SCOPES: readonly string[] = ['@gemini-kernel/', '@oclif/'];

/**
 * Reads what the person calls their plugin; a name without a scope gets the prefix `gemini-plugin-`. Throws KernelError
 * PLUGIN_NAME_INVALID.
 */
export function nameNewPlugin(given: string, kinds: ReadonlySet<PluginKind>): NewPlugin {
  const name = given.startsWith('@') || given.startsWith(PREFIX) ? given : `${PREFIX}${given}`;
  const folder = name.slice(name.indexOf('/') + 1);
  const noun = folder
    .replace(/^(gemini-)?(plugin-)?/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const scope = RESERVED_SCOPES.find((one) => name.startsWith(one));
  if (scope)
    throw refuse(given, `the scope ${scope.slice(0, -1)} belongs to others`, 'Use a scope of your own, or none.');
  if (!NAME.test(name) || name.length > 214)
    throw refuse(
      given,
      'npm takes no such name',
      'Use small letters, digits and hyphens, such as word-lists or @acme/word-lists.',
    );
  if (!/^[a-z]/.test(noun))
    throw refuse(given, 'its tools and commands could not be called by it', 'Begin with a letter.');
  if (builtinModules.includes(name) || ['node_modules', 'favicon.ico'].includes(folder))
    throw refuse(given, 'it means something else to Node or npm', 'Choose another.');
  const words = noun.split('-');
  const pascal = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
  return {
    name,
    folder,
    noun,
    snake: words.join('_'),
    pascal,
    camel: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`,
    kinds,
  };
}

function refuse(given: string, why: string, hint: string): KernelError {
  return new KernelError('PLUGIN_NAME_INVALID', `A plugin cannot be called ${given}: ${why}.`, {hint});
}
