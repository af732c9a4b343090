import {findingsOf, type Finding, type Subject} from './subject.js';

const USE = /\bservice\(\s*['"`]([a-z][\w-]*(?::[\w-]+)?)['"`]\s*\)/g;

/**
 * Services that its code uses by name but its manifest does not require, so that the use would fail. A plain text may
 * look the same.
 */
export function checkServices({manifest: {requires, services}, code}: Subject): readonly Finding[] {
  const required = Object.keys({...requires.services, ...requires.optional});
  const isKnown = (name: string): boolean =>
    services.some((own) => own.name === name) ||
    required.some((one) => one === name || (one.endsWith(':*') && name.startsWith(one.slice(0, -1))));
  const used = new Map<string, string>();
  for (const [file, text] of code)
    for (const [, name = ''] of text.matchAll(USE)) if (!isKnown(name)) used.set(name, file);
  const sentences = [...used].map(
    ([name, file]) => `${file} uses the service ${name}. Add "${name}" to gemini.requires.services in package.json.`,
  );
  return findingsOf('warning', 'services', sentences);
}
