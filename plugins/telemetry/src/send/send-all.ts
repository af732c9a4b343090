/** Sends the parts of a batch side by side. Rejects when all have ended, with the first that failed. */
export async function sendAll<T>(parts: readonly T[], send: (part: T) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(parts.map(send));
  const failed = ends.find(({status}) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (failed) throw failed.reason;
}
