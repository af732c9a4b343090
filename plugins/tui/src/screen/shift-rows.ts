import {changeRows} from './live-rows.js';

/**
 * What changes the rows of a whole window into other ones. Where its first `room` rows are the old ones some rows
 * further up, as when something was printed below them, the terminal moves them.
 */
export function shiftRows(shown: readonly string[], wanted: readonly string[], room: number): string {
  const by = findShift(shown.slice(0, room), wanted.slice(0, room));
  if (by === 0) return changeRows({top: 1, rows: shown}, {top: 1, rows: wanted});
  const moved = [...shown.slice(by, room), ...Array.from({length: by}, () => ''), ...shown.slice(room)];
  const scrolled = `\u001b[1;${room}r\u001b[${room};1H${'\n'.repeat(by)}\u001b[r`;
  return scrolled + changeRows({top: 1, rows: moved}, {top: 1, rows: wanted});
}

/** By how many rows most of the rows have moved up; 0: they have not. */
function findShift(shown: readonly string[], wanted: readonly string[]): number {
  const room = wanted.length;
  if (room < 2 || shown.length !== room || shown.every((row, index) => row === wanted[index])) return 0;
  for (let by = 1; by <= room / 2; by += 1)
    if (shown.slice(by, -1).every((row, index) => row === wanted[index])) return by;
  return 0;
}
