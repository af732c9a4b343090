/** A text or number of what models get from this program, which a variant replaces for one run. */
export type Component =
  | {readonly kind: 'tool'; readonly tool: string; readonly parameter?: readonly string[]}
  | {readonly kind: 'instruction'; readonly section?: string}
  | {readonly kind: 'compression'; readonly key: 'threshold' | 'instruction'};

/** The forms of their names. */
export const COMPONENTS = [
  'tools.<tool>.description',
  'tools.<tool>.parameters.<parameter>',
  'instruction',
  'instruction.<section>',
  'compression.threshold',
  'compression.instruction',
];

const PARAMETER = /^tools\.(.+?)\.parameters\.(.+)$/;
const DESCRIPTION = /^tools\.(.+)\.description$/;
const SECTION = /^instruction\.(.+)$/;

/** The component that a name means, whether or not there is such a tool or section; undefined for no such form. */
export function parseComponent(name: string): Component | undefined {
  const [, tool, path] = PARAMETER.exec(name) ?? [];
  if (tool !== undefined && path !== undefined) return {kind: 'tool', tool, parameter: path.split('.')};
  const [, described] = DESCRIPTION.exec(name) ?? [];
  if (described !== undefined) return {kind: 'tool', tool: described};
  if (name === 'instruction') return {kind: 'instruction'};
  const [, section] = SECTION.exec(name) ?? [];
  if (section !== undefined) return {kind: 'instruction', section};
  if (name === 'compression.threshold') return {kind: 'compression', key: 'threshold'};
  return name === 'compression.instruction' ? {kind: 'compression', key: 'instruction'} : undefined;
}
