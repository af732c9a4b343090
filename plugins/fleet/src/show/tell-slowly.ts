const FIRST_MS = 1000;
const NEXT_MS = 5000;

/** Says how far something is, once it takes longer than a second, and then now and then. */
export function tellSlowly(total: number, say: (done: number, of: number) => void): (done: number) => void {
  let due = performance.now() + FIRST_MS;
  return (done) => {
    if (done >= total || performance.now() < due) return;
    due = performance.now() + NEXT_MS;
    say(done, total);
  };
}
