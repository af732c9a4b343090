import {describe, expect, test} from '@jest/globals';
import {isInside, isWhole, findEnclosing} from '#plugins/sandbox/dist/enclosure/enclosing.js';
import {passedNames} from '#plugins/sandbox/dist/enclosure/passed-names.js';
import {seatbeltArguments} from '#plugins/sandbox/dist/enclosure/seatbelt-arguments.js';
import {PROFILES, seatbeltProfile} from '#plugins/sandbox/dist/enclosure/seatbelt-profiles.js';

/** The lists of a profile, as text; throws where signs do not match. */
function listsOf(profile: string): string[] {
  const lists: string[] = [];
  let [depth, start, isText] = [0, 0, false];
  [...profile].forEach((sign, at) => {
    if (sign === '"') isText = !isText;
    else if (isText) return;
    else if (sign === '(' && depth++ === 0) start = at;
    else if (sign === ')' && --depth === 0) lists.push(profile.slice(start, at + 1).replace(/\s+/g, ' '));
  });
  if (depth !== 0 || isText) throw new Error('The profile does not end.');
  return lists;
}

describe('the profiles of sandbox-exec [sandbox.seatbelt]', () => {
  test.each(PROFILES)('%s is whole, writes where it may, and has its network', (name) => {
    const lists = listsOf(seatbeltProfile(name) ?? '');
    expect(lists[0]).toBe('(version 1)');
    const written = lists.find((list) => list.startsWith('(allow file-write*')) ?? '';
    for (const part of ['TARGET_DIR', 'TMP_DIR', 'CACHE_DIR', 'INCLUDE_DIR_4', '/.gemini"', '/.npm"'])
      expect(written).toContain(part);
    expect(written).not.toMatch(/"\/"|\/\.ssh|\/\.config/);
    const isPermissive = name.startsWith('permissive');
    expect(lists.includes(isPermissive ? '(allow default)' : '(deny default)')).toBe(true);
    expect(lists.includes('(deny file-write*)')).toBe(isPermissive);
    expect(lists.includes('(allow file-read*)')).toBe(!name.startsWith('strict'));
    expect(lists.includes('(allow network*)')).toBe(name.endsWith('open'));
    expect(lists.includes('(allow network-outbound (remote tcp "localhost:8877"))')).toBe(name.endsWith('proxied'));
    // The last list that matches decides.
    expect(lists.at(-1)).toMatch(/^\(deny file-read\* file-write\* .*docker\.sock/);
  });

  test('strict ones name what can be read, without keys', () => {
    const read = listsOf(seatbeltProfile('strict-open') ?? '').find((list) => list.startsWith('(allow file-read* '));
    expect(read).toContain('/.gitconfig');
    expect(read).not.toMatch(/\.ssh|\.aws|Keychains/);
  });

  test('other names of the reference are known, and no other name', () => {
    expect(seatbeltProfile('permissive-closed')).toBe(seatbeltProfile('strict-open'));
    expect(seatbeltProfile('restrictive-closed')).toBe(seatbeltProfile('strict-proxied'));
    expect(seatbeltProfile('toString')).toBeUndefined();
  });

  test('the arguments have each parameter, and words stay words', () => {
    const words = seatbeltArguments({
      profile: '(version 1)',
      cwd: '/w',
      temporary: '/t',
      home: '/h',
      caches: '/c',
      included: ['/a b'],
      words: ['/node', '/gemini.cjs', '-p', 'a "b"; c'],
    });
    expect(words).toEqual([
      ...['-D', 'TARGET_DIR=/w', '-D', 'TMP_DIR=/t', '-D', 'HOME_DIR=/h', '-D', 'CACHE_DIR=/c'],
      ...['-D', 'INCLUDE_DIR_0=/a b'],
      ...[1, 2, 3, 4].flatMap((index) => ['-D', `INCLUDE_DIR_${index}=/dev/null`]),
      ...['-p', '(version 1)', '/node', '/gemini.cjs', '-p', 'a "b"; c'],
    ]);
  });
});

describe('which sandbox holds the whole program [sandbox.enclosed]', () => {
  test('the one of macOS and of Windows when none is named, and those that are named', () => {
    const whole = (platform: NodeJS.Platform): string[] =>
      (['auto', 'bwrap', 'off', 'docker', 'podman', 'sandbox-exec'] as const).filter((name) => isWhole(name, platform));
    expect(whole('linux')).toEqual(['docker', 'podman', 'sandbox-exec']);
    expect(whole('darwin')).toEqual(['auto', 'docker', 'podman', 'sandbox-exec']);
    const machine = {variables: {PATH: '/none'}, cwd: '/'};
    expect(findEnclosing('auto', {...machine, platform: 'darwin'})).toMatchObject({
      sentence: expect.stringContaining('sandbox-exec'),
    });
    expect(findEnclosing('auto', {...machine, platform: 'win32'})).toMatchObject({
      sentence: expect.stringContaining('docker, podman'),
    });
  });

  test('a variable alone does not replace a container that an administrator asks for', () => {
    const managed = {name: 'docker', by: 'x', isManaged: true} as const;
    const none = (): boolean => false;
    const on = (platform: NodeJS.Platform, SANDBOX: string) => ({platform, variables: {SANDBOX}});
    expect(isInside(managed, on('linux', 'x'), none)).toBe(false);
    expect(isInside(managed, on('linux', 'x'), (path) => path === '/.dockerenv')).toBe(true);
    expect(isInside({name: 'docker', by: 'x'}, on('linux', 'x'), none)).toBe(true);
    expect(isInside({name: 'docker', by: 'x'}, on('linux', ''), none)).toBe(false);
    // The name of another sandbox is no proof of this one.
    expect(isInside(managed, on('linux', 'sandbox-exec'), none)).toBe(false);
    expect(isInside(managed, on('darwin', 'sandbox-exec'), none)).toBe(false);
    expect(isInside({...managed, name: 'auto'}, on('darwin', 'sandbox-exec'), none)).toBe(true);
  });

  test('variables of gemini and of the terminal go along, and no others', () => {
    const names = ['GEMINI_API_KEY', 'OPENAI_BASE_URL', 'TERM', 'https_proxy', 'LC_ALL'];
    const others = ['AWS_SECRET_ACCESS_KEY', 'PATH', 'HOME', 'GEMINI_SANDBOX', 'GEMINI_SANDBOX_IMAGE', 'SSH_AUTH_SOCK'];
    const variables = Object.fromEntries([...names, ...others].map((name) => [name, 'x']));
    expect(passedNames(variables)).toEqual([...names].sort());
  });
});
