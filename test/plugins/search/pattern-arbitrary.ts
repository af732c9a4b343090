import fc from 'fast-check';

const letter = fc.constantFrom(
  'a',
  'b',
  'A',
  'k',
  's',
  '_',
  ' ',
  '1',
  'é',
  '😀',
  'ſ',
  '\\-',
  '\\.',
  '\\t',
  ']',
  '\\u0061',
  '\\x6b',
  '\u212a',
  'σ',
);
const escape = fc.constantFrom('\\w', '\\W', '\\d', '\\D', '\\s', '\\S', '.');
const member = fc.oneof(
  fc.constantFrom('a', 'b', 'k', 'S', '-', ' ', 'é', '😀', 'a-k', 'A-Z', '\\n', '\\r', '^', '\\udcff', 'ſ'),
  escape,
);
const characterClass = fc
  .tuple(fc.constantFrom('', '^'), fc.array(member, {maxLength: 3}))
  .map(([not, members]) => `[${not}${not === '' && members[0] === '^' ? '\\^' : ''}${members.join('')}]`);
const property = fc.constantFrom('\\p{L}', '\\P{Lu}', '[\\p{Ll}1]', '[^\\p{L}\\s]', '[\\P{L}a]', '\\p{sc=Greek}');
const quantifier = fc
  .tuple(fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}'), fc.constantFrom('', '', '?'))
  .map((parts) => parts.join(''));

/** Alternatives whose groups are nested so deep. */
function choiceOf(depth: number): fc.Arbitrary<string> {
  const simple = [
    {arbitrary: letter, weight: 8},
    {arbitrary: escape, weight: 2},
    {arbitrary: characterClass, weight: 3},
    {arbitrary: fc.constantFrom('\\1', '\\2'), weight: 1},
  ];
  const edge = {arbitrary: fc.constantFrom('^', '$', '\\b', '\\B'), weight: 3};
  const inner = depth > 0 ? choiceOf(depth - 1) : fc.constant('');
  const group = fc.tuple(fc.constantFrom('(', '(', '(?:'), inner).map(([open, body]) => `${open}${body})`);
  const look = fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), inner).map(([open, body]) => `${open}${body})`);
  const atom = fc.oneof(...simple, {arbitrary: group, weight: depth > 0 ? 3 : 0});
  const repeated = fc.tuple(atom, quantifier).map((parts) => parts.join(''));
  const element = fc.oneof({arbitrary: atom, weight: 8}, {arbitrary: repeated, weight: 4}, edge, {
    arbitrary: look,
    weight: depth > 0 ? 2 : 0,
  });
  const sequence = fc.array(element, {maxLength: 4}).map((elements) => elements.join(''));
  return fc.oneof(
    {arbitrary: sequence, weight: 3},
    {arbitrary: fc.tuple(sequence, sequence).map((parts) => parts.join('|')), weight: 1},
  );
}

const choice = choiceOf(3);

/** Patterns that use everything the dialect has; some of them JavaScript itself does not know. */
export const anyPattern = fc.oneof(
  {arbitrary: choice, weight: 5},
  {arbitrary: fc.tuple(choice, property, choice).map((parts) => parts.join('')), weight: 1},
);

const text = fc
  .constantFrom(
    'a',
    'b',
    'A',
    'k',
    's',
    '_',
    ' ',
    '1',
    'é',
    '😀',
    'ſ',
    '\u212a',
    'σ',
    'Σ',
    '-',
    '.',
    '\t',
    '\r',
    '\u2028',
  )
  .map((letters) => Buffer.from(letters));
const noText = fc
  .constantFrom('ff', '80', 'c3', 'f09f', 'eda080', 'e28220')
  .map((hexadecimal) => Buffer.from(hexadecimal, 'hex'));

/** Lines of the characters that the patterns are about, some with a `\r`, some with bytes that are no UTF-8. */
export const anyLine = fc
  .tuple(
    fc.array(fc.oneof({arbitrary: text, weight: 12}, {arbitrary: noText, weight: 1}), {maxLength: 7}),
    fc.constantFrom('', '', '\r'),
  )
  .map(([parts, end]) => Buffer.concat([...parts, Buffer.from(end)]));
