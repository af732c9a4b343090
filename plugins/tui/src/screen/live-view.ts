/** Rows at the bottom that are redrawn, and where the cursor is in them. No row is wider than the screen. */
export interface LiveView {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** The cursor on an empty row. */
export const EMPTY: LiveView = {rows: [''], row: 0, column: 0};

export function sameView(a: LiveView, b: LiveView): boolean {
  return (
    a === b ||
    (a.row === b.row &&
      a.column === b.column &&
      a.rows.length === b.rows.length &&
      a.rows.every((text, index) => text === b.rows[index]))
  );
}

/** At most this many rows: those around the cursor. */
export function fitView(view: LiveView, most: number): LiveView {
  const {rows, row, column} = view;
  if (rows.length === 0) return EMPTY;
  if (rows.length <= most) return view;
  const first = Math.max(0, Math.min(row - Math.floor(most / 2), rows.length - most));
  return {rows: rows.slice(first, first + most), row: row - first, column};
}
