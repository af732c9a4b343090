/** The lowest of several limits, where 0 and undefined are no limit; undefined when none limits. */
export function strictest(limits: readonly (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined && limit > 0) as readonly number[];
  return given.length > 0 ? Math.min(...given) : undefined;
}
