import {KernelError} from '@gemini-kernel/kernel';
import type {SimpleCommand} from './bash/analysis.js';
import {compileCommand, permits} from './engine/command-match.js';
import type {Rule} from './rule.js';

/** A command of a person may have so many words, and so many characters. */
const LONGEST = 1000;

/**
 * Rules with longer beginnings of commands than were proposed, one for each rule that names one. Throws KernelError
 * RULE_NOT_NARROWER when one would allow anything that was not proposed, or not even what is asked about.
 */
export function narrowRules(
  rules: readonly Rule[],
  prefixes: readonly string[],
  commands: readonly SimpleCommand[],
): readonly Rule[] {
  const left = [...prefixes];
  return rules.map((rule) => {
    if (!rule.command || !('prefix' in rule.command)) return rule;
    const [given = rule.command.prefix] = left.splice(0, 1);
    return {...rule, command: {prefix: narrowed(rule.command.prefix, given, commands)}};
  });
}

function narrowed(proposed: string, given: string, commands: readonly SimpleCommand[]): string {
  const [before, after] = [wordsOf(proposed), wordsOf(given)];
  const prefix = after.join(' ');
  // Each word of a beginning must be there, so more words allow less.
  if (!before.every((word, index) => after[index] === word) || prefix.length > LONGEST)
    throw refused(given, `it must begin with "${proposed}", or it would allow more than was proposed`);
  const test = compileCommand({prefix});
  if (!commands.some((command) => permits(test, command)))
    throw refused(given, 'the command that is asked about does not begin so');
  return prefix;
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function refused(given: string, why: string): KernelError {
  return new KernelError('RULE_NOT_NARROWER', `The rule cannot say "${given.slice(0, LONGEST)}": ${why}.`, {
    hint: 'Add words of the command at its end.',
  });
}
