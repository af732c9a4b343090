import {KernelError} from '@gemini-kernel/kernel';

const MOST = 200;

/** A name for a session, on one line. Throws KernelError SESSION_TITLE_INVALID. */
export function readTitle(given: string): string {
  const title = given.replaceAll(/\s+/g, ' ').trim();
  if (title !== '' && title.length <= MOST) return title;
  const fault = title === '' ? 'is empty' : `has ${title.length} characters, and ${MOST} are possible`;
  throw new KernelError('SESSION_TITLE_INVALID', `The name for the session ${fault}.`, {
    hint: 'Give it a short name, for example: gemini sessions rename latest "the login bug"',
  });
}
