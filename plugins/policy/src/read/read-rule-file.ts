import {readFile} from 'node:fs/promises';
import type {RuleSet} from '../rule.js';
import type {RuleFile} from './entry.js';
import type {FoundFile} from './find-rule-files.js';
import {readRules} from './read-rules.js';
import {systemCodeOf} from './system-code.js';

/** Far beyond ten thousand rules: what is longer is something else. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** Reads the rules of one file. Like `readRules`, it never throws for what a file is or holds. */
export async function readRuleFile(found: FoundFile, options: Pick<RuleFile, 'knownTools'>): Promise<RuleSet> {
  const fail = (message: string, hint: string): RuleSet => ({rules: [], checkers: [], problems: [{severity: 'error', tier: found.tier, file: found.file, message, hint}]});
  try {
    const bytes = await readFile(found.file);
    if (bytes.length > LONGEST_FILE) return fail('The file is longer than 16 MB.', 'None of its rules count; split it.');
    return readRules(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes), {...options, ...found});
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return fail('The file is not UTF-8.', 'None of its rules count until it is saved as UTF-8.');
    return fail(`The file cannot be read (${code}).`, 'None of its rules count until it can be read.');
  }
}

/** Reads many files, in the order given. */
export async function readRuleFiles(files: readonly FoundFile[], options: Pick<RuleFile, 'knownTools'>): Promise<RuleSet> {
  const sets = await Promise.all(files.map((file) => readRuleFile(file, options)));
  return {rules: sets.flatMap(({rules}) => rules), checkers: sets.flatMap(({checkers}) => checkers), problems: sets.flatMap(({problems}) => problems)};
}
