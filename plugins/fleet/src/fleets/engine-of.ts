/** The engine that an address of a queue belongs to. Undefined for one that no engine is known for. */
export function engineOf(address: string): string | undefined {
  if (/^(postgres|postgresql|redis|rediss|valkey):\/\//i.test(address)) return 'queue:bullmq';
  const [, scheme] = /^([a-z][\w+.-]*):\/\//i.exec(address) ?? [];
  return scheme === undefined ? undefined : `queue:${scheme.toLowerCase()}`;
}

/** An address as it is shown: without a password. */
export function shownAddress(address: string): string {
  return address.replace(/^([\w+.-]+:\/\/[^/:@]*):[^/@]*@/, '$1:...@');
}
