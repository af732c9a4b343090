#!/usr/bin/env node
// Holds the words of docs/contributing/words.md: names each one that the glossary replaces, with what to write.
// node test/lint/words.mjs [path prefix ...]; --count prints how many there are in each part of the repository.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import allowed from './words-left.mjs';

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

/** Every use of a word that the glossary replaces, in the files that people read. */
function findWords(files) {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const text = line.replace(VALUES, '');
        return WORDS.flatMap(([pattern, instead]) => {
          const found = pattern.exec(text);
          return found ? [{file, line: index + 1, word: found[0], instead}] : [];
        });
      }),
  );
}

/** The part of the repository that a file belongs to: one plugin, one folder. */
function partOf(file) {
  const [top, second = ''] = file.split('/');
  return ['plugins', 'test', 'kernel', 'docs'].includes(top) && second.indexOf('.') < 0 ? `${top}/${second}` : top;
}

function countParts(found) {
  const counts = {};
  for (const {file} of found) counts[partOf(file)] = (counts[partOf(file)] ?? 0) + 1;
  return counts;
}

const READ = /\.(?:[cm]?[jt]s|md|toml|json)$/;
const SKIPPED = /^(?:package-lock\.json|test\/surface\/contracts\/|test\/lint\/words|docs\/contributing\/words)/;
const prefixes = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((file) => READ.test(file) && !SKIPPED.test(file));
const found = findWords(files.filter((file) => prefixes.length === 0 || prefixes.some((one) => file.startsWith(one))));
const counts = countParts(found);

if (process.argv.includes('--count')) {
  process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`);
} else {
  const over = Object.entries(counts).filter(([part, count]) => prefixes.length > 0 || count > (allowed[part] ?? 0));
  const parts = new Set(over.map(([part]) => part));
  for (const {file, line, word, instead} of found.filter((one) => parts.has(partOf(one.file))))
    process.stdout.write(`${file}:${line} "${word}": write ${instead}.\n`);
  for (const [part, count] of over)
    process.stdout.write(`${part} has ${count} of these words; at most ${allowed[part] ?? 0} are accepted.\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
}
