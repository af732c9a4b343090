interface Ordered {
  readonly plugin: string;
  readonly phase?: 'pre' | 'normal' | 'post';
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

const phases = ['pre', 'normal', 'post'] as const;

/**
 * Listeners in the order their phases and constraints ask for, plugin names deciding the rest; the plugins of a circle
 * are named instead.
 */
export function orderListeners<T extends Ordered>(
  listeners: readonly T[],
): {readonly ordered: readonly T[]; readonly circle: readonly string[]} {
  const ordered: T[] = [];
  const circle: string[] = [];
  for (const phase of phases) {
    let waiting = listeners
      .filter((one) => (one.phase ?? 'normal') === phase)
      .sort((a, b) => (a.plugin < b.plugin ? -1 : a.plugin > b.plugin ? 1 : 0));
    while (waiting.length > 0) {
      const next = waiting.find((one) => !waiting.some((other) => other !== one && comesFirst(other, one)));
      if (!next) {
        circle.push(...waiting.filter((one) => reaches(one, one, waiting)).map(({plugin}) => plugin));
        break;
      }
      ordered.push(next);
      waiting = waiting.filter((one) => one !== next);
    }
  }
  return {ordered, circle: [...new Set(circle)]};
}

/** Whether `to` has to come, directly or through others, after `from`. */
function reaches<T extends Ordered>(from: T, to: T, among: readonly T[], seen = new Set<T>()): boolean {
  return among.some((next) => {
    if (next === from || !comesFirst(from, next)) return false;
    if (next === to) return true;
    return !seen.has(next) && reaches(next, to, among, seen.add(next));
  });
}

function comesFirst(a: Ordered, b: Ordered): boolean {
  return a.plugin !== b.plugin && (a.before?.includes(b.plugin) === true || b.after?.includes(a.plugin) === true);
}
