import {expect, test} from '@jest/globals';
import {writeHint} from '@gemini-kernel/files/writing';

test.each([
  ['ENOSPC', 'Make room on the disk, then try again.'],
  ['EDQUOT', 'Make room within your quota, then try again.'],
  ['EROFS', 'Use a place on another file system.'],
  ['EFBIG', 'Raise the limit of the system (ulimit -f), then try again.'],
  ['EACCES', 'Give yourself the right.'],
  [undefined, 'Give yourself the right.'],
])('the hint for %s is about what failed [files.hints]', (code, hint) => {
  expect(
    writeHint(code === undefined ? undefined : Object.assign(new Error('x'), {code}), 'Give yourself the right.'),
  ).toBe(hint);
});
