import {dirname, join} from 'node:path';
import {findForeignWriter, isFileFault, readRegular} from '@gemini-kernel/files';
import type {RuleSet} from '../rule.js';
import type {RuleFile} from './entry.js';
import type {FoundFile} from './find-in-folder.js';
import {readRules} from './read-rules.js';
import {systemCodeOf} from './system-code.js';

/** Far beyond ten thousand rules: what is longer is something else. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** Reads the rules of one file. Like `readRules`, it never throws for what a file is or holds. */
export async function readRuleFile(found: FoundFile, options: Pick<RuleFile, 'knownTools'>): Promise<RuleSet> {
  const fail = (message: string, hint: string): RuleSet => ({
    rules: [],
    checkers: [],
    problems: [{severity: 'error', tier: found.tier, file: found.file, message, hint}],
  });
  try {
    const bytes = await readRegular(found.file, {limit: LONGEST_FILE});
    const writer = findStranger(found);
    if (writer) {
      return fail(
        `Others may write ${writer.path}: ${writer.reason}.`,
        `Look at what it says, then run: ${writer.repair}`,
      );
    }
    if (found.digest !== undefined && (await digestOf(bytes)) !== found.digest)
      return fail('It is not the file that its bundle was signed with.', 'Apply the bundle again.');
    return readRules(new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes), {...options, ...found});
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'EFBIG') return fail('The file is longer than 16 MB.', 'None of its rules count; split it.');
    if (isFileFault(error)) {
      return fail(`The file cannot be read: ${error.reason}.`, 'None of its rules count until it is a file.');
    }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return fail('The file is not UTF-8.', 'None of its rules count until it is saved as UTF-8.');
    return fail(`The file cannot be read (${code}).`, 'None of its rules count until it can be read.');
  }
}

/** Only of the person's own folder: files that a flag or a setting names were chosen by path, and may be shared. */
function findStranger({tier, file}: FoundFile): ReturnType<typeof findForeignWriter> {
  const own = dirname(dirname(file));
  const isOwn = tier === 'user' && file.startsWith(join(own, 'policies')) && own.endsWith('.gemini');
  return isOwn ? findForeignWriter(file, {home: dirname(own)}) : undefined;
}

/** As the lock of a bundle names a policy. */
async function digestOf(bytes: Buffer): Promise<string> {
  const {createHash} = await import('node:crypto');
  return `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Reads many files, in the order given. */
export async function readRuleFiles(
  files: readonly FoundFile[],
  options: Pick<RuleFile, 'knownTools'>,
): Promise<RuleSet> {
  const sets = await Promise.all(files.map((file) => readRuleFile(file, options)));
  return {
    rules: sets.flatMap(({rules}) => rules),
    checkers: sets.flatMap(({checkers}) => checkers),
    problems: sets.flatMap(({problems}) => problems),
    limits: sets.flatMap(({limits = []}) => limits),
  };
}
