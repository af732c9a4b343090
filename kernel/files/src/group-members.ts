import {readRegularSync} from './read-regular-sync.js';

/**
 * Who else than a user and root is in a group, in words; undefined when no one is, as in the groups that Ubuntu and
 * Fedora make for each user. Group 0 is root's. A group that this machine's files do not list, as of a directory
 * service, may have any members.
 */
export function findOtherMembers(gid: number, user: number): string | undefined {
  if (gid === 0) return undefined;
  const [users, groups] = [readTable('/etc/passwd'), readTable('/etc/group')];
  const group = groups.find(([, , id]) => id === String(gid));
  if (!group) return `${gid}, whose members are not known`;
  const own = new Set(['root', ...users.filter(([, , id]) => id === String(user)).map(([name]) => name)]);
  const listed = (group[3] ?? '').split(',').filter((name) => name !== '');
  const primary = users.filter(([, , , id]) => id === String(gid)).map(([name]) => name);
  const others = [...listed, ...primary].filter((name) => !own.has(name));
  return others.length > 0 ? `${group[0]}, with ${others[0]}` : undefined;
}

function readTable(path: string): readonly (readonly string[])[] {
  try {
    return readRegularSync(path)
      .toString('utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return [];
  }
}
