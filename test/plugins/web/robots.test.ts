import {describe, expect, test} from '@jest/globals';
import {readRobots} from '#plugins/web/dist/robots/robots-rules.js';

const file = `
# comment
User-agent: other
Disallow: /

User-Agent: *
User-agent: second
Disallow: /private # a comment
Allow: /private/open
Disallow: /*.pdf$
Disallow: /a*b*c
Disallow: /caf%C3%A9
Disallow:
Sitemap: https://example.com/sitemap.xml
`;

describe('a robots file', () => {
  test.each([
    ['/', true],
    ['/private', false],
    ['/private/more?x=1', false],
    ['/private/open/page', true],
    ['/x.pdf', false],
    ['/x.pdf?download', true],
    ['/a1b2c3', false],
    ['/a1c2b3', true],
    ['/caf\u00e9/menu', false],
    ['/caf%c3%a9', false],
  ])('says whether %s may be fetched: %s [web.robots]', (path, isAllowed) => {
    expect(readRobots(file, 'gemini-cli').permits(path)).toBe(isAllowed);
  });

  test('speaks to a program by its name first, and two groups of a name are one [web.robots]', () => {
    const text =
      'user-agent: gemini-cli\nallow: /\n\nuser-agent: *\ndisallow: /\n\nuser-agent: Gemini-CLI\ndisallow: /no';
    const rules = readRobots(text, 'gemini-cli');
    expect([rules.permits('/yes'), rules.permits('/no')]).toEqual([true, false]);
    expect(readRobots(text, 'another').permits('/yes')).toBe(false);
  });

  test.each(['', '\uFEFF', 'disallow: /', '<html>no</html>', 'user-agent *\ndisallow /', '\0\u0001'])(
    'that says nothing forbids nothing: %j [web.robots]',
    (text) => {
      expect(readRobots(text, 'gemini-cli').permits('/')).toBe(true);
    },
  );

  test('takes bounded time, whatever its patterns are [web.robots]', () => {
    const text = `user-agent: *\n${`disallow: /${'*a'.repeat(500)}b\n`.repeat(200)}`;
    const begun = performance.now();
    expect(readRobots(text, 'gemini-cli').permits(`/${'a'.repeat(5000)}`)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
