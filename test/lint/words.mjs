#!/usr/bin/env node
// Holds the words of docs/contributing/words.md: names each one that the glossary replaces, with what to write.
// node test/lint/words.mjs [path prefix ...]
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What not to write, and what to write for it. */
const WORDS = [
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/i, 'say what is missing: "there is no …", "has no …", "is not a …"'],
  [/\banew\b/i, '"again", or "new"'],
  [/\b(?:who|what|which|when)so?ever\b|\bwhoever\b/i, '"you", "the person", "the plugin that …", "any …"'],
  [/\b(?:go|goes|going|went|gone) on\b/i, '"continue"'],
  [/\bby (?:itself|themselves)\b/i, '"automatically", "on its own", or nothing'],
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'name who tells: "reports", "shows", "prints", "notifies"'],
  [/\bstands? apart\b/i, '"is separate"'],
  [/\bsomebody\b/i, '"a person", "someone", or name them'],
  [/\bnobody\b/i, '"no one", or say what is missing'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix", "repair"'],
  [/\bgiv(?:e|es|ing|en)? up on\b|\bgave up on\b/i, '"cancel", "stop"'],
  [/\b(?:is|are|was|were|be) thrown\b/i, '"errors", "an error that … throws"'],
];

// The outcome of a form that no person could answer is a value of the contract.
const VALUES = /'nobody'|`nobody`|"nobody"/g;
// The ids of requirements are names, such as `ask.nobody`.
const IDS = /(?<=[[ '"])[a-z]+\.[a-z]+(?:-[a-z]+)*(?=[\]'",])/g;

/** Every use of a word that the glossary replaces, in the files that people read. */
function findWords(files) {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const text = line.replace(VALUES, '').replace(IDS, '');
        return WORDS.flatMap(([pattern, instead]) => {
          const found = pattern.exec(text);
          return found ? [{file, line: index + 1, word: found[0], instead}] : [];
        });
      }),
  );
}

const READ = /\.(?:[cm]?[jt]s|md|toml|json)$/;
const SKIPPED = /^(?:package-lock\.json|test\/surface\/contracts\/|test\/lint\/words|docs\/contributing\/words)/;
const prefixes = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((file) => READ.test(file) && !SKIPPED.test(file));
const found = findWords(files.filter((file) => prefixes.length === 0 || prefixes.some((one) => file.startsWith(one))));
for (const {file, line, word, instead} of found) process.stdout.write(`${file}:${line} "${word}": write ${instead}.\n`);
process.exitCode = found.length > 0 ? 1 : 0;
