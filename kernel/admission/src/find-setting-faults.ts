import type {DeclaredSetting} from '@gemini-kernel/kernel';

/** The part of a schema of settings that says which keys there are. */
export interface SettingKeys {
  readonly properties?: Readonly<Record<string, SettingKeys>>;
}

type Declared = Pick<DeclaredSetting, 'key' | 'plugin' | 'ofProduct'>;

/**
 * Why settings that plugins declare do not count, as the end of a sentence about each: the product has the key, it lies
 * in a section of the product, or an earlier plugin has it. `known` are the keys that the product has without plugins.
 */
export function findSettingFaults<T extends Declared>(
  declared: readonly T[],
  known: SettingKeys,
): ReadonlyMap<T, string> {
  const sections = new Set([
    ...Object.keys(known.properties ?? {}),
    ...declared.flatMap(({key, ofProduct}) => (ofProduct ? [sectionOf(key)] : [])),
  ]);
  const faults = new Map<T, string>();
  const counting: T[] = [];
  for (const one of declared) {
    const fault = findKnown(one.key, known) ?? findForeignSection(one, sections) ?? findOverlap(one, counting);
    if (fault === undefined) counting.push(one);
    else faults.set(one, fault);
  }
  return faults;
}

function sectionOf(key: string): string {
  return key.split('.')[0] ?? '';
}

function findKnown(key: string, known: SettingKeys): string | undefined {
  const parts = key.split('.');
  let at: SettingKeys = known;
  for (const [index, part] of parts.entries()) {
    if (at.properties === undefined) return `the product has ${parts.slice(0, index).join('.')}, which is no section`;
    const next = Object.hasOwn(at.properties, part) ? at.properties[part] : undefined;
    if (next === undefined) return undefined;
    at = next;
  }
  return 'the product has it already';
}

function findForeignSection({key, ofProduct}: Declared, sections: ReadonlySet<string>): string | undefined {
  const section = sectionOf(key);
  return ofProduct || !sections.has(section) ? undefined : `${section} is a section of the product`;
}

function findOverlap({key}: Declared, earlier: readonly Declared[]): string | undefined {
  const other = earlier.find(
    (one) => one.key === key || one.key.startsWith(`${key}.`) || key.startsWith(`${one.key}.`),
  );
  return other && `${other.plugin} has ${other.key}`;
}
