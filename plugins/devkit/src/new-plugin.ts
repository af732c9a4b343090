import {builtinModules} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';

/** The parts of a new plugin. */
export type PluginKind = 'tool' | 'command' | 'hook' | 'service' | 'setting';

/** A new plugin, with its name in every form that code needs. */
export interface NewPlugin {
  /** The npm name. */
  readonly name: string;
  /** The default name of the folder. */
  readonly folder: string;
  /** The name without scope and prefix: `word-lists`. */
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
/** Reserved scopes. */
export const RESERVED_SCOPES: readonly string[] = ['@gemini-kernel/', '@oclif/'];

/**
 * Parses the name of a new plugin; a name without a scope gets the prefix `gemini-plugin-`. Throws KernelError
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
  if (scope) throw refuse(given, `the scope ${scope.slice(0, -1)} is reserved`, 'Use your own scope, or no scope.');
  if (!NAME.test(name) || name.length > 214)
    throw refuse(
      given,
      'npm does not allow this name',
      'Use lowercase letters, digits and hyphens, for example word-lists or @acme/word-lists.',
    );
  if (!/^[a-z]/.test(noun)) throw refuse(given, 'tools and commands cannot have this name', 'Start with a letter.');
  if (builtinModules.includes(name) || ['node_modules', 'favicon.ico'].includes(folder))
    throw refuse(given, 'Node or npm reserves it', 'Choose another name.');
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
  return new KernelError('PLUGIN_NAME_INVALID', `Cannot name a plugin ${given}: ${why}.`, {hint});
}
