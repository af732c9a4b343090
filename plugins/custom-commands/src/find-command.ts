import {KernelError} from '@gemini-kernel/kernel';
import type {SlashCommand} from '@gemini-kernel/plugin-agent/contract';
import type {CommandListing, CustomCommand} from './contract.js';

/** The names under which commands can be typed, by id. */
export type TypedNames = ReadonlyMap<string, string>;

export function typedNames(commands: readonly SlashCommand[]): TypedNames {
  return new Map(commands.flatMap(({id, words}) => (id === undefined ? [] : [[id, words.join(':')] as const])));
}

/** The command of a name as typed, or as its file has it. Throws KernelError CUSTOM_COMMAND_UNKNOWN. */
export function findCommand(name: string, {commands}: CommandListing, typed: TypedNames): CustomCommand {
  const wanted = name.replace(/^\//, '');
  const found =
    commands.find(({id}) => typed.get(id) === wanted) ??
    commands.find((one) => one.name === wanted) ??
    commands.find(({file}) => file === name);
  if (found) return found;
  throw new KernelError('CUSTOM_COMMAND_UNKNOWN', `There is no custom command /${wanted}.`, {
    hint: 'gemini commands list shows all; gemini commands check names files that are broken.',
  });
}

/** A sentence for each folder whose files do not count. */
export function explainLeftOut({folders}: CommandListing): readonly string[] {
  return folders.flatMap(({folder, leftOut}) =>
    leftOut === undefined
      ? []
      : [`Commands in ${folder} are not used: ${leftOut} Run \`gemini trust add\` to trust it.`],
  );
}
