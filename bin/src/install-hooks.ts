import {register} from 'node:module';
import * as nodeModule from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {MessageChannel} from 'node:worker_threads';
import type {CheckedTree} from './checked-tree.js';
import {checkRequests, checkRequired, checkSource, pathOf, type ModuleChecks} from './module-checks.js';
import {checkRequested, type Loaded, type Resolved} from './module-hooks.js';

/** Hooks that run in the thread of the program, which Node has since 22.15. */
interface DirectHooks {
  resolve(
    request: string,
    context: {readonly parentURL?: string},
    next: (request: string, context: object) => Resolved,
  ): Resolved;
  load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
}

const {registerHooks} = nodeModule as {readonly registerHooks?: (hooks: DirectHooks) => void};

/** Has Node ask about each module that it loads, and gives what makes a tree known to the hooks. */
export function installHooks(checks: ModuleChecks): (tree: CheckedTree) => Promise<void> {
  checkRequired(checks);
  if (registerHooks) {
    registerHooks({
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
    return () => Promise.resolve();
  }
  checkRequests(checks);
  return startHooks(checks.program);
}

/** Starts the hooks in the thread that this Node has for them. It answers each tree once it knows it. */
function startHooks(program: string): (tree: CheckedTree) => Promise<void> {
  const {port1: port, port2} = new MessageChannel();
  const file = pathToFileURL(join(program, 'bin', 'dist', 'module-hooks.js')).href;
  register(file, {data: {program, port: port2}, transferList: [port2]});
  port.unref();
  return (tree) =>
    new Promise((resolve) => {
      port.ref();
      port.once('message', () => {
        port.unref();
        resolve();
      });
      port.postMessage(tree);
    });
}
