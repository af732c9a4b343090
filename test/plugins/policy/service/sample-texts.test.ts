import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import picomatch from 'picomatch';
import {pathsOfGlob, textsOfRegex} from '#plugins/policy/dist/sample-texts.js';

describe('texts that gemini policy prove makes of a pattern', () => {
  test.each([
    ['git status', ['git status']],
    ['^npm (?:test|run build)$', ['npm test', 'npm run build']],
    ['a?b', ['ab', 'b']],
    ['git (?!push)x', ['git x', 'git pushx']],
    ['\\x00"name":"a"\\x00', ['\0"name":"a"\0']],
    ['\\.env', ['.env']],
  ])('of %j are %j [policy.prove]', (pattern, expected) => {
    expect(textsOfRegex(pattern)).toEqual(expected);
  });

  const atom = fc.constantFrom('a', 'b', '\\d', '[x-z]', '.', '\\.', '(?:c|d)', '(?:ef|g)?', 'h*', 'i+');
  const pattern = fc.array(atom, {minLength: 1, maxLength: 6}).map((atoms) => atoms.join(''));

  test('all match it where it looks around nowhere [policy.prove]', () => {
    fc.assert(
      fc.property(pattern, (source) => {
        const whole = new RegExp(`^(?:${source})$`, 's');
        expect(textsOfRegex(source).filter((text) => !whole.test(text))).toEqual([]);
      }),
    );
  });
});

describe('paths that gemini policy prove makes of a glob', () => {
  test.each([
    ['src/*.ts', ['src/x.ts', 'src/k9.ts']],
    ['**/{a,b}.json', ['x/y/a.json', 'k9/y/a.json', 'x/y/b.json', 'k9/y/b.json']],
    ['/etc/**', ['/etc/x/y', '/etc/k9/y']],
    ['!(*.md)', ['x', 'x.md', 'k9.md']],
    ['a/{b,c{d,e}}', ['a/b', 'a/cd', 'a/ce']],
  ])('of %s are %j [policy.prove]', (glob, expected) => {
    expect([...pathsOfGlob(glob)].sort()).toEqual([...expected].sort());
  });

  const part = fc.constantFrom('a', '*', '?', '{b,c}', '[de]', '**', 'f*.ts', '@(g|h)', '.env');
  const glob = fc.array(part, {minLength: 1, maxLength: 5}).map((parts) => parts.join('/'));

  test('all match it where nothing in it is negated [policy.prove]', () => {
    fc.assert(
      fc.property(glob, (pattern) => {
        const matches = picomatch(pattern, {dot: true});
        expect(pathsOfGlob(pattern).filter((path) => !matches(path))).toEqual([]);
      }),
    );
  });
});
