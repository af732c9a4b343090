/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} version
 * @property {boolean} private Whether npm refuses to publish it.
 * @property {number} files
 * @property {number} packedSize
 * @property {number} unpackedSize
 * @property {boolean | null} installsAlone Null when that was not tried.
 */

/** @param {number} bytes */
const inKilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** @param {boolean | null} value */
const inWords = (value) => (value === null ? 'not tried' : value ? 'yes' : 'no');

/**
 * The table of what would be published, numbers to the right.
 * @param {readonly Row[]} rows
 */
export function printTable(rows) {
  const cells = [
    ['name', 'version', 'files', 'packed', 'unpacked', 'installs alone'],
    ...rows.map((row) => [
      row.private ? `${row.name} (private)` : row.name,
      row.version,
      String(row.files),
      inKilobytes(row.packedSize),
      inKilobytes(row.unpackedSize),
      inWords(row.installsAlone),
    ]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const isNumber = (/** @type {number} */ column) => column >= 2 && column <= 4;
  const print = (/** @type {string[]} */ row) =>
    row.map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ');
  return cells.map((row) => print(row).trimEnd()).join('\n');
}
