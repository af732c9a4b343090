import {test} from '@jest/globals';

/**
 * A test that needs something of the machine. Elsewhere it is skipped under a title that says what it needs; the
 * reporter lists those at the end.
 */
export function where(holds: boolean, needs: string): typeof test {
  if (holds) return test;
  const {skip} = test;
  const name = (title: string): string => `${title} (needs ${needs})`;
  const one = (title: string, ...rest: [Parameters<typeof skip>[1]]): void => skip(name(title), ...rest);
  const each = (...table: Parameters<typeof skip.each>) => {
    const tabled = skip.each(...table);
    return (title: string, ...rest: [Parameters<typeof tabled>[1]]): void => tabled(name(title), ...rest);
  };
  return Object.assign(one, skip, {each}) as unknown as typeof test;
}

export const onLinux = where(process.platform === 'linux', 'Linux');
export const onPosix = where(process.platform !== 'win32', 'a POSIX system');
