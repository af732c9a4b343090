import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import picomatch from 'picomatch';
import {escapeGlob, readPathPattern} from '#plugins/policy/dist/read/path-pattern.js';

describe('a path_pattern', () => {
  test.each<[string, string[]]>(
    [
      ['src/**/*.ts', ['src/**/*.ts']],
      ['/etc/*', ['/etc/*']],
      ['.env', ['**/.env']],
      ['*.pem', ['**/*.pem']],
      ['.*\\.env$', ['**/*.env']],
      ['^/etc/.*', ['/etc/**']],
      ['/node_modules/', ['**/node_modules/**']],
      ['docs/', ['docs/**']],
      ['/node_modules/.*', ['**/node_modules/**']],
      ['^src/', ['src/**']],
      ['\\.(pem|key)$', ['**/*.pem', '**/*.key']],
      ['^/etc/(?:passwd|shadow)$', ['/etc/passwd', '/etc/shadow']],
      ['\\.env', ['**/*.env*', '**/*.env*/**']],
      ['^docs/[^/]*\\.md$', ['docs/*.md']],
      ['.*', ['**/*']],
      ['^.+\\.lock$', ['**/*.lock']],
      ['^a.*b$', ['a*b', 'a*/**/*b']],
      ['secrets?\\.yml$', ['**/*secret.yml', '**/*secrets.yml']],
    ].map(([pattern, globs]) => [pattern as string, globs as string[]]),
  )('%s is read as globs', (pattern, globs) => {
    const read = readPathPattern(pattern);
    // `.*` says nothing at all, which a glob for everything says too.
    if (pattern === '.*') expect('globs' in read && picomatch([...read.globs], {dot: true})('/any/.thing')).toBe(true);
    else expect(read).toEqual({globs});
  });

  test.each([
    ['^(?!src/).*$', /cannot be said as globs/],
    ['(a+)+$', /can take forever/],
    ['\\bsecret\\b$', /cannot be said as globs/],
    ['^a{2,3}$', /cannot be said as globs/],
    ['a/**/\\\\\\b', /three backslashes/],
    ['+(a|+(b))', /groups in groups/],
  ])('%s cannot be used', (pattern, fault) => {
    expect(readPathPattern(pattern)).toEqual({fault: expect.stringMatching(fault)});
  });

  test('as globs matches the paths that it matches as a regular expression', () => {
    const part = fc.constantFrom('a', 'b', '\\.', '/', '.*', '[^/]*', '(?:a|b)', 'b?', '[ab]');
    const path = fc
      .array(
        fc.array(fc.constantFrom('a', 'b', '.'), {minLength: 1, maxLength: 3}).map((parts) => parts.join('')),
        {minLength: 1, maxLength: 3},
      )
      .map((parts) => `/${parts.join('/')}`)
      .filter((one) => !/\/\.{1,2}(?:\/|$)/.test(one));
    fc.assert(
      fc.property(fc.array(part, {maxLength: 4}), fc.boolean(), path, (parts, isOpen, one) => {
        const pattern = `^/${parts.join('')}${isOpen ? '' : '$'}`;
        const read = readPathPattern(pattern);
        fc.pre('globs' in read && !pattern.includes('//') && !/\/[*?(\\[]*\/|\/\$?$|\/\[\^\/\]\*|\/b\?/.test(pattern));
        const isMatch = 'globs' in read && picomatch([...read.globs], {dot: true, strictSlashes: false})(one);
        // Whatever a regular expression catches, its globs must.
        if (new RegExp(pattern).test(one)) expect([pattern, one, isMatch]).toEqual([pattern, one, true]);
      }),
      {numRuns: 2000},
    );
  });
});

test('an escaped path is a glob for that path only', () => {
  const name = fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      '.',
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '!',
      '+',
      '@',
      '|',
      ',',
      '\\',
      '"',
      "'",
      '$',
      '^',
      '-',
      ' ',
      '~',
      '#',
      'ü',
    ),
    minLength: 1,
    maxLength: 6,
  });
  const path = fc
    .array(
      name.filter((one) => one !== '.' && one !== '..'),
      {minLength: 1, maxLength: 3},
    )
    .map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(path, path, (one, other) => {
      // picomatch takes a path that is spelt like the glob itself for a match, backslashes and all.
      fc.pre(other !== escapeGlob(one));
      const matches = picomatch(escapeGlob(one), {dot: true, strictSlashes: false});
      expect([one, matches(one), matches(other)]).toEqual([one, true, one === other]);
    }),
    {numRuns: 3000},
  );
});
