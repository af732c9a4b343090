import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {satisfies} from '@gemini-kernel/kernel/host';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** A future kernel version. */
const FAR = '999.0.0';
/** The program's packages that a plugin imports. */
const LENT = ['@gemini-kernel/kernel', '@gemini-kernel/command'] as const;

/**
 * What the next major version of the kernel would break: a range without an end, imports that are not public, hooks of
 * oclif, code of other plugins.
 */
export function checkCompatibility({manifest, pjson, code, isOfProduct}: Subject): readonly Finding[] {
  const hooks = Object.keys(pjson.oclif?.hooks ?? {});
  const specifiers = [...code].flatMap(([file, text]) => importsOf(text).map((specifier) => ({file, specifier})));
  const entries = listEntries();
  const hidden = specifiers.filter(
    ({specifier}) => LENT.some((name) => specifier.startsWith(`${name}/`)) && !entries.includes(specifier),
  );
  const foreign = isOfProduct ? [] : specifiers.filter(({specifier}) => isOfAnother(specifier, pjson));
  return [
    ...findingsOf(
      'warning',
      'compatibility',
      satisfies(FAR, manifest.kernel)
        ? [
            `"gemini.kernel" is ${manifest.kernel}, which includes kernels that do not exist yet. Limit the range, ` +
              'for example ^0.2.0.',
          ]
        : [],
    ),
    ...findingsOf(
      'error',
      'compatibility',
      hidden.map(
        ({file, specifier}) =>
          `${file} imports ${specifier}, which is not public. Public entries: ${entries.join(', ')}.`,
      ),
    ),
    ...findingsOf(
      'error',
      'compatibility',
      foreign.map(
        ({file, specifier}) =>
          `${file} imports code of ${specifier}. Import only types from its contract, and use its service; for a ` +
          'library that the package exports, add the package to "dependencies".',
      ),
    ),
    ...findingsOf(
      'warning',
      'compatibility',
      hooks.map((hook) => `The oclif hook ${hook} does not run. Listen to a moment instead.`),
    ),
  ];
}

/**
 * Code of a plugin of the product that is not there when the plugin is alone. A dependency is: the plugin has a copy of
 * what the package exports.
 */
function isOfAnother(specifier: string, {dependencies = {}}: Subject['pjson']): boolean {
  const [, name] = /^(@gemini-kernel\/plugin-[^/]+)/.exec(specifier) ?? [];
  return name !== undefined && !Object.hasOwn(dependencies, name);
}

function listEntries(): readonly string[] {
  return LENT.flatMap((name) => {
    const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const {exports} = JSON.parse(readFileSync(file, 'utf8')) as {exports: Readonly<Record<string, unknown>>};
    return Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`);
  });
}

/** What compiled code imports, by name. */
function importsOf(text: string): readonly string[] {
  return [
    ...text.matchAll(
      /(?:^|[;\n}])\s*(?:import|export)\b[^'"\n;]*?from\s*['"]([^'"]+)['"]|(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].flatMap(([, a, b, c]) => a ?? b ?? c ?? []);
}
