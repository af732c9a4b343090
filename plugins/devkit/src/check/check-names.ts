import {distanceBetween} from '@gemini-kernel/kernel';
import type {CatalogPlugin} from '@gemini-kernel/kernel/host';
import {RESERVED_SCOPES} from '../new-plugin.js';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** Shorter names are too similar to many others. */
const SHORTEST = 5;

/** Names that belong to the product, resemble one of its own, or are unusual for models. */
export function checkNames({manifest, others, isOfProduct}: Subject): readonly Finding[] {
  if (isOfProduct) return [];
  const {name, tools, replaces = []} = manifest;
  const product = others.filter(({origin}) => origin === 'core');
  const scope = RESERVED_SCOPES.find((one) => name.startsWith(one));
  const other = tools.map((tool) => tool.name).filter((tool) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(tool));
  return [
    ...findingsOf('error', 'names', scope === undefined ? [] : [`The scope ${scope.slice(0, -1)} is reserved.`]),
    ...findingsOf('error', 'names', scope === undefined ? findMimicry(name, product) : []),
    ...findingsOf(
      'error',
      'names',
      tools.filter((tool) => !replaces.includes(tool.name)).flatMap((tool) => findToolMimicry(tool.name, product)),
    ),
    ...findingsOf(
      'warning',
      'names',
      other.map((tool) => `The name of the tool ${tool} is not in snake_case, as models expect.`),
    ),
  ];
}

function findMimicry(name: string, product: readonly CatalogPlugin[]): readonly string[] {
  const known = product.map(({manifest}) => manifest.name);
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/') + 1) : '';
  const copied =
    RESERVED_SCOPES.find((one) => scope !== '' && isLike(scope, one)) ?? known.find((one) => isLike(name, one));
  return copied === undefined
    ? []
    : [`Its name ${name} can be confused with ${copied} of the product. Choose another name.`];
}

function findToolMimicry(tool: string, product: readonly CatalogPlugin[]): readonly string[] {
  const known = product.flatMap(({manifest}) => manifest.tools.map(({name}) => name));
  // The catalog reports an identical name.
  const like = known.includes(tool) ? undefined : known.find((one) => isLike(tool, one));
  return like === undefined
    ? []
    : [`Its tool ${tool} can be confused with ${like} of the product. Choose another name.`];
}

function isLike(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= SHORTEST && (distanceBetween(a, b) === 1 || (a !== b && fold(a) === fold(b)));
}

/** One form for all characters that look alike. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_.]/g, '')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/[1il|]/g, 'l')
    .replace(/0/g, 'o')
    .replace(/5/g, 's');
}
