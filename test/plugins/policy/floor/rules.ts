import {readdir, readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import type {Rule} from '#plugins/policy/dist/rule.js';
// Modules are loaded one after the other: at once, the test runner loses some.
import '../engine/make.js';
import {readRules} from '#plugins/policy/dist/read/read-rules.js';

const folder = dirname(createRequire(import.meta.url).resolve('@gemini-kernel/policies/package.json'));
const names = (await readdir(folder)).filter((name) => name.endsWith('.toml')).sort();

/** The rules of the product. */
export const product: readonly Rule[] = (
  await Promise.all(
    names.map(
      async (name) =>
        readRules(await readFile(join(folder, name), 'utf8'), {
          tier: 'default',
          file: name,
          label: `Default: ${name}`,
          knownTools: [],
        }).rules,
    ),
  )
).flat();

/** Rules of a person, as they are written in a file. */
export function ofPerson(text: string): readonly Rule[] {
  const {rules, problems} = readRules(text, {tier: 'user', file: 'own.toml', label: 'User: own.toml', knownTools: []});
  if (problems.length > 0) throw new Error(problems[0]?.message);
  return rules;
}

const DENY_RM = `
[[rule]]
id = "no-rm"
toolName = "run_shell_command"
commandPrefix = "rm"
decision = "deny"
priority = 500
`;
const READERS =
  'cat head tail wc grep sed sort cut tac nl diff comm paste awk md5sum od base64 cp mv tee touch ln dd find ' +
  'xargs echo printf ls bash env timeout command cd true test read eval mapfile tar mkdir dirname basename ' +
  'realpath x f';

/** What a person may have allowed besides; `rm` is denied in each. */
export const persons: Readonly<Record<string, readonly Rule[]>> = {
  nothing: ofPerson(DENY_RM),
  programs: ofPerson(
    `${DENY_RM}\n[[rule]]\nid = "own"\ntoolName = "run_shell_command"\ncommandPrefix = ` +
      `${JSON.stringify(READERS.split(' '))}\ndecision = "allow"\npriority = 100\nallowRedirection = true\n`,
  ),
  everything: ofPerson(
    `${DENY_RM}\n[[rule]]\nid = "own"\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = ` +
      `100\nallowRedirection = true\n`,
  ),
};
