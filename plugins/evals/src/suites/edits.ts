import {languages, type Language, type Sum} from './languages.js';
import {Random} from './random.js';
import type {Suite, SuiteEval} from './suite.js';

const WORDS = [
  'apple',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jetty',
  'knoll',
  'larch',
];
const OPERATORS = ['+', '-', '*'];
const LEAST_FUNCTIONS = 8;
const MORE_FUNCTIONS = 40;

interface File {
  readonly sums: readonly Sum[];
  /** What the last function calls. */
  readonly calls: string;
}

interface Edit {
  readonly ask: string;
  readonly after: File;
}

/** What is changed about the function at `at`; many lines of its file look like the one that has to change. */
type Kind = (file: File, at: number, random: Random) => Edit;

/** Generated edits: one exact change in a file of similar functions. */
export const edits: Suite = {
  name: 'edits',
  description: 'one exact change in a file of similar functions, in five languages',
  count: 300,
  make({count, seed}) {
    const random = new Random(seed);
    const all = languages();
    const digits = String(count).length;
    return Array.from({length: count}, (_, index) => {
      const language = all[index % all.length] ?? random.pick(all);
      return makeEdit(String(index + 1).padStart(digits, '0'), language, random);
    });
  },
};

function makeEdit(number: string, language: Language, random: Random): SuiteEval {
  const before = makeFile(random);
  const kinds = {constant, operator, rename, insert};
  const name = random.pick(Object.keys(kinds) as (keyof typeof kinds)[]);
  const {ask, after} = kinds[name](before, random.below(before.sums.length), random);
  const {file} = language;
  return {
    name: `${number}-${language.name}-${name}`,
    toml: {
      description: `${name} in ${language.name}`,
      prompt: `In ${file}, ${ask} Change nothing else.`,
      files: {[file]: language.write(before.sums, before.calls)},
      expect: {changed: [file], files: {[file]: {equal: language.write(after.sums, after.calls)}}},
    },
  };
}

function makeFile(random: Random): File {
  const names = Array.from({length: LEAST_FUNCTIONS + random.below(MORE_FUNCTIONS)}, (_, index) =>
    nameAt(index, random),
  );
  const sums = names.map((name): Sum => ({name, operator: random.pick(OPERATORS), constant: 2 + random.below(4)}));
  return {sums, calls: random.pick(names)};
}

function nameAt(index: number, random: Random): string {
  return `${random.pick(WORDS)}${index}`;
}

function replaceAt({sums, calls}: File, at: number, change: Partial<Sum>): File {
  return {sums: sums.map((sum, index) => (index === at ? {...sum, ...change} : sum)), calls};
}

function sumAt({sums}: File, at: number): Sum {
  const sum = sums[at];
  if (sum === undefined) throw new RangeError(`There is no function ${at}.`);
  return sum;
}

const constant: Kind = (file, at, random) => {
  const {name, constant: before} = sumAt(file, at);
  const after = before + 10 + random.below(80);
  return {
    ask: `the function ${name} adds ${before}. It should add ${after}.`,
    after: replaceAt(file, at, {constant: after}),
  };
};

const operator: Kind = (file, at, random) => {
  const {name, operator: before} = sumAt(file, at);
  const after = random.pick(OPERATORS.filter((one) => one !== before));
  return {
    ask: `the function ${name} computes a ${before} b. It should compute a ${after} b; what it adds stays.`,
    after: replaceAt(file, at, {operator: after}),
  };
};

const rename: Kind = (file, at, random) => {
  const {name} = sumAt(file, at);
  const after = `${random.pick(WORDS)}${file.sums.length + random.below(90)}`;
  const renamed = replaceAt(file, at, {name: after});
  return {
    ask: `rename the function ${name} to ${after}, where it is defined and wherever it is called.`,
    after: {...renamed, calls: file.calls === name ? after : file.calls},
  };
};

const insert: Kind = (file, at, random) => {
  const {name} = sumAt(file, at);
  const sum: Sum = {
    name: `added${random.below(1000)}`,
    operator: random.pick(OPERATORS),
    constant: 10 + random.below(90),
  };
  const {sums, calls} = file;
  return {
    ask:
      `add a function ${sum.name} right after the function ${name}, written and spaced like the others. ` +
      `It computes a ${sum.operator} b and adds ${sum.constant}.`,
    after: {sums: [...sums.slice(0, at + 1), sum, ...sums.slice(at + 1)], calls},
  };
};
