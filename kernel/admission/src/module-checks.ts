import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import Module, {isBuiltin} from 'node:module';
import * as nodeModule from 'node:module';
import {fileURLToPath} from 'node:url';
import {checkDigest, isInside, type CheckedTree} from './checked-files.js';

export {checkDigest, type CheckedTree};

/** Holds the code of installed plugins against their locks at the moment it runs. */
export interface ModuleChecks {
  readonly trees: CheckedTree[];
  /** The folder of this program, whose modules plugins may use. */
  readonly program: string;
}

type Source = string | NodeJS.ArrayBufferView | ArrayBuffer | null | undefined;

/** What Node's own module has and its types lack. */
interface Internals {
  readonly prototype: {_compile(this: unknown, source: string, file: string, ...rest: unknown[]): unknown};
  readonly _extensions: Record<string, (module: {exports: unknown}, file: string) => void>;
  _resolveFilename(
    request: string,
    parent: {readonly filename?: string | null} | undefined,
    ...rest: unknown[]
  ): string;
}

const internals = Module as unknown as Internals;

/** Throws when Node is about to run or read a module of a tree whose bytes are not those that were verified. */
export function checkSource({trees}: Pick<ModuleChecks, 'trees'>, file: string, source: Source): void {
  const tree = trees.find(({root}) => isInside(root, file));
  if (!tree || source === null || source === undefined) return;
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
  checkDigest(tree, file, createHash('sha256').update(bytes).digest('hex'));
}

/**
 * Throws when a package that a plugin names would come from outside: from its own tree and from this program it may,
 * from a folder above it may not.
 */
export function checkResolution(
  {trees, program}: ModuleChecks,
  request: string,
  {from, found}: {readonly from: string; readonly found: string},
): void {
  const tree = trees.find(({root}) => isInside(root, from));
  if (
    !tree ||
    isBuiltin(found) ||
    /^(?:\.{0,2}\/|file:|node:|data:)/.test(request) ||
    isInside(tree.root, found) ||
    isInside(program, found)
  )
    return;
  throw new Error(
    `${from} asks for ${request}, which was found at ${found}: outside the plugin, where no lock vouches for it.`,
  );
}

/** Turns the address of a module into a path; undefined for what is no file. */
export function pathOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') === true ? fileURLToPath(url) : undefined;
}

/** Checks what `require` loads, on every Node. The text that is checked is the text that is compiled. */
export function checkRequired(checks: ModuleChecks): void {
  const {_compile} = internals.prototype;
  internals.prototype._compile = function (source, file, ...rest) {
    checkSource(checks, file, source);
    return _compile.call(this, source, file, ...rest);
  };
  const {'.json': readJson, '.node': open} = internals._extensions;
  internals._extensions['.json'] = (module, file) => {
    if (!checks.trees.some(({root}) => isInside(root, file))) return readJson?.(module, file);
    const text = readFileSync(file, 'utf8');
    checkSource(checks, file, text);
    module.exports = JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  };
  internals._extensions['.node'] = (module, file) => {
    // The system opens it by its name once more: the one kind of code whose bytes cannot be handed over.
    checkSource(checks, file, readFileSync(file));
    open?.(module, file);
  };
}

/** Checks where `require` finds packages, for a Node whose hooks do not see it. */
export function checkRequests(checks: ModuleChecks): void {
  const {_resolveFilename} = internals;
  internals._resolveFilename = function (request, parent, ...rest) {
    const found = _resolveFilename.call(this, request, parent, ...rest);
    if (parent?.filename) checkResolution(checks, request, {from: parent.filename, found});
    return found;
  };
}

export interface Resolved {
  readonly url: string;
}

export interface Loaded {
  readonly source?: Source;
}

/** Throws when a module that a plugin asks for would come from outside. */
export function checkRequested(
  own: ModuleChecks,
  request: string,
  {parent, url}: {readonly parent: string | undefined; readonly url: string},
): void {
  const from = pathOf(parent);
  if (from !== undefined) checkResolution(own, request, {from, found: pathOf(url) ?? url});
}

/** Hooks that run in the thread of the program, which Node has since 22.15. */
interface DirectHooks {
  resolve(
    request: string,
    context: {readonly parentURL?: string},
    next: (request: string, context: object) => Resolved,
  ): Resolved;
  load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

/** Has this Node ask about each module before it runs; false where it cannot within its own thread. */
export function checkDirectly(checks: ModuleChecks): boolean {
  const {registerHooks} = nodeModule as {readonly registerHooks?: (hooks: DirectHooks) => void};
  registerHooks?.({
    resolve(request, context, next) {
      const found = next(request, context);
      checkRequested(checks, request, {parent: context.parentURL, url: found.url});
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      checkSource(checks, pathOf(url) ?? '', loaded.source);
      return loaded;
    },
  });
  return registerHooks !== undefined;
}
