/** Ids that a person may give; they are safe as part of a file name. */
const ID = /^[A-Za-z0-9_-]+$/;
const NAME = /^session-(?:(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)|(\d{13}))-([A-Za-z0-9_-]{1,8})\.jsonl?$/;

/** Folders beside `chats` that belong to no session, whatever id a session file claims. */
const RESERVED = new Set([
  'chats',
  'logs',
  'tool-outputs',
  'plans',
  'images',
  'shell_history',
  'background-processes',
  'bin',
]);

/** Whether an id can name files: a session with the id `..` or `chats` must not reach files of others. */
export function isSafeId(id: string): boolean {
  return ID.test(id) && !RESERVED.has(id.toLowerCase());
}

/** The name of a session's file: its start in UTC, to the minute, and the prefix of its id. */
export function nameSession(id: string, start: Date): string {
  return `session-${start.toISOString().slice(0, 16).replace(':', '-')}-${id.slice(0, 8)}.jsonl`;
}

/**
 * When the session of a file began, to the minute, by the file's name; undefined when it is not the name of a session.
 */
export function startOf(name: string): number | undefined {
  const [, year, month, day, hour, minute, epoch] = NAME.exec(name) ?? [];
  if (epoch !== undefined) return Number(epoch);
  return year === undefined
    ? undefined
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

/** The id prefix in the name of a session's file; undefined when it is not the name of a session. */
export function stemOf(name: string): string | undefined {
  return NAME.exec(name)?.[7];
}
