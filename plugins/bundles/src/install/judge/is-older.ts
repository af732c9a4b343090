/** Whether one version comes before another, by the rules of semantic versions. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parse(version), parse(than)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  // A version with a suffix comes before the one without.
  if (a.suffix.length === 0 || b.suffix.length === 0) return a.suffix.length > b.suffix.length;
  return isOlderSuffix(a.suffix, b.suffix);
}

function isOlderSuffix(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [a[index], b[index]];
    if (one === other) continue;
    if (one === undefined || other === undefined) return one === undefined;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber !== isOtherNumber) return isNumber;
    return isNumber ? Number(one) < Number(other) : one < other;
  }
  return false;
}

function parse(version: string): {readonly numbers: readonly number[]; readonly suffix: readonly string[]} {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  return {
    numbers: core.split('.').map(Number),
    suffix: rest
      .join('-')
      .split('.')
      .filter((part) => part !== ''),
  };
}
